import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { freePort, type Launched, launch } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { manyMails, startSmtp } from "@/tests/support/smtp";
import { createEndpoint, createLinkEvent, deliveriesTo, makeDeliveriesDue } from "@/tests/support/webhooks";

// Two web processes and a worker on an empty database of their own.

let settings: Record<string, string>;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let receiver: Receiver;
let webs: Launched[] = [];
let worker: Launched | undefined;
let merchant: Merchant;
let endpoint: string;

/** Milliseconds in which every loop of a worker would look for due work several times (MAX_POLL_MS). */
const someLooks = 1_000;
const silent = () => undefined;
const half = (role: "web" | "worker", over: Record<string, string> = {}) =>
  launch({ ...settings, ...over }, () => ["dist/main.mjs", role], silent);
/** Which of the two web processes the test's calls go to from here on. */
const at = (index: number) => {
  process.env.TEST_URL = webs[index]?.url;
};

beforeAll(async () => {
  let DATABASE_URL: string;
  [DATABASE_URL, smtp, receiver] = await Promise.all([createDatabase({ empty: true }), startSmtp(), startReceiver()]);
  const port = await freePort();
  settings = {
    DATABASE_URL,
    DATABASE_MIGRATE_URL: ownerUrl(DATABASE_URL),
    APP_SECRET: randomBytes(32).toString("base64url"),
    APP_URL: `http://localhost:${port}`,
    ...manyMails,
    SMTP_URL: smtp.url,
    MAIL_FROM: "desk@paydesk.example",
    WEBHOOKS_ALLOW_LOCALHOST: "1",
    TRUST_PROXY: "1",
  };
  Object.assign(process.env, { DATABASE_URL, APP_SECRET: settings.APP_SECRET });
  // All at once, on a database without a table.
  const [first, second, third] = await Promise.all([half("web", { PORT: String(port) }), half("web"), half("worker")]);
  webs = [first, second];
  worker = third;
  at(0);
  merchant = await createMerchant();
  endpoint = (await createEndpoint(merchant, receiver.url)).id;
});
afterAll(async () => {
  await Promise.all([...webs, worker].map((process) => process?.stop()));
  await Promise.all([smtp?.stop(), receiver?.stop()]);
});

const liveLink = (email: string) => create(merchant.liveKey, "payment_links", { email, send_email: true });
const mailTo = (email: string) =>
  until(`a mail to ${email}`, () => smtp.delivered.find(({ to }) => to.includes(email)));
const eventOf = (link: string) =>
  until(`the event of ${link}`, () => receiver.received.find(({ body }) => body.includes(link)));

it("migrates once when several processes start at the same time", async () => {
  const folders = readdirSync("prisma/migrations").filter((name) => /^\d/.test(name));
  const rows = await db.$queryRaw<{ name: string; done: boolean }[]>`
    SELECT migration_name AS name, finished_at IS NOT NULL AND rolled_back_at IS NULL AS done
      FROM _prisma_migrations ORDER BY 1`;
  expect(rows).toEqual(folders.sort().map((name) => ({ name, done: true })));
});

it("sends mails and webhooks from the worker for a change on one web process, visible on the other", async () => {
  at(0);
  const live = await liveLink("ada@example.com");
  expect((await mailTo("ada@example.com")).mail.text).toContain(`${settings.APP_URL}/pay?id=${live}`);
  const link = await create(merchant.key, "payment_links");
  await eventOf(link);
  at(1);
  expect((await call("GET", `/payment-links/${live}`, { key: merchant.liveKey })).json.data._id).toBe(live);
  await payAt(`/pay?id=${link}`);
  expect((await call("GET", `/payment-links/${link}`, { key: merchant.key })).json.data.paid).toBe(true);
  // The sandbox's callback goes from the worker to a web process, at APP_URL.
  await until("the sandbox's callbacks", async () => (await db.sandboxCallback.count()) === 0);
});

it("delivers soon after the events of claimed deliveries could not be read, and records no attempt for that", async () => {
  at(0);
  receiver.answer = (_, response) => response.writeHead(500).end();
  const shop = await createMerchant();
  const { id } = await createEndpoint(shop, receiver.url);
  await createLinkEvent(shop);
  await until("a failed attempt", async () => (await deliveriesTo(id))[0]?.attempts.length === 1);
  receiver.answer = (_, response) => response.end("ok");

  const owner = new Client(settings.DATABASE_MIGRATE_URL ?? "");
  await owner.connect();
  try {
    await owner.query("BEGIN; LOCK TABLE event");
    await makeDeliveriesDue(id);
    await sleep(2_500); // a statement waits at most a second for a lock
    await owner.query("COMMIT");
  } finally {
    await owner.end();
  }

  const delivered = await until("the delivery", async () =>
    (await deliveriesTo(id)).find(({ status }) => status === "succeeded"),
  );
  expect(delivered.attempts.map(({ status }) => status)).toEqual([500, 200]);
});

