import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { isDatabaseAway } from "@/lib/core/database-error";
import { db, execute, pool, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { connectAccount, findAccount } from "@/lib/gateways/accounts";
import { Prisma } from "@/lib/generated/prisma/client";
import { keepPartitions, monthStart } from "@/server/partitions";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { prune } from "@/server/prune";
import { age } from "@/tests/faults/judge";
import { postPayment } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { type Launched, launch, paydeskWeb } from "@/tests/support/launch";
import { plantSession, testPasswordHash } from "@/tests/support/session";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";

// A PostgreSQL of its own, whose commits wait for a standby that does not exist.
let dataDir: string;
let postgres: Awaited<ReturnType<typeof ensurePostgres>>;
let servers: Launched[] = [];
let owner: Client;
let stripe: StripeFake;
let key: string;
let businessId: number;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
  chmodSync(dataDir, 0o755);
  postgres = await ensurePostgres(dataDir);
  owner = new Client({ connectionString: postgres.ownerUrl, application_name: "test" });
  await owner.connect();
  stripe = await startStripeFake();
  const settings = {
    DATABASE_URL: postgres.url,
    DATABASE_MIGRATE_URL: postgres.ownerUrl,
    APP_SECRET: randomBytes(32).toString("base64url"),
    APP_URL: "http://localhost:9", // the halves must agree on it
    STRIPE_API_URL: stripe.url,
    RATE_LIMIT_PER_MINUTE: "1000000",
    LOG_LEVEL: "silent",
  };
  servers = [await launch(settings, paydeskWeb), await launch(settings, paydeskWeb)];
  Object.assign(process.env, settings, { TEST_URL: servers[0]?.url });
  ({ key, businessId } = await createMerchant());
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await stripe?.close();
  await owner?.end();
  await postgres?.stop();
  removeDataDir(dataDir);
});

const standbyLeaves = () => setStandbys("missing");
const standbyReturns = () => setStandbys("");

async function setStandbys(names: string): Promise<void> {
  await owner.query("SET synchronous_commit = local");
  await owner.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await owner.query("SELECT pg_reload_conf()");
  const shown = () => owner.query("SHOW synchronous_standby_names").then(({ rows }) => Object.values(rows[0]).join());
  await expect.poll(shown).toBe(names);
}

afterEach(async () => {
  await standbyReturns();
  await backToWrites();
});

const body = (reference = randomUUID().slice(0, 20)) => ({
  email: "ada@example.com",
  currency: "EUR",
  amount: "1050",
  title: "Order 1001",
  reference,
});

async function timed<T extends { status: number }>(work: () => Promise<T>): Promise<T & { ms: number }> {
  const begun = performance.now();
  return { ...(await work()), ms: performance.now() - begun };
}

const create = (headers: Record<string, string> = {}, reference?: string) =>
  timed(() => call("POST", "/payment-links", { key, body: body(reference), headers }));

/** Waits until both servers and this process write again. */
async function backToWrites(): Promise<void> {
  for (const { url } of servers) {
    process.env.TEST_URL = url;
    await expect.poll(async () => (await create()).status).toBe(200);
  }
  process.env.TEST_URL = servers[0]?.url;
  const written = () =>
    db.business.update({ where: { id: businessId }, data: { name: "Ada's" } }).then(Boolean, () => false);
  await expect.poll(written).toBe(true);
}

it("answers writes with 503 within 3 s while no standby confirms them, and goes on reading", async () => {
  const made = await create();
  const id: string = made.json.data._id;
  const user = {
    id: newId("usr"),
    email: `${randomUUID()}@example.com`,
    name: "Ada",
    password_hash: await testPasswordHash(),
  };
  await db.user.create({ data: { ...user, memberships: { create: { business_id: businessId, role: "owner" } } } });
  const cookie = await plantSession(user.id, businessId);
  const staff = { headers: { Cookie: `${cookie.name}=${cookie.value}` } };
  const read = (path: string) =>
    timed(() =>
      fetch(`${process.env.TEST_URL}${path}`, staff).then(async (reply) => ({
        status: reply.status,
        text: await reply.text(),
      })),
    );
  // Its next request writes when it was seen.
  await db.session.updateMany({ where: { user_id: user.id }, data: { last_seen_at: new Date(Date.now() - 120_000) } });
  await standbyLeaves();

  const answers: { write: boolean; status: number; ms: number; retryAfter: string | null }[] = [];
  const ends = Date.now() + 5_000;
  const note = (write: boolean, { status, ms }: { status: number; ms: number }, headers?: Headers) =>
    answers.push({ write, status, ms, retryAfter: headers?.get("retry-after") ?? null });
  async function writeOn() {
    for (let turn = 0; Date.now() < ends || turn < 3; turn++) {
      const key = { "Idempotency-Key": randomUUID() };
      const reply =
        turn % 3 === 0 ? await timed(() => postPayment(id, 1050, "EUR")) : await create(turn % 3 === 1 ? key : {});
      note(true, reply, reply.headers);
      await sleep(100);
    }
  }
  async function readOn() {
    const reads = [
      () => timed(() => call("GET", `/payment-links/${id}`, { key })),
      () => timed(() => call("GET", "/payment-links", { key })),
      () => read("/api/payment-links"),
      () => read(`/pay?id=${id}`),
    ];
    for (let turn = 0; Date.now() < ends || turn < 12; turn++) {
      note(false, await (reads[turn % reads.length] as (typeof reads)[0])());
      await sleep(100);
    }
  }
  await Promise.all([...Array.from({ length: 12 }, writeOn), readOn(), readOn(), readOn()]);

  const wrote = answers.filter(({ write }) => write);
  // 409: the first payer's attempt has an unknown outcome, so it blocks the others.
  expect(wrote.filter(({ status, retryAfter }) => status !== 409 && (status !== 503 || !retryAfter))).toEqual([]);
  // As many as there are writers; how many more depends on the machine.
  expect(wrote.filter(({ status }) => status === 503).length).toBeGreaterThan(11);
  const reads = answers.filter(({ write }) => !write);
  expect(reads.length).toBeGreaterThan(30);
  expect(reads.filter(({ status }) => status !== 200)).toEqual([]);
  // A few may be late on a busy machine. Without the limit of a commit's wait, each write is.
  expect(answers.filter(({ ms }) => ms > 3_000).length).toBeLessThan(answers.length / 10);
  expect(await fetch(`${process.env.TEST_URL}/readyz`).then(({ status }) => status)).toBe(200);
  const waiting =
    "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'paydesk' AND wait_event = 'SyncRep'";
  expect((await owner.query(waiting)).rows[0].count).toBeLessThanOrEqual(4);

  await standbyReturns();
  await backToWrites();
  // The attempt that no standby had confirmed never reached the gateway. The payer's next visit settles it. Then the link can be
  // paid.
  const pay = async () => {
    await age(businessId);
    await read(`/pay?id=${id}`);
    return (await postPayment(id, 1050, "EUR")).location.split("?")[0];
  };
  await expect.poll(pay, { interval: 300 }).toBe("/thank-you");
  const charges = { account: String(businessId), status: "succeeded" };
  expect(await db.sandboxCharge.count({ where: charges })).toBe(1);
});

