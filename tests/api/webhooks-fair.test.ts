import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { exampleOf } from "@/lib/resources/events/examples";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";
import { createEndpoint, createLinkEvent } from "@/tests/support/webhooks";

/** Receivers that accept requests and never respond, with the number of open requests. */
let hanging: Receiver;
const open = new Map<string, number>();
let merchants: Merchant[] = [];
beforeEach(async () => {
  open.clear();
  hanging = await startReceiver(({ path }, response: ServerResponse) => {
    open.set(path, (open.get(path) ?? 0) + 1);
    response.once("close", () => open.set(path, (open.get(path) ?? 0) - 1));
  });
});
afterEach(async () => {
  // Pending deliveries would continue during other tests.
  const business_id = { in: merchants.map(({ businessId }) => businessId) };
  await db.webhookEndpoint.updateMany({ where: { business_id }, data: { status: "disabled" } });
  await hanging.stop();
  merchants = [];
});

/** A business with the maximum of endpoints, which never respond, and nine events for each. */
async function flood(): Promise<Merchant> {
  const merchant = await createMerchant("Hangs");
  merchants.push(merchant);
  const { businessId } = merchant;
  for (let i = 0; i < 16; i++) await createEndpoint(merchant, `${hanging.url}/${businessId}/${i}`);
  const { data } = exampleOf("package.created");
  const events = Array.from({ length: 9 }, () => ({
    type: "package.created" as const,
    data: { ...data, _id: newId("pkg") } as never,
  }));
  await transaction(db, (tx) => record(tx, { businessId, livemode: false }, events));
  return merchant;
}

const openOf = ({ businessId }: Merchant): number =>
  [...open].reduce((sum, [path, count]) => (path.startsWith(`/hook/${businessId}/`) ? sum + count : sum), 0);

it("keeps delivering for other businesses when several businesses' receivers hang", async () => {
  // Without a limit, 512 attempts would be in flight: more than a process allows.
  const floods = await Promise.all(Array.from({ length: 4 }, flood));
  let maxOpen = 0;
  const watch = setInterval(() => {
    maxOpen = Math.max(maxOpen, ...floods.map(openOf));
  }, 10);
  await until("many under way", () => floods.every((merchant) => openOf(merchant) >= 30));

  const steady = await createMerchant("Answers");
  merchants.push(steady);
  const receiver = await startReceiver();
  await createEndpoint(steady, receiver.url);
  const begun = performance.now();
  await createLinkEvent(steady);
  await until("the others' delivery", () => receiver.received[0]);
  const waited = performance.now() - begun;
  clearInterval(watch);
  await receiver.stop();
  // At the next poll, not after the 15 seconds of the hanging attempts.
  expect(waited).toBeLessThan(5_000);
  expect(maxOpen).toBeLessThanOrEqual(40);
  expect(Math.max(...open.values())).toBeLessThanOrEqual(8);
});