it("serves only health checks on the worker's port", async () => {
  const answers = await Promise.all(
    ["/healthz", "/readyz", "/", "/login", "/api/payment-links", "/api/openapi.json", "/pay"].map((path) =>
      fetch(`${worker?.url}${path}`, { redirect: "manual" }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404, 404, 404]);
});

it("continues with another worker after one is killed", async () => {
  at(0);
  receiver.answer = silent; // never
  const begun = await create(merchant.key, "payment_links");
  const { id } = await eventOf(begun);
  await worker?.kill();
  worker = undefined;
  receiver.answer = (_, response) => response.end("ok");
  // What is asked for while there is none waits.
  const link = await create(merchant.key, "payment_links");
  const live = await liveLink("grace@example.com");
  await sleep(someLooks);
  expect(receiver.received.filter(({ body }) => body.includes(link))).toEqual([]);
  worker = await half("worker");
  await eventOf(link);
  expect((await mailTo("grace@example.com")).mail.text).toContain(live);
  // What the dead one had claimed comes again when its claim ends, with the same id.
  await db.webhookDelivery.updateMany({ where: { event_id: id }, data: { next_attempt_at: new Date() } });
  await until("the interrupted delivery", () => receiver.received.filter((one) => one.id === id).length === 2);
  const [delivery] = (await deliveriesTo(endpoint)).filter(({ event_id }) => event_id === id);
  expect(delivery?.attempts.map(({ error }) => error)[0]).toMatch(/^Paydesk was stopped during the attempt/);
});

it("runs no jobs in the web process", async () => {
  at(1);
  expect(await worker?.stop()).toBe(0);
  worker = undefined;
  const body = { name: "Club", amount: "1500", currency: "EUR", frequency: "monthly", date_charge_start: "2026-01-31" };
  const plan = await call("POST", "/packages", { key: merchant.key, body });
  const subscription = await call("POST", "/subscriptions", {
    key: merchant.key,
    body: { email: "ada@example.com", package_id: plan.json.data._id },
  });
  const { _id } = subscription.json.data;
  const clock = await call("POST", "/test-clock", {
    key: merchant.key,
    body: { to: new Date(Date.now() + 40 * 86_400_000).toISOString() },
  });
  expect([plan.status, subscription.status, clock.status]).toEqual([200, 200, 200]);
  const live = await liveLink("mary@example.com");
  const before = receiver.received.length;
  await sleep(someLooks);
  const read = async () => ({
    mail: await db.email.findFirst({
      where: { payment_link_id: live },
      select: { status: true, attempt_count: true },
    }),
    links: await db.paymentLink.count({ where: { subscription_id: _id } }),
    clock: (await call("GET", "/test-clock", { key: merchant.key })).json.data.status,
    told: receiver.received.length - before,
  });
  expect(await read()).toEqual({
    mail: { status: "queued", attempt_count: 0 },
    links: 0,
    clock: "advancing",
    told: 0,
  });
  // All of it waits for a worker, and for nothing else.
  worker = await half("worker");
  await mailTo("mary@example.com");
  const done = await until("the clock", async () => {
    const now = await read();
    return now.clock === "ready" && now.told > 0 && now;
  });
  expect(done.links).toBeGreaterThan(0);
});

it("prints the settings that a role needs, and exits", async () => {
  const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, DATABASE_URL: settings.DATABASE_URL };
  const run = async (args: string[], over: Record<string, string> = {}) => {
    const child = spawn(process.execPath, ["dist/main.mjs", ...args], { env: { ...env, ...over } });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, "close");
    return { code, said };
  };
  const [web, worker, noSecret, neither] = await Promise.all([
    run(["web"], { DATABASE_URL: "" }),
    run(["worker"], { DATABASE_URL: "" }),
    run(["worker"], { APP_URL: "http://localhost:3000" }),
    run(["both"]),
  ]);
  expect([web.code, worker.code, noSecret.code, neither.code]).toEqual([1, 1, 1, 1]);
  for (const [role, { said }] of Object.entries({ web, worker }))
    expect(said).toMatch(new RegExp(`npm run ${role} is one of several.*DATABASE_URL .*APP_SECRET .*APP_URL`, "s"));
  expect(noSecret.said).toMatch(/\n {2}APP_SECRET /);
  expect(noSecret.said).not.toMatch(/\n {2}(DATABASE_URL|APP_URL) /);
  expect(neither.said).toContain("Unknown role both");
});