it("does not acknowledge a commit whose wait was cancelled, and repeats its answer only once a standby has it", async () => {
  const headers = { "Idempotency-Key": randomUUID() };
  const reference = randomUUID().slice(0, 20);
  await standbyLeaves();
  expect((await create(headers, reference)).status).toBe(503);
  // Another process, which has not noticed that the standby is away, finds the row and the stored answer.
  process.env.TEST_URL = servers[1]?.url;
  const rows = () => db.paymentLink.count({ where: { business_id: businessId, reference } });
  expect(await rows()).toBe(1);
  expect((await create(headers, reference)).status).toBe(503);
  await standbyReturns();
  await backToWrites();
  const again = await create(headers, reference);
  expect(again.status).toBe(200);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await rows()).toBe(1);
});

it("opens no connection for refused writes", async () => {
  const write = () => execute(db, Prisma.sql`UPDATE business SET name = 'Ada''s' WHERE id = ${businessId}`);
  const refused = (work: () => Promise<unknown>) => work().then(() => false, isDatabaseAway);
  await standbyLeaves();
  expect(await refused(write)).toBe(true); // the first one waits for the standby
  let opened = 0;
  const count = () => opened++;
  pool().on("connect", count);
  const update = () => db.business.update({ where: { id: businessId }, data: { name: "Ada's" } });
  for (let turn = 0; turn < 10; turn++) expect([await refused(write), await refused(update)]).toEqual([true, true]);
  pool().off("connect", count);
  expect(opened).toBeLessThan(2); // the first write's connection was closed
});

it("fails each kind of commit whose wait an administrator cancels", async () => {
  const update = { where: { id: businessId }, data: { name: "Ada's books" } };
  const kinds: Record<string, () => Promise<unknown>> = {
    "a model": () => db.business.update(update),
    "a transaction": () => transaction(db, (tx) => tx.business.update(update)),
    "raw SQL": () => db.$executeRaw`UPDATE business SET name = 'Ada''s' WHERE id = ${businessId}`,
  };
  for (const [kind, write] of Object.entries(kinds)) {
    await standbyLeaves();
    const outcome = write().then(
      () => "acknowledged",
      (error: unknown) => (isDatabaseAway(error) ? "unknown" : error),
    );
    const cancelled = () =>
      owner
        .query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        .then(({ rowCount }) => rowCount);
    await expect.poll(cancelled, { interval: 20 }).toBe(1);
    expect([kind, await outcome]).toEqual([kind, "unknown"]);
    await standbyReturns();
    await backToWrites();
  }
});

it("keeps the webhook endpoint of a gateway account whose commit no standby has confirmed", async () => {
  const { id: external_id, secretKey } = stripe.account();
  await standbyLeaves();
  const connected = connectAccount({ businessId, livemode: false, secretKey });
  expect(await connected.then(() => false, isDatabaseAway)).toBe(true);
  const { id } = await db.gatewayAccount.findFirstOrThrow({ where: { external_id } });
  expect((await findAccount(id))?.webhookSecret).toMatch(/^whsec_/); // that of the only endpoint that was created
  const endpoints = async () => (await stripe.client(secretKey).webhookEndpoints.list()).data;
  const [kept, ...more] = await endpoints();
  expect([kept?.metadata.paydesk_account, more]).toEqual([id, []]);
  await standbyReturns();
  await backToWrites();
  await connectAccount({ businessId, livemode: false, secretKey });
  const after = await endpoints();
  expect(after).toHaveLength(1);
  expect(after[0]?.id).not.toBe(kept?.id);
});

it("makes months and prunes without waiting for a standby, so that neither keeps its locks", async () => {
  await owner.query("INSERT INTO rate_limit (key, points, expire) VALUES ('expired', 1, 0)");
  await standbyLeaves();
  const cleaned = Promise.all([
    keepPartitions(undefined, { url: postgres.ownerUrl, now: monthStart(new Date(), 1) }),
    prune(),
  ]);
  const waits = sleep(8_000, "waits for the standby", { ref: false });
  expect(await Promise.race([cleaned, waits])).toEqual([[], undefined]);
  const left = "SELECT FROM rate_limit WHERE key = 'expired'";
  expect((await owner.query(left)).rowCount).toBe(0);
});
