import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { env, readSecret } from "@/lib/core/env";
import { type Connected, connectAccount, disconnectAccount, listAccounts } from "@/lib/gateways/accounts";
import { eventTypes } from "@/lib/gateways/stripe/callbacks";
import { restoreAccount } from "@/lib/ledger/account-health";
import { importBalanceSoon } from "@/lib/ledger/balance-import";
import { businessId, commandOf, livemode, runCommand, UsageError } from "@/server/command";

const usage = `Usage:
  npm run -s gateway -- connect    --business 1 --mode test|live [--webhook-secret-stdin]
  npm run -s gateway -- list       [--business 1]
  npm run -s gateway -- disconnect --business 1 --mode test|live

connect reads Stripe's secret key from STRIPE_SECRET_KEY or the file STRIPE_SECRET_KEY_FILE, else from the first line of standard input. With
--webhook-secret-stdin, the next line is the secret of a webhook endpoint that you created in Stripe. Keys are never arguments.

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

const options = {
  business: { type: "string" },
  mode: { type: "string" },
  "webhook-secret-stdin": { type: "boolean" },
} as const;

const read = () => parseArgs({ allowPositionals: true, options });
type Values = ReturnType<typeof read>["values"];

/**
 * Reads one line of standard input per prompt. On a terminal it shows the prompts and hides the input.
 * @throws UsageError when a line is missing or empty
 */
async function readSecrets(prompts: string[]): Promise<string[]> {
  const noOutput = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: noOutput, terminal: process.stdin.isTTY });
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT")); // hiding the input turns Ctrl-C's signal off
  const incoming = lines[Symbol.asyncIterator]();
  const answers: string[] = [];
  for (const prompt of prompts) {
    if (process.stdin.isTTY) console.error(`${prompt}:`);
    const { value, done } = await incoming.next();
    if (done || !value.trim()) throw new UsageError(`${prompt} is missing on standard input.`);
    answers.push(value.trim());
  }
  lines.close();
  return answers;
}

function describe({ id, externalId, address, callbacks }: Connected): string {
  const callbackNotes = {
    created: `Stripe sends webhooks to ${address}.`,
    given: `Let Stripe send webhooks to ${address}.`,
    kept: `Stripe keeps sending webhooks to ${address}.`,
    missing: [
      "No webhook endpoint could be created: APP_URL is not an https address, or Stripe refused. Paydesk polls open payments",
      "every 30 seconds. For immediate updates, create an endpoint in Stripe's dashboard with this address and these events,",
      "then connect again with --webhook-secret-stdin:",
      "",
      `  ${address}`,
      ...eventTypes.map((type) => `  ${type}`),
    ].join("\n"),
  };
  return `Connected ${externalId} as ${id}.\n${callbackNotes[callbacks]}`;
}

const noHttps = () =>
  `Warning: payers can't pay yet. Stripe takes live payments only if APP_URL is an https address; it is ${env().APP_URL}.`;

const commands: Record<string, (values: Values) => Promise<() => Promise<void>>> = {
  connect: async (values) => {
    const where = { businessId: businessId(values.business), livemode: livemode(values.mode) };
    const fromEnv = readSecret(process.env, "STRIPE_SECRET_KEY")?.trim();
    const prompts = [
      ...(fromEnv ? [] : ["Stripe's secret key"]),
      ...(values["webhook-secret-stdin"] ? ["The webhook endpoint's secret"] : []),
    ];
    const answers = await readSecrets(prompts);
    const secretKey = fromEnv || answers.shift() || "";
    const webhookSecret = answers.shift();
    return async () => {
      const connected = await connectAccount({ ...where, secretKey, webhookSecret });
      await restoreAccount(connected.id);
      await importBalanceSoon(connected.id);
      console.log(describe(connected));
      if (!connected.payable) console.error(noHttps());
    };
  },
  list: async (values) => {
    const business = values.business === undefined ? undefined : businessId(values.business);
    return async () => {
      const accounts = await listAccounts(business);
      if (accounts.length === 0) console.error("No gateway account is connected.");
      for (const account of accounts) {
        const state = account.replaced_at ? `until ${account.replaced_at.toISOString()}` : "in use";
        const mode = account.livemode ? "live" : "test";
        const { id, business_id, gateway, external_id, hint } = account;
        console.log([id, business_id, mode, gateway, external_id, hint, state].join("\t"));
      }
    };
  },
  disconnect: async (values) => {
    const business = businessId(values.business);
    const live = livemode(values.mode);
    return async () => {
      const mode = live ? "live" : "test";
      if (!(await disconnectAccount(business, live)))
        throw new Error(`Business ${business} has no account in use for ${mode} payments.`);
      console.error(
        live ? "Disconnected: no live payments are taken now." : "Disconnected: test payments go to the sandbox now.",
      );
    };
  },
};

await runCommand(usage, () => {
  const { values, positionals } = read();
  return commandOf(commands, positionals)(values);
});
