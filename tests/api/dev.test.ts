import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Launched, launch } from "@/tests/support/launch";
import { databaseUrl, ownerUrl } from "@/tests/support/postgres";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";

// Runs `npm run dev` on its own database in this run's PostgreSQL.
const database = `dev_${randomBytes(6).toString("hex")}`;
const dataDir = mkdtempSync(join(tmpdir(), "paydesk-dev-"));
let postgres: Client;
let receiver: Receiver;
let dev: Launched;
let printed = "";

beforeAll(async () => {
  postgres = new Client(ownerUrl(process.env.DATABASE_URL ?? ""));
  await postgres.connect();
  await postgres.query(`CREATE DATABASE ${database}`);
  receiver = await startReceiver();
  const DATABASE_URL = databaseUrl(process.env.DATABASE_URL ?? "", database);
  const settings = {
    ...{ DATABASE_URL, DATABASE_MIGRATE_URL: ownerUrl(DATABASE_URL) },
    DATA_DIR: dataDir,
    DEMO: "1",
  };
  const program = () => ["scripts/dev.mjs"];
  dev = await launch(settings, program, (text) => {
    printed += text;
  });
});
afterAll(async () => {
  const how = await dev?.stop();
  await receiver?.stop();
  await postgres.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await postgres.end();
  rmSync(dataDir, { recursive: true });
  expect(how).toBe(0);
});

async function api(method: string, path: string, body?: object) {
  const key = /Test key +(\S+)/.exec(printed)?.[1];
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(`${dev.url}/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  return (await response.json()).data;
}

it("delivers webhooks and mails like npm start", async () => {
  await until("the login", () => printed.includes("Test key"), 60);
  const { secret } = await api("POST", "/webhook-endpoints", { url: receiver.url });
  const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order", send_email: true };
  const { _id } = await api("POST", "/payment-links", link);
  const event = await until("the webhook", () => receiver.received.find(({ body }) => body.includes(_id)));
  expect(receiver.verify(secret, event)).toMatchObject({ type: "payment_link.created" });
  const mails = () => api("GET", "/emails");
  await until("the mail", async () => (await mails()).some(({ status }: { status: string }) => status === "outbox"));
});

it("serves Next's pages through the front server", async () => {
  const response = await fetch(`${dev.url}/icon.svg`);
  expect(await response.text()).toBe(readFileSync("public/icon.svg", "utf8"));
  expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
});

it("restarts the server after a source change without refusing a request", async () => {
  // Each on its own connection: the old server rightly closes those that it kept.
  const status = async (path: string) => {
    const [response] = (await once(get(dev.url + path, { agent: false }), "response")) as [IncomingMessage];
    return response.resume().statusCode;
  };
  const { atime } = statSync("server/router.ts");
  utimesSync("server/router.ts", atime, new Date());
  await until("the reload", async () => {
    expect(await status("/healthz")).toBe(200);
    return printed.includes("Reloaded.");
  });
  expect(await status("/readyz")).toBe(200);
});

it("writes the demo business's login to a file that only its user can read", async () => {
  const file = join(dataDir, "demo-login.txt");
  expect(printed).toContain(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(printed).toContain(/^Password +(\S+)$/m.exec(readFileSync(file, "utf8"))?.[1]);
});
