import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { keepPartitions } from "@/server/partitions";
import { removeDataDir } from "@/server/postgres";
import { payAt, saveCardAt } from "@/tests/support/checkout";
import { command, startCommand } from "@/tests/support/command";
import { contentOf, countersOf, rows, schemaOf, tablesOf } from "@/tests/support/database-content";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { createEndpoint } from "@/tests/support/webhooks";

// A server at work on a database of its own, which is backed up and restored into other ones. It stops after the first test.

const folder = mkdtempSync(join(tmpdir(), "paydesk-backups-"));
const APP_SECRET = randomBytes(32).toString("base64url");
const otherSecret = "another secret of 32 characters, or more";
const BACKUP_PASSPHRASE = "correct horse battery staple";
let receiver: Receiver;
let source: Record<string, string>;
let server: Launched;
let merchant: Merchant;
let subscription: string;

/** The settings of commands and servers on a database. */
const settingsFor = (DATABASE_URL: string): Record<string, string> => ({
  ...{ DATABASE_URL, DATABASE_MIGRATE_URL: ownerUrl(DATABASE_URL), APP_SECRET, BACKUP_PASSPHRASE },
  ...{ DATA_DIR: mkdtempSync(join(folder, "data-")), WEBHOOKS_ALLOW_LOCALHOST: "1", LOG_LEVEL: "error" },
  RATE_LIMIT_PER_MINUTE: "1000000",
});

const emptyTarget = async () => settingsFor(await createDatabase({ empty: true }));

beforeAll(async () => {
  receiver = await startReceiver();
  source = settingsFor(await createDatabase());
  server = await launch(source);
  Object.assign(process.env, source, { TEST_URL: server.url });
  merchant = await createMerchant();
  const { key } = merchant;
  await createEndpoint(merchant, receiver.url);
  const tokenization = await create(key, "tokenizations", { email: "grace@example.com" });
  await saveCardAt(`/activate/${(await call("GET", `/tokenizations/${tokenization}`, { key })).json.data.token}`);
  const pack = { name: "Reading club", amount: "1500", currency: "EUR", frequency: "monthly" };
  const { _id: package_id } = (await call("POST", "/packages", { key, body: pack })).json.data;
  subscription = await create(key, "subscriptions", { package_id, email: "grace@example.com" });
  await until(
    "the first period",
    async () => (await rows(source, "SELECT FROM payment WHERE status = 'succeeded'")).length > 0,
  );
});
afterAll(async () => {
  await server?.stop();
  await receiver?.stop();
  rmSync(folder, { recursive: true });
});

/** Makes a backup. @returns its file */
async function backUp(settings: Record<string, string>, ...args: string[]): Promise<string> {
  const to = mkdtempSync(join(folder, "backups-"));
  const { code, stdout, stderr } = await command("backup", ["--to", to, ...args], { env: settings });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [file = ""] = readdirSync(to);
  expect(stdout).toContain(file);
  return join(to, file);
}

const restore = (file: string, settings: Record<string, string>, ...args: string[]) =>
  command("restore", [file, ...args], { env: settings });

