import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { disconnect } from "@/lib/core/disconnect";
import { startTestPostgres } from "@/scripts/test-postgres.mjs";
import { asOwner, dataDirectory, execute, ownerUrl } from "@/tests/support/postgres";
import { startSmtp } from "@/tests/support/smtp";
import { startStripeFake } from "@/tests/support/stripe/fake";
import { filesBelow } from "./card-traces";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";
import { everySecret } from "./secret-flows";
import { SecretTraces } from "./secret-traces";

const ofDatabase = randomBytes(24).toString("base64url");
const ofMailServer = randomBytes(24).toString("base64url");

let rig: Rig;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let stripe: Awaited<ReturnType<typeof startStripeFake>>;
let logged = "";
let stopPostgres: () => Promise<void>;
beforeAll(async () => {
  // A PostgreSQL of its own: the test searches its files.
  delete process.env.TEST_POSTGRES;
  stopPostgres = await startTestPostgres();
  const server = process.env.TEST_POSTGRES ?? "";
  await execute(ownerUrl(server), `ALTER ROLE paydesk_app PASSWORD '${ofDatabase}'`);
  process.env.TEST_POSTGRES = server.replace("//paydesk_app@", `//paydesk_app:${ofDatabase}@`);
  [smtp, stripe] = await Promise.all([startSmtp({ user: "desk", pass: ofMailServer }), startStripeFake()]);
  const settings = {
    SMTP_URL: smtp.url.replace("//", `//desk:${ofMailServer}@`),
    MAIL_FROM: "desk@paydesk.example",
    STRIPE_API_URL: stripe.url,
    WEBHOOKS_ALLOW_LOCALHOST: "1",
    REGISTRATION: "open",
    LOG_LEVEL: "debug",
  };
  rig = await startRig(settings, (text) => {
    logged += text;
  });
});
afterAll(async () => {
  await rig?.stop();
  await disconnect();
  await Promise.all([smtp?.stop(), stripe?.close()]);
  await stopPostgres?.();
});

/** @param verbose prints the matches, for debugging */
async function run(rounds: number, verbose: boolean): Promise<Outcome> {
  logged = "";
  const secrets = new Map([
    ["APP_SECRET", process.env.APP_SECRET ?? ""],
    ["password of DATABASE_URL", ofDatabase],
    ["password of SMTP_URL", ofMailServer],
  ]);
  for (let round = 1; round <= rounds; round++) {
    const keep = (name: string, secret: unknown) => {
      if (typeof secret !== "string" || secret === "") throw new Error(`no ${name}`);
      secrets.set(`${name}, round ${round}`, secret);
      return secret;
    };
    await everySecret({ smtp, stripe, keep });
  }
  if (!logged.includes("/activate/")) throw new Error("the server's log was not read");
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // the request log is written within a second
  const traces = new SecretTraces(secrets);

  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace::regnamespace::text IN ('public', 'graphile_worker') AND relkind IN ('r', 'p') AND NOT relispartition`;
  let rows = 0;
  const inTables: string[] = [];
  for (const { name } of tables) {
    const found = await db.$queryRawUnsafe<{ row: string }[]>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
    rows += found.length;
    for (const { row } of found)
      for (const what of traces.in(Buffer.from(row))) inTables.push(`${name}: ${what}: ${row}`);
  }
  await asOwner("CHECKPOINT");
  let bytes = 0;
  const inFiles: string[] = [];
  for (const [path, content] of filesBelow([rig.dataDir, await dataDirectory()])) {
    bytes += content.length;
    for (const what of traces.in(content)) inFiles.push(`${path}: ${what}`);
  }
  const lines = logged.split("\n");
  const inLog = lines.flatMap((line) => traces.in(Buffer.from(line)).map((what) => `${what}: ${line}`));
  if (verbose) for (const trace of [...inTables, ...inFiles, ...inLog].slice(0, 40)) console.error(trace.slice(0, 400));
  const done =
    `${secrets.size} secrets; ${tables.length} tables with ${rows.toLocaleString("en")} rows, ` +
    `${Math.round(bytes / 1e6)} MB of files, ${lines.length.toLocaleString("en")} lines of log`;
  return {
    done,
    wrong: {
      "traces in tables": inTables.length,
      "traces in files": inFiles.length,
      "traces in the log": inLog.length,
    },
  };
}

fault({
  id: "S11",
  title: "secrets are stored and logged nowhere",
  minutes: 5,
  run: () => run(full ? 3 : 1, true),
  control: {
    without: "the rule: a token is also stored as it is, the header with the key is logged",
    mutations: [
      {
        file: "lib/resources/tokenizations/resource.ts",
        find: "...sealToken(id, newToken().token), expires_at }",
        replace: "...((token) => ({ ...sealToken(id, token), phone_no: token }))(newToken().token), expires_at }",
      },
      {
        file: "lib/http/handle.ts",
        find: "const actor = await authenticate(request);",
        replace:
          'log.info({ sent: request.headers.get("authorization") }, "sent"); const actor = await authenticate(request);',
      },
    ],
    finds: ["traces in tables", "traces in files", "traces in the log"],
    run: async (mutations) => {
      await rig.weaken("s11", mutations);
      return run(1, false);
    },
  },
});
