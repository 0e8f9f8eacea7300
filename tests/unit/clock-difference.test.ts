import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { clockFinding } from "@/server/doctor/installation";

/** How far the clock of Stripe's server is ahead of this machine's. */
let stripeAheadMs = 0;
const server = createServer((_, response) => {
  response.writeHead(200, {
    "Content-Type": "application/json",
    Date: new Date(Date.now() + stripeAheadMs).toUTCString(),
  });
  response.end("{}");
});
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void server.close());

let request: () => Promise<unknown>;
const warnings: string[] = [];
beforeEach(async () => {
  vi.resetModules(); // the hour between two warnings
  warnings.length = 0;
  const { log } = await import("@/lib/core/log");
  vi.spyOn(log, "warn").mockImplementation((text: unknown) => void warnings.push(String(text)));
  const { retryingClient } = await import("@/lib/gateways/stripe/retries");
  const { port } = server.address() as AddressInfo;
  const where = { host: "127.0.0.1", port, protocol: "http", httpClient: retryingClient() } as const;
  const stripe = new Stripe("sk_test_0123456789", where);
  request = () => stripe.accounts.retrieveCurrent();
});

it.each([
  [400, /^the clock of this machine is \d{3} seconds behind the gateway's$/],
  [-400, /^the clock of this machine is \d{3} seconds ahead of the gateway's$/],
])("warns once if Stripe's clock is %i seconds ahead", async (seconds, text) => {
  stripeAheadMs = seconds * 1000;
  await request();
  await request();
  expect(warnings).toEqual([expect.stringMatching(text)]);
});

it("does not warn of a small difference", async () => {
  stripeAheadMs = 30_000;
  await request();
  expect(warnings).toEqual([]);
});

it("names the direction in the doctor's finding", () => {
  const says = (behindMs: number) => clockFinding("Stripe's", behindMs).says;
  expect([says(312_340), says(-61_000), says(2_000)]).toEqual([
    "The clock of this machine is 312.3 seconds behind Stripe's",
    "The clock of this machine is 61.0 seconds ahead of Stripe's",
    "Stripe's clock agrees",
  ]);
});
