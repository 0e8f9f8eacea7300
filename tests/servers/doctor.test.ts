import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { firstIdAt, newId } from "@/lib/core/id";
import { LimitedClient } from "@/lib/core/limited-client";
import { checkBackups, checkTransactions } from "@/server/doctor/database";
import type { Finding } from "@/server/doctor/finding";
import { checkDisk } from "@/server/doctor/installation";
import { checkGateways } from "@/server/doctor/work";
import { monthStart } from "@/server/partitions";
import { command } from "@/tests/support/command";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { canPoolTransactions, hasPgBouncer, startPgBouncer } from "@/tests/support/pgbouncer";
import { createDatabase, execute, ownerUrl } from "@/tests/support/postgres";
import { startSmtp } from "@/tests/support/smtp";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";
import { createEndpoint } from "@/tests/support/webhooks";

// A web process without a worker, so that due work stays.
let stripe: StripeFake;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let settings: Record<string, string>;
let server: Launched;
let merchant: Merchant;

beforeAll(async () => {
  [stripe, smtp] = await Promise.all([startStripeFake(), startSmtp()]);
  settings = {
    DATABASE_URL: await createDatabase(),
    APP_SECRET: randomBytes(32).toString("base64url"),
    STRIPE_API_URL: stripe.url,
    SMTP_URL: smtp.url,
    MAIL_FROM: "desk@paydesk.example",
  };
  server = await launch(settings, paydeskWeb);
  settings.APP_URL = server.url;
  settings.PORT = new URL(server.url).port;
  Object.assign(process.env, settings, { TEST_URL: server.url }); // before the first query
  merchant = await createMerchant();
});
afterAll(async () => {
  await server.stop();
  await smtp.stop();
  await stripe.close();
});

type Found = Finding & { about: string };

