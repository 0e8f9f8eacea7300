import { afterAll, beforeAll, expect, it } from "vitest";
import { mapConcurrently } from "@/tests/faults/map-concurrently";
import { type Rig, startRig } from "@/tests/faults/rig";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { insertPayment } from "@/tests/support/paid";
import { create } from "@/tests/support/samples";

// What one caller may make expensive must not slow down the others.

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function receipts(key: string, count: number): Promise<string[]> {
  return mapConcurrently(6, Array.from({ length: count }), async (_, index) => {
    const id = await create(key, "payment_links", { title: `Order ${index}` });
    const payment = await insertPayment({ _id: id });
    const { receipt_url } = (await call("GET", `/payments/${payment}`, { key })).json.data;
    return `${receipt_url}/pdf`;
  });
}

it("answers other requests while sixteen readers fetch receipts as PDF", async () => {
  const { key } = await createMerchant();
  const { key: neighbour } = await createMerchant("Neighbour");
  const urls = await receipts(key, 40);
  const time = async (): Promise<number> => {
    const started = performance.now();
    expect((await call("GET", "/packages", { key: neighbour })).status).toBe(200);
    return performance.now() - started;
  };
  const alone = median(await inTurn(20, time));
  let reading = true;
  let next = 0;
  const seen = new Map<number, number>();
  const readers = Array.from({ length: 16 }, async () => {
    for (let url = urls[next++]; reading && url; ) {
      const reply = await fetch(url);
      await reply.arrayBuffer();
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
      if (reply.status === 200) url = urls[next++];
      else await new Promise((resolve) => setTimeout(resolve, 50));
      if (reply.status === 503) expect(reply.headers.get("retry-after")).toBe("2");
    }
  });
  const beside = median(await inTurn(20, time));
  reading = false;
  await Promise.all(readers);
  console.log(`neighbour's median: ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside readers`, seen);
  expect([...seen.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(seen.get(200)).toBeGreaterThan(0);
  expect(seen.get(503)).toBeGreaterThan(0);
  expect(beside).toBeLessThan(Math.max(100, 5 * alone)); // rendering in the same thread makes it seventeen times
});

it("keeps a rendered receipt, also while it is rendered", async () => {
  const { key } = await createMerchant();
  const [url = ""] = await receipts(key, 1);
  const all = await Promise.all(Array.from({ length: 40 }, async () => (await fetch(url)).arrayBuffer()));
  const [first, ...others] = all.map((bytes) => Buffer.from(bytes));
  expect(first?.subarray(0, 5).toString()).toBe("%PDF-");
  expect(others.every((bytes) => bytes.equals(first as Buffer))).toBe(true);
});

const inTurn = async <T>(count: number, work: () => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let i = 0; i < count; i++) results.push(await work());
  return results;
};