async function restored(file: string, settings: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await restore(file, settings, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Balanced, here and at the gateways.");
  return stdout;
}

let plainFile: Promise<string> | undefined;
/** An unencrypted backup, for tests that do not need one of their own. */
const plainBackup = (): Promise<string> => (plainFile ??= backUp(source));

async function sell(acknowledged: string[]): Promise<void> {
  const link = await create(merchant.key, "payment_links");
  const { status } = await payAt(`/pay?id=${link}`);
  if (status === 303 && (await call("GET", `/payment-links/${link}`, { key: merchant.key })).json.data.paid)
    acknowledged.push(link);
}

it("restores everything that was acknowledged before the backup began, and holds it until it is released", async () => {
  const acknowledged: string[] = [];
  let isOpen = true;
  const till = (async () => {
    while (isOpen) await sell(acknowledged);
  })();
  await until("some payments", () => acknowledged.length >= 5);
  const before = [...acknowledged];
  plainFile = backUp(source);
  const file = await plainFile;
  isOpen = false;
  await till;
  expect(acknowledged.length).toBeGreaterThan(before.length);
  expect(await rows(source, "SELECT file, encrypted FROM backup")).toContainEqual({ file, encrypted: false });

  const target = await emptyTarget();
  const printed = await restored(file, target);
  expect(printed).toContain("The database is held");
  const sums = "SELECT id, status, amount_cents, currency FROM payment_link WHERE id = ANY ($1) ORDER BY id";
  expect(await rows(target, sums, [before])).toEqual(await rows(source, sums, [before]));
  expect(await rows(target, `${sums} LIMIT 1`, [before])).toMatchObject([{ status: "Paid" }]);
  const holds = () => rows(target, "SELECT FROM database_restore WHERE released_at IS NULL");
  expect(await holds()).toHaveLength(1);

  // Due work in the restored database: a period, because its test clock advances, and the webhook of a new link.
  const copy = await launch(target);
  const ask = async (path: string, body: object): Promise<{ _id: string }> => {
    const headers = { Authorization: `Bearer ${merchant.key}`, "Content-Type": "application/json" };
    const answer = await fetch(`${copy.url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: { _id: string } }).data;
  };
  const charges = async () =>
    (
      await rows(
        target,
        `SELECT FROM payment WHERE status = 'succeeded'
            AND payment_link_id IN (SELECT id FROM payment_link WHERE subscription_id = $1)`,
        [subscription],
      )
    ).length;
  try {
    const order = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order" };
    const { _id: link } = await ask("/payment-links", order);
    await ask("/test-clock", { to: new Date(Date.now() + 40 * 86_400_000).toISOString() });
    const deliveries = () => receiver.received.filter(({ body }) => body.includes(link)).length;
    const advance = ["advance", "--business", String(merchant.businessId), "--to", "2099-01-01T00:00:00Z"];
    const refused = command("test-clock", advance, { env: target });
    const used = restore(file, target, "--replace");
    await sleep(3_000); // each loop looks for work ten times
    expect(await refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not released"),
    });
    expect(await used).toMatchObject({ code: 1, stderr: expect.stringContaining("The database is in use") });
    expect([deliveries(), await charges()]).toEqual([0, 1]);
    expect(await command("restore", ["--release"], { env: target })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Released/),
    });
    await until("the webhook", () => deliveries() > 0);
    await until("the charge", async () => (await charges()) === 2);
  } finally {
    expect(await copy.stop()).toBe(0);
  }
  expect(await holds()).toEqual([]);
});

let sealedFile: Promise<string> | undefined;
/** An encrypted backup of the source, with its secret. */
async function sealedBackup(): Promise<string> {
  await server.stop();
  sealedFile ??= backUp(source, "--encrypt", "--with-secret");
  return sealedFile;
}

it("restores an encrypted backup exactly, with the secret that it has, and replaces a database only with --replace", async () => {
  await server.stop();
  // The restore asks the gateways for their balances, which adds entries: only none if they are here already.
  await command("books", ["--ask-gateways", "1"], { env: source });
  const file = await sealedBackup();
  expect(readFileSync(file).includes(APP_SECRET)).toBe(false);
  const target: Record<string, string> = { ...settingsFor(await createDatabase()), APP_SECRET: "" };
  await rows(target, "INSERT INTO business (id, name) VALUES (999999, 'Gone')");
  expect(await restore(file, target)).toMatchObject({ code: 1, stderr: expect.stringContaining("is not empty") });
  expect((await rows(target, "SELECT FROM business WHERE id = 999999")).length).toBe(1);
  await restored(file, target, "--replace");
  expect(readFileSync(join(target.DATA_DIR ?? "", "secret"), "utf8")).toBe(APP_SECRET);
  expect(await contentOf(target)).toEqual(await contentOf(source));
  expect(await schemaOf(target)).toEqual(await schemaOf(source));
  expect(await countersOf(target)).toEqual(await countersOf(source));
  expect((await rows(target, "SELECT FROM business WHERE id = 999999")).length).toBe(0);
  expect((await rows(target, "SELECT FROM payment")).length).toBeGreaterThan(0);
});

it("refuses a missing, truncated or changed backup, and a wrong passphrase or APP_SECRET, before it writes anything", async () => {
  const files = { plain: await plainBackup(), sealed: await sealedBackup() };
  const target = await emptyTarget();
  const damaged = join(folder, "damaged.tar");
  // tests/unit/backup-files.test.ts changes each bit, and cuts at each length.
  const [plain, sealed] = [readFileSync(files.plain), readFileSync(files.sealed)];
  sealed[sealed.length >> 1] = (sealed[sealed.length >> 1] ?? 0) ^ 4;
  for (const bytes of [plain.subarray(0, plain.length - 600), sealed]) {
    writeFileSync(damaged, bytes);
    const { code, stderr } = await restore(damaged, target);
    expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(/damaged\.tar cannot be restored: /)]);
  }
  const wrong = { ...target, BACKUP_PASSPHRASE: "incorrect horse battery" };
  expect(await restore(files.sealed, wrong)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The passphrase is wrong"),
  });
  const none = { ...target, BACKUP_PASSPHRASE: "" };
  expect(await restore(files.sealed, none)).toMatchObject({ code: 1, stderr: expect.stringContaining("is encrypted") });
  expect(await restore(files.plain, { ...target, APP_SECRET: otherSecret })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("APP_SECRET is not that"),
  });
  const missing = join(folder, "missing.tar");
  expect(await restore(missing, target)).toMatchObject({ code: 1, stderr: `${missing}: does not exist\n` });
  expect(await restore(folder, target)).toMatchObject({
    code: 1,
    stderr: `${folder} is a folder. Name a backup in it.\n`,
  });
  expect(await tablesOf(target)).toEqual([]);
});

it("migrates the backup of an older version forward, also for another APP_SECRET", async () => {
  const old = mkdtempSync(join(folder, "migrations-"));
  const names = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name) && name < "20261126010000");
  for (const name of names) cpSync(join("prisma/migrations", name), join(old, name), { recursive: true });
  const before = await emptyTarget();
  await migrate(before.DATABASE_MIGRATE_URL ?? "", old);
  await rows(before, "INSERT INTO business (id, name) VALUES (7, 'Old books')");
  await rows(
    before,
    "INSERT INTO package (id, business_id, livemode, name, amount_cents, currency, frequency) VALUES ('pkg_old', 7, false, 'Old', 1000, 'EUR', 'monthly')",
  );
  const target: Record<string, string> = { ...(await emptyTarget()), APP_SECRET: otherSecret };
  const printed = await restored(await backUp(before), target, "--other-secret");
  expect(printed).toContain("Migrated it forward: 20261126010000_search_everything, ");
  expect(await rows(target, "SELECT id, name, metadata FROM package")).toEqual([
    { id: "pkg_old", name: "Old", metadata: expect.anything() },
  ]);
  // The source's worker has made the months ahead.
  expect(await keepPartitions(undefined, { url: target.DATABASE_MIGRATE_URL })).toEqual([]);
  // Indexes of the partition that was the whole table are numbered in the order in which they were made.
  const unnumbered = async (settings: typeof source) =>
    (await schemaOf(settings)).map((text) => text.replace(/(_to_\d{4}_\d\d)_\d+/, "$1")).toSorted();
  expect(await unnumbered(target)).toEqual(await unnumbered(source));
});

it("leaves no file when it is interrupted, none with a final name when it is killed, and keeps as many as --keep says", async () => {
  await rows(
    source,
    "CREATE TABLE bulk AS SELECT i AS id, repeat(md5(i::text), 20) AS text FROM generate_series(1, 300000) i",
  );
  const to = mkdtempSync(join(folder, "killed-"));
  const partial = () => readdirSync(to).find((name) => existsSync(join(to, name)) && statSync(join(to, name)).size > 0);
  const interrupted = startCommand("backup", ["--to", to], source);
  await until("the file to grow", () => partial() !== undefined);
  interrupted.kill("SIGTERM");
  expect(await once(interrupted, "exit")).toEqual([143, null]);
  expect(readdirSync(to)).toEqual([]);
  const killed = startCommand("backup", ["--to", to], source);
  await until("the file to grow", () => partial() !== undefined);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(readdirSync(to)).toEqual([expect.stringMatching(/^\.paydesk-.*\.partial$/)]);
  await rows(source, "DROP TABLE bulk");
  const [left = ""] = readdirSync(to);
  const dayBefore = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(join(to, left), dayBefore, dayBefore);
  const missing = { ...source, DATABASE_MIGRATE_URL: `${source.DATABASE_MIGRATE_URL}_missing` };
  expect((await command("backup", ["--to", to], { env: missing })).code).toBe(1);
  expect(readdirSync(to)).toEqual([]);
  const older = ["paydesk-20200101T000000Z.tar", "paydesk-20200102T000000Z.tar"];
  const ahead = ["paydesk-20990101T000000Z.tar", "paydesk-20990102T000000Z.tar"];
  for (const name of [...older, ...ahead]) writeFileSync(join(to, name), "");
  const { code, stdout } = await command("backup", ["--to", to, "--keep", "3"], { env: source });
  const [made = "", ...kept] = readdirSync(to).toSorted();
  expect([code, made, kept]).toEqual([0, expect.stringMatching(/^paydesk-20[^/]*Z\.tar$/), ahead]);
  for (const name of older) expect(stdout).toContain(`Removed ${name}\n`);
  expect(stdout).toContain(`${made}: `);
  expect(await command("backup", ["--to", to, "--with-secret"], { env: source })).toMatchObject({ code: 2 });
});

it("works with the embedded PostgreSQL, also into a new data directory, and with APP_SECRET as a variable or in its file", async () => {
  const [from, to] = [mkdtempSync(join(folder, "from-")), join(folder, "embedded")];
  for (const path of [folder, from]) chmodSync(path, 0o755); // as root, PostgreSQL's user must be able to enter
  const own = { DATABASE_URL: "", DATABASE_MIGRATE_URL: "", APP_SECRET: "", BACKUP_PASSPHRASE };
  const withVariable = { ...own, DATA_DIR: from, APP_SECRET };
  let printed = "";
  const embedded = await launch(
    { DATA_DIR: from, APP_SECRET, DEMO: "empty", LOG_LEVEL: "error", MAX_POLL_MS: "300" },
    undefined,
    (text) => {
      printed += text;
    },
  );
  try {
    // The server is ready before its first business is created.
    await until("the first business", () => printed.includes("Test key"));
    expect(existsSync(await backUp(withVariable))).toBe(true);
    expect(existsSync(join(from, "secret"))).toBe(false);

    writeFileSync(join(from, "secret"), APP_SECRET);
    const file = await backUp({ ...own, DATA_DIR: from }, "--encrypt", "--with-secret");
    expect(await restored(file, { ...own, DATA_DIR: to })).toContain("Stored its APP_SECRET in ");
    expect(readFileSync(join(to, "secret"), "utf8")).toBe(APP_SECRET);
    const keys = await command("api-key", ["list", "--business", "1"], { env: { ...own, DATA_DIR: to } });
    expect(keys.stdout).toContain("test");
  } finally {
    await embedded.stop();
    removeDataDir(from);
    removeDataDir(to);
  }
});
