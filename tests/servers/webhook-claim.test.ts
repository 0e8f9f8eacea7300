import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { type Launched, launch } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";
import { createEndpoint, createLinkEvent, deliveriesTo, makeDeliveriesDue } from "@/tests/support/webhooks";

let server: Launched;
let receiver: Receiver;
let merchant: Merchant;
let owner: Client;

beforeAll(async () => {
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  Object.assign(process.env, settings);
  receiver = await startReceiver();
  server = await launch({ ...settings, WEBHOOKS_ALLOW_LOCALHOST: "1", MAX_POLL_MS: "300" }, () => ["dist/main.mjs"]);
  process.env.TEST_URL = server.url;
  owner = new Client({ connectionString: ownerUrl(settings.DATABASE_URL) });
  await owner.connect();
  merchant = await createMerchant();
});
afterAll(async () => {
  await owner?.end();
  await server?.stop();
  await disconnect();
  await receiver?.stop();
});

it("delivers soon after the events of claimed deliveries could not be read, and records no attempt for that", async () => {
  receiver.answer = (_, response) => response.writeHead(500).end();
  const { id } = await createEndpoint(merchant, receiver.url);
  await createLinkEvent(merchant);
  await until("a failed attempt", async () => (await deliveriesTo(id))[0]?.attempts.length === 1);
  receiver.answer = (_, response) => response.end();

  await owner.query("BEGIN; LOCK TABLE event");
  await makeDeliveriesDue(id);
  await sleep(2_500); // a statement waits at most a second for a lock
  await owner.query("COMMIT");

  const delivered = await until("the delivery", async () =>
    (await deliveriesTo(id)).find(({ status }) => status === "succeeded"),
  );
  expect(delivered.attempts.map(({ status }) => status)).toEqual([500, 200]);
});
