import { parseArgs } from "node:util";
import { createKeyByCommand, listApiKeys, revokeKeyByCommand } from "@/lib/auth/keys";
import { businessId, commandOf, livemode, required, runCommand, UsageError } from "@/server/command";

const usage = `Usage:
  npm run -s api-key -- create --business 1 --mode test|live --name NAME [--scope read --scope payment_links:write] [--expires 2027-01-31]
  npm run -s api-key -- list   --business 1
  npm run -s api-key -- revoke --business 1 --id KEY_ID

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

const options = {
  business: { type: "string" },
  mode: { type: "string" },
  name: { type: "string" },
  scope: { type: "string", multiple: true },
  expires: { type: "string" },
  id: { type: "string" },
} as const;

const read = () => parseArgs({ allowPositionals: true, options });
type Values = ReturnType<typeof read>["values"];

/** A name must be one line: `list` prints one key per line. */
function keyName({ name: given }: Values): string {
  const name = required("name", given);
  if (/\p{Cc}/u.test(name) || name.length > 100)
    throw new UsageError("--name must be one line of at most 100 characters.");
  return name;
}

function expiresAt({ expires }: Values): Date | null {
  if (!expires) return null;
  const date = new Date(expires);
  if (Number.isNaN(date.getTime()) || date <= new Date())
    throw new UsageError("--expires must be a date in the future.");
  return date;
}

const commands: Record<string, (values: Values) => () => Promise<void>> = {
  create: (values) => {
    const input = {
      businessId: businessId(values.business),
      livemode: livemode(values.mode),
      name: keyName(values),
      scopes: values.scope,
      expiresAt: expiresAt(values),
    };
    return async () => console.log(await createKeyByCommand(input));
  },
  list: (values) => {
    const business = businessId(values.business);
    return async () => {
      for (const key of await listApiKeys(business)) {
        const state = key.revoked_at
          ? "revoked"
          : key.expires_at && key.expires_at <= new Date()
            ? "expired"
            : "active";
        const used = key.last_used_at?.toISOString() ?? "never used";
        console.log(
          [key.id, key.livemode ? "live" : "test", key.hint, state, key.scopes.join(","), used, key.name].join("\t"),
        );
      }
    };
  },
  revoke: (values) => {
    const business = businessId(values.business);
    const id = required("id", values.id);
    return async () => {
      if (!(await revokeKeyByCommand(business, id))) throw new Error(`Business ${business} has no usable key ${id}.`);
      console.error("Revoked.");
    };
  },
};

await runCommand(usage, async () => {
  const { values, positionals } = read();
  return commandOf(commands, positionals)(values);
});