async function examine(over: Record<string, string> = {}): Promise<{ code: number; found: Found[] }> {
  const { code, stdout } = await command("doctor", ["--json"], { env: { LOG_LEVEL: "silent", ...settings, ...over } });
  return {
    code,
    found: stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

/** The tests' PostgreSQL trades durability for speed, and the doctor sees it. */
const unsafe = "database: fsync, full_page_writes, synchronous_commit: off";

const problems = ({ found }: { found: Found[] }): string[] =>
  found.filter(({ state }) => state === "problem").map(({ about, says }) => `${about}: ${says}`);

it("finds no problem in an installation that works, except for the durability that tests turn off", async () => {
  const healthy = await examine();
  expect(problems(healthy)).toEqual([unsafe]);
  const abouts = new Set(healthy.found.map(({ about }) => about));
  for (const about of [
    "address",
    "proxy",
    "clock",
    "mail",
    "disk",
    "secrets",
    "database",
    "schema",
    "months",
    "pooler",
    "backups",
  ])
    expect(abouts).toContain(about);
  for (const about of ["worker", "webhooks", "gateways", "money"]) expect(abouts).toContain(about);
  expect(healthy.found.filter(({ state, todo }) => state !== "ok" && !todo)).toEqual([]);
  // Only before the next test adds some.
  const none = { about: "backups", state: "warning", says: "npm run backup has made no backup yet" };
  expect(healthy.found).toContainEqual(expect.objectContaining(none));
});

it("warns without a backup of the last day, and looks at the disks of the database and of the backups", async () => {
  const backups = async () => (await checkBackups()).map(({ state, says }) => [state, says]);
  const disks = async () => (await checkDisk(settings.DATABASE_URL)).map(({ says }) => says);
  const folder = mkdtempSync(join(tmpdir(), "paydesk-backups-"));
  writeFileSync(join(folder, "new.tar"), "");
  const add = (file: string, hours: number, encrypted: boolean) =>
    db.backup.create({
      data: { file, bytes: 5_000_000, encrypted, started_at: new Date(Date.now() - hours * 3_600_000) },
    });
  await add("/backups/old.tar", 72, true);
  expect(await backups()).toContainEqual(["warning", "The last backup was made 3 days ago"]);
  await add(join(folder, "new.tar"), 3, true);
  expect(await backups()).toContainEqual(["ok", "The last backup was made 3 hours ago: 5 MB, encrypted"]);
  expect(await disks()).toContainEqual(expect.stringMatching(` are free at ${folder}$`));
  rmSync(join(folder, "new.tar")); // as in a container with an empty folder of this name
  await add(join(folder, "newest.tar"), 2, false);
  expect(await backups()).toContainEqual(["ok", "The last backup was made 2 hours ago: 5 MB, not encrypted"]);
  const left = await disks();
  expect(left).toHaveLength(1);
  expect(left[0]).toMatch(/free at \/var\/lib\/postgresql$|^PostgreSQL's disk cannot be seen from here/);
  rmSync(folder, { recursive: true });
});

it.each(["postgresql://paydesk@/paydesk?host=/var/run/postgresql", "postgresql:///paydesk?host=/var/run/postgresql"])(
  "looks at this machine's disk for the socket of %s",
  async (address) => {
    const says = async (url: string) => (await checkDisk(url)).map(({ says }) => says);
    expect(await says(address)).toEqual(await says("postgresql://paydesk@localhost/paydesk"));
    const elsewhere = /^PostgreSQL's disk cannot be seen/;
    if (existsSync("/var/lib/postgresql")) expect((await says(address))[0]).not.toMatch(elsewhere);
    expect((await says("postgresql://paydesk@db.example/paydesk"))[0]).toMatch(elsewhere);
  },
);

it("goes on when its reader ends first", async () => {
  const env = { ...process.env, LOG_LEVEL: "silent", ...settings };
  const piped = promisify(execFile)("sh", ["-c", "node dist/command-doctor.mjs | head -1"], { env });
  expect(await piped).toMatchObject({ stderr: "", stdout: expect.stringContaining("address") });
});

it("finds an address that does not answer, a proxy that is not trusted, a mail server that is away, and an owner's address that leads nowhere", async () => {
  const ill = await examine({
    ...{ APP_URL: "https://paydesk.invalid", TRUST_PROXY: "0", SMTP_URL: "smtp://127.0.0.1:9" },
    DATABASE_MIGRATE_URL: "postgresql://paydesk@127.0.0.1:9/paydesk",
  });
  expect(ill.code).toBe(1);
  for (const problem of [
    /^address: https:\/\/paydesk\.invalid does not/,
    /^proxy: Paydesk is behind a proxy/,
    /^mail: The sign-in at 127\.0\.0\.1 failed/,
    /^pooler: Could not be checked: DATABASE_MIGRATE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:9$/,
  ])
    expect(problems(ill)).toContainEqual(expect.stringMatching(problem));
});

const nameOf = (url: string) => new URL(url).pathname.slice(1);

it("finds an address without encryption, says what it cannot check while PostgreSQL has too many connections, and checks the rest", async () => {
  const DATABASE_URL = await createDatabase();
  await execute(ownerUrl(DATABASE_URL), `ALTER DATABASE ${nameOf(DATABASE_URL)} CONNECTION LIMIT 0`);
  const ill = await examine({ DATABASE_URL, APP_URL: "http://paydesk.invalid" });
  const { code, found } = ill;
  expect(code).toBe(1);
  expect(problems(ill)).toContainEqual(expect.stringMatching(/^address: .* is not encrypted$/));
  const says = /^Could not be checked: PostgreSQL has too many connections\./;
  for (const about of ["database", "schema", "money"])
    expect(found).toContainEqual(expect.objectContaining({ about, says: expect.stringMatching(says) }));
  expect(found).toContainEqual(expect.objectContaining({ about: "mail", state: "ok" }));
});

it("finds a transaction that has been open for long, or names the roles whose open transactions it cannot see", async () => {
  const owner = ownerUrl(settings.DATABASE_URL ?? "");
  const database = nameOf(owner);
  // The view is found before PostgreSQL's own, and saves an hour.
  await execute(
    owner,
    "CREATE SCHEMA aged",
    `CREATE VIEW aged.pg_stat_activity AS
       SELECT pid, datid, datname, usesysid, usename, application_name, state, backend_type,
              CASE application_name WHEN 'report' THEN xact_start - interval '1 hour' ELSE xact_start END AS xact_start
         FROM pg_catalog.pg_stat_activity`,
    "GRANT USAGE ON SCHEMA aged TO paydesk_app",
    "GRANT SELECT ON aged.pg_stat_activity TO paydesk_app",
    `ALTER DATABASE ${database} SET search_path = aged, pg_catalog, public`,
  );
  const report = new Client({ connectionString: owner, application_name: "report" });
  await report.connect();
  await report.query("BEGIN; SELECT 1");
  const { found } = await examine({ DATABASE_MIGRATE_URL: owner });
  const asBoth = found.filter(({ about, says }) => about === "database" && /\btransactions? /i.test(says));
  const alone = await checkTransactions(""); // as without DATABASE_MIGRATE_URL
  await report.query("COMMIT");
  const afterwards = [await checkTransactions(owner), await checkTransactions("")]; // the session goes on, without a transaction
  await report.end();
  await execute(owner, `ALTER DATABASE ${database} RESET search_path`, "DROP SCHEMA aged CASCADE");
  expect(alone).toEqual([
    expect.objectContaining({
      state: "warning",
      says: "Transactions of paydesk are open; it cannot be seen for how long",
      todo: expect.stringContaining("GRANT pg_read_all_stats TO paydesk_app "),
    }),
  ]);
  const open = "A transaction of report has been open for 60 minutes";
  expect(asBoth).toEqual([expect.objectContaining({ state: "warning", says: open })]);
  const none = [expect.objectContaining({ state: "ok", says: "No transaction has been open for 5 minutes" })];
  expect(afterwards).toEqual([none, none]);
});

it("finds work that no worker does, failed jobs, a migration that is missing, an index that is broken, and rows whose month has no partition, and makes the months with --repair", async () => {
  const due = new Date(Date.now() - 3_600_000);
  const mail = {
    business_id: merchant.businessId,
    livemode: true,
    template: "receipt",
    to: "ada@example.com",
    props: {},
  };
  const owner = ownerUrl(settings.DATABASE_URL ?? "");
  const table = "_prisma_migrations";
  await execute(
    owner,
    withoutMonths(),
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'email_lane'::regclass",
    `CREATE TABLE kept AS SELECT * FROM ${table} ORDER BY migration_name DESC LIMIT 1`,
    `DELETE FROM ${table} WHERE migration_name = (SELECT migration_name FROM kept)`,
    "SELECT graphile_worker.add_job('bill', '{}', max_attempts := 1)",
    "UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'no card'",
  );
  await db.email.create({ data: { id: newId("eml"), ...mail, next_attempt_at: due, created_at: due } });
  const row = { id: newId("eml"), ...mail, status: "sent", next_attempt_at: null, created_at: new Date() };
  await db.email.create({ data: row });
  const ill = await examine();
  await execute(
    owner,
    "UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'email_lane'::regclass",
    `INSERT INTO ${table} SELECT * FROM kept`,
    "DELETE FROM email WHERE status = 'queued'",
    "DELETE FROM graphile_worker._private_jobs",
  );
  expect(problems(ill)).toEqual([
    unsafe,
    expect.stringMatching(/^database: Unusable indexes: email_lane$/),
    expect.stringMatching(/^schema: Not yet applied: \d+_\w+$/),
    expect.stringMatching(/^months: email has no partition for rows since \d{4}-\d\d-01/),
    expect.stringMatching(/^worker: The oldest e-mail that is due has waited for 60 minutes$/),
  ]);
  const failed = { about: "worker", state: "warning", says: "Jobs that have used up their attempts: 1 (bill)" };
  expect(ill.found).toContainEqual(expect.objectContaining(failed));
  const env = { LOG_LEVEL: "silent", ...settings, DATABASE_MIGRATE_URL: owner };
  const { stdout, stderr } = await command("doctor", ["--repair"], { env });
  expect(stdout).toMatch(/^ok {6}months +Months are made ahead/m);
  expect(stderr).toBe("");
  expect(await db.email.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({ to: "ada@example.com" });
  // As text, with what to do.
  expect(stdout).toMatch(/^ok {6}mail {6}\S+ accepts the sign-in; mails are sent from desk@paydesk\.example$/m);
  expect(stdout).toMatch(/^WARNING gateways .*\n {18}Connect one/m);
  // The next test finds none of these any more.
});

/** @returns a statement after which this month's mails have no partition of their own */
function withoutMonths(): string {
  const bound = `'${firstIdAt("eml", monthStart(new Date(), -1))}'`;
  const months = `
    SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent = 'email'::regclass AND inhrelid::regclass::text ~ '^email_\\d'`;
  return `DO $$ DECLARE month text; first text; BEGIN
       FOR month IN ${months} LOOP EXECUTE 'DROP TABLE ' || month; END LOOP;
       SELECT inhrelid::regclass::text INTO first FROM pg_inherits
        WHERE inhparent = 'email'::regclass AND inhrelid::regclass::text ~ '_to_';
       EXECUTE format('ALTER TABLE email DETACH PARTITION %s', first);
       EXECUTE format('ALTER TABLE %s RENAME TO email_to_2020_01', first);
       ALTER TABLE email DETACH PARTITION email_later;
       EXECUTE format('ALTER TABLE email ATTACH PARTITION email_to_2020_01 FOR VALUES FROM (MINVALUE) TO (%L)', ${bound});
       ALTER TABLE email ATTACH PARTITION email_later FOR VALUES FROM (${bound}) TO (MAXVALUE);
     END $$`;
}

it("finds a gateway's key that is refused, and an endpoint that accepts nothing", async () => {
  const body = { secret_key: stripe.account("live").secretKey };
  expect((await call("POST", "/gateway-accounts", { key: merchant.liveKey, body })).status).toBe(200);
  const { id } = await createEndpoint({ key: merchant.liveKey }, "https://hooks.invalid/");
  await db.webhookEndpoint.update({ where: { id }, data: { failing_since: new Date(0) } });
  const works = await examine();
  expect(problems(works)).toEqual([unsafe]);
  expect(works.found).toContainEqual(
    expect.objectContaining({ about: "gateways", says: expect.stringMatching(/works$/) }),
  );
  expect(works.found).toContainEqual(
    expect.objectContaining({ about: "webhooks", state: "warning", says: expect.stringContaining("hooks.invalid") }),
  );
  expect(works.found).toContainEqual(
    expect.objectContaining({
      about: "webhooks",
      state: "warning",
      says: expect.stringMatching(
        /^https:\/\/hooks\.invalid, an endpoint for live events, cannot be reached: The host's name/,
      ),
    }),
  );
  const heal = stripe.fault({ kind: "key_expired", path: /./, share: 1 });
  expect(await checkGateways()).toMatchObject([
    { state: "problem", says: expect.stringMatching(/^The live account of business/) },
  ]);
  heal();
});

describe.runIf(hasPgBouncer())("behind PgBouncer", () => {
  it("works in session mode, with its limits, and the doctor says so", async () => {
    const pooler = await startPgBouncer(settings.DATABASE_URL ?? "", { mode: "session" });
    const behind: Record<string, string> = {
      ...settings,
      DATABASE_URL: pooler.url,
      DATABASE_MIGRATE_URL: ownerUrl(settings.DATABASE_URL ?? ""),
    };
    const limited = { connectionString: pooler.url, statement_timeout: 1_234 };
    await expect(new Client(limited).connect()).rejects.toThrow("unsupported startup parameter: statement_timeout");
    const client = await new LimitedClient(limited).connect();
    expect((await client.query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "1234ms" }]);
    await client.end();
    const { PORT: _port, APP_URL: _url, ...elsewhere } = behind;
    const paydesk = await launch(elsewhere);
    try {
      process.env.TEST_URL = paydesk.url;
      const { key } = merchant;
      const body = { email: "ada@example.com", currency: "EUR", amount: 1050, title: "Order 1001" };
      const made = await call("POST", "/payment-links", { key, body });
      expect(made.status).toBe(200);
      expect((await call("GET", `/payment-links/${made.json.data._id}`, { key })).json.data.title).toBe("Order 1001");
      const diagnosis = await examine(behind);
      expect(diagnosis.found).toContainEqual(
        expect.objectContaining({ about: "pooler", state: "ok", says: expect.stringContaining("session mode") }),
      );
    } finally {
      process.env.TEST_URL = server.url;
      await paydesk.stop();
      await pooler.stop();
    }
  });

  it("finds the transaction mode", async () => {
    const DATABASE_URL_DIRECT = settings.DATABASE_URL ?? "";
    // Like versions before 1.21, which do not keep prepared statements.
    const pooler = await startPgBouncer(DATABASE_URL_DIRECT, {
      mode: "transaction",
      settings: canPoolTransactions() ? "max_prepared_statements = 0" : "",
    });
    const DATABASE_URL = pooler.url;
    try {
      const DATABASE_MIGRATE_URL = ownerUrl(pooler.url);
      expect(problems(await examine({ DATABASE_URL, DATABASE_URL_DIRECT, DATABASE_MIGRATE_URL }))).toEqual([
        unsafe,
        "pooler: The pooler mixes up prepared statements of different connections",
        "pooler: Sessions behind the pooler have no idle_in_transaction_session_timeout, lock_timeout, statement_timeout",
        "pooler: DATABASE_MIGRATE_URL leads to a pooler in transaction mode",
      ]);
      // Without the direct address, this command's own settings reach other clients of the pooler.
      expect(problems(await examine({ DATABASE_URL }))).toEqual([
        unsafe,
        expect.stringMatching(/^pooler: A pooler in transaction mode/),
      ]);
    } finally {
      await pooler.stop();
    }
  });
});
