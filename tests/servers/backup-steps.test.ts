import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepPartitions } from "@/server/partitions";
import { command } from "@/tests/support/command";
import { rows } from "@/tests/support/database-content";
import { launch } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

// Steps that fail after the file is complete, or after the data is restored.

const folder = mkdtempSync(join(tmpdir(), "paydesk-backups-"));
const APP_SECRET = randomBytes(32).toString("base64url");
let source: Record<string, string>;

const settingsFor = (DATABASE_URL: string): Record<string, string> => ({
  ...{ DATABASE_URL, DATABASE_MIGRATE_URL: ownerUrl(DATABASE_URL), APP_SECRET, LOG_LEVEL: "error" },
  DATA_DIR: mkdtempSync(join(folder, "data-")),
});
const emptyTarget = async () => settingsFor(await createDatabase({ empty: true }));

beforeAll(async () => {
  source = settingsFor(await createDatabase());
  await rows(source, "INSERT INTO business (id, name) VALUES (7, 'Blue Bottle Books')");
});
afterAll(() => rmSync(folder, { recursive: true }));

const restoredBusinesses = (target: typeof source) => rows(target, "SELECT name FROM business WHERE id = 7");

/** Makes a backup that cannot be recorded. */
async function unrecordedBackup() {
  const to = mkdtempSync(join(folder, "unrecorded-"));
  await rows(source, "ALTER TABLE backup ADD CONSTRAINT no_room CHECK (bytes < 0) NOT VALID");
  const ended = await command("backup", ["--to", to], { env: source });
  await rows(source, "ALTER TABLE backup DROP CONSTRAINT no_room");
  return { ...ended, files: readdirSync(to).map((name) => join(to, name)) };
}

let unrecorded: ReturnType<typeof unrecordedBackup> | undefined;
const madeOnce = () => (unrecorded ??= unrecordedBackup());
const wholeBackup = async (): Promise<string> => (await madeOnce()).files[0] ?? "";

it("keeps a complete backup that could not be recorded, says so, and exits with 3", async () => {
  const { code, stdout, stderr, files } = await madeOnce(); // the next tests restore it
  expect(stderr).toMatch(/^The backup is complete\. It could not be recorded in the database, .*no_room/);
  expect([code, files.length]).toEqual([3, 1]);
  expect(stdout).toContain(`${files[0]}: `);
});

it("says how to go on when a step after the restore fails, and keeps what is restored", async () => {
  const file = await wholeBackup();
  const target = await emptyTarget();
  const unknown = (target.DATABASE_URL ?? "").replace("//paydesk_app", "//paydesk_missing");
  expect(unknown).not.toBe(target.DATABASE_URL);
  const { code, stdout, stderr } = await command("restore", [file], { env: { ...target, DATABASE_URL: unknown } });
  expect(stderr).toMatch(/The backup is restored, but granting the roles' rights failed: .*\n {2}Check DATABASE_URL\./);
  expect(stderr).toMatch(/but checking the books failed: .*\n {2}Run npm run -s books -- --ask-gateways 1 before/);
  expect(code).toBe(3);
  expect(stdout).toContain("The database is held");
  expect(await restoredBusinesses(target)).toEqual([{ name: "Blue Bottle Books" }]);
  // As the messages say: a start grants the rights, then the books can be checked.
  const copy = await launch(target);
  expect(await copy.stop()).toBe(0);
  expect(await command("books", ["--ask-gateways", "1"], { env: target })).toMatchObject({ code: 0 });
  const { stdout: findings } = await command("doctor", [], { env: target });
  expect(findings).toMatch(/^WARNING worker .*billing, mails and webhooks are held$/m);
});

/** A relay to a database's PostgreSQL that ends the connection of a restore when its COMMIT has been answered, without the answer. */
async function losingCommits(url: string) {
  const socket = `${new URL(url).searchParams.get("host")}/.s.PGSQL.5432`;
  const server = createServer((client) => {
    const upstream = connect(socket);
    let isRestore = false;
    let isCommitted = false;
    for (const each of [client, upstream]) each.on("error", () => undefined);
    client.on("data", (data) => {
      isRestore ||= data.includes("paydesk-restore");
      isCommitted ||= isRestore && data.includes("COMMIT\0");
      upstream.write(data);
    });
    upstream.on("data", (data) => (isCommitted ? client.destroy() : client.write(data)));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `postgresql://paydesk@127.0.0.1:${port}${new URL(url).pathname}`, stop: () => server.close() };
}

/** Makes a backup with tables that are not Paydesk's. @returns its file, and the name of a month that it has detached */
async function backUpWithOthers(): Promise<[file: string, month: string | undefined]> {
  const { DATABASE_MIGRATE_URL: url = "" } = source;
  expect(await keepPartitions(undefined, { url })).toEqual([]);
  const [month] = await rows<{ name: string }>(
    source,
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'api_request'::regclass ORDER BY 1 LIMIT 1",
  );
  await rows(source, `ALTER TABLE api_request DETACH PARTITION ${month?.name}`);
  await rows(source, "CREATE TABLE extra (id serial, at date) PARTITION BY RANGE (at)");
  await rows(source, "CREATE TABLE extra_old PARTITION OF extra FOR VALUES FROM (MINVALUE) TO (MAXVALUE)");
  await rows(source, "INSERT INTO extra (at) VALUES ('2026-12-24')");
  const file = join(mkdtempSync(join(folder, "with-others-")), "backup.tar");
  expect(await command("backup", ["--to", file], { env: source })).toMatchObject({ code: 0, stderr: "" });
  await rows(source, `DROP TABLE extra, ${month?.name}`);
  return [file, month?.name];
}

it.runIf(existsSync("/proc"))("names a folder that cannot be created", async () => {
  expect(await command("backup", ["--to", "/proc/backups/daily"], { env: source })).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: "/proc/backups: cannot be created here\n",
  });
});

it("refuses to release a database that is not there, and makes none", async () => {
  const DATA_DIR = mkdtempSync(join(folder, "no-data-"));
  const own = { DATABASE_URL: "", DATABASE_MIGRATE_URL: "", APP_SECRET: "", DATA_DIR };
  const { code, stderr } = await command("restore", ["--release"], { env: own });
  expect([code, stderr]).toEqual([1, expect.stringContaining("There is no Paydesk data in")]);
  expect(readdirSync(DATA_DIR)).toEqual([]);
});

it("says that the outcome is unknown when the connection is lost during COMMIT, exits with 4, and restores again without tables that are not Paydesk's, which exits with 3", async () => {
  const file = await wholeBackup();
  const target = await emptyTarget();
  const relay = await losingCommits(target.DATABASE_MIGRATE_URL ?? "");
  const { code, stdout, stderr } = await command("restore", [file], {
    env: { ...target, DATABASE_MIGRATE_URL: relay.url },
  });
  relay.stop();
  expect(stderr).toMatch(
    /^The connection was lost while the restore was committed \(.+\), so .*\. Restore again with --replace/,
  );
  expect([code, stdout]).toEqual([4, ""]);
  expect(await restoredBusinesses(target)).toEqual([{ name: "Blue Bottle Books" }]);
  const [other, month] = await backUpWithOthers();
  const again = await command("restore", [other, "--replace"], { env: target });
  const left = `Left out, because they are no tables of Paydesk: ${month}, extra`;
  expect([again.code, again.stderr.trim()]).toEqual([3, left]);
  expect(await restoredBusinesses(target)).toEqual([{ name: "Blue Bottle Books" }]);
});
