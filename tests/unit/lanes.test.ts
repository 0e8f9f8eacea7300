import { expect, it } from "vitest";
import { evenShares, type LaneState, startLanes } from "@/lib/core/lanes";
import { shareDeliveries } from "@/lib/outbox/webhooks/deliver";

const lane = (key: string, over: Partial<LaneState> = {}): LaneState => ({
  key,
  group: "1",
  inFlight: 0,
  waitingSince: performance.now(),
  failing: false,
  slow: false,
  ...over,
});

it("gives each lane one item in turn", () => {
  expect([...evenShares([lane("a"), lane("b"), lane("c")], 4)]).toEqual([
    ["a", 2],
    ["b", 1],
    ["c", 1],
  ]);
  expect(evenShares([], 4).size).toBe(0);
  expect(evenShares([lane("a")], -1).size).toBe(0);
});

it("gives a failing endpoint one attempt at a time, and a healthy one eight", () => {
  const lanes = [lane("failing", { failing: true }), lane("healthy", { group: "2" })];
  expect(Object.fromEntries(shareDeliveries(lanes, lanes))).toEqual({ failing: 1, healthy: 8 });
});

it("reserves attempts for other businesses when many endpoints are slow", () => {
  const slow = Array.from({ length: 20 }, (_, index) =>
    lane(`slow ${index}`, { group: `${100 + index}`, slow: true, inFlight: 10 }),
  );
  const healthy = lane("healthy", { group: "1" });
  const share = shareDeliveries([...slow, healthy], [...slow, healthy]);
  expect(Object.fromEntries(share)).toEqual({ healthy: 8 });
});

/** A queue in memory: items by lane; `run` does what the test wants. */
function memoryQueue(
  items: Record<string, string[]>,
  run: (item: string) => Promise<object>,
  { capacity, pollMs } = { capacity: 2, pollMs: 20 },
) {
  return startLanes<{ lane: { key: string; group: string }; item: string }>({
    name: "test",
    pollMs,
    graceMs: 1_000,
    findDue: async () => Object.entries(items).flatMap(([key, rest]) => (rest.length > 0 ? [{ key, group: key }] : [])),
    share: (ready, all) => evenShares(ready, capacity - all.reduce((sum, { inFlight }) => sum + inFlight, 0)),
    claim: async (wanted) =>
      [...wanted].flatMap(([key, count]) =>
        (items[key] ?? []).splice(0, count).map((item) => ({ lane: { key, group: key }, item })),
      ),
    run: ({ item }) => run(item),
  });
}

it("continues with the next item after a failed one", async () => {
  const done: string[] = [];
  const items = { a: ["a1", "broken", "a3"], b: ["b1"] };
  const stop = memoryQueue(items, async (item) => {
    if (item === "broken") throw new Error("broken");
    done.push(item);
    return {};
  });
  await expect.poll(() => done.toSorted()).toEqual(["a1", "a3", "b1"]);
  await stop();
});

it("claims nothing until the next poll when a shared dependency is unavailable", async () => {
  let runs = 0;
  const items = { a: Array.from({ length: 50 }, (_, index) => `a${index}`) };
  const begun = performance.now();
  const stop = memoryQueue(items, async () => {
    runs++;
    return { away: true };
  });
  await expect.poll(() => runs).toBeGreaterThanOrEqual(6);
  // At most two a look, and a look every 20 ms.
  expect(runs).toBeLessThanOrEqual(2 * (1 + (performance.now() - begun) / 20));
  await stop();
});

it("takes turns between lanes, however long their items take and however many one lane has", async () => {
  const done: string[] = [];
  const lane = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);
  const items = { long: lane("long", 400), short: lane("short", 30) };
  const stop = memoryQueue(
    items,
    async (item) => {
      await new Promise((resolve) => setTimeout(resolve, item.startsWith("short") ? 40 : 5));
      done.push(item);
      return {};
    },
    { capacity: 10, pollMs: 60_000 },
  );
  await expect.poll(() => done.filter((item) => item.startsWith("short")).length, { timeout: 10_000 }).toBe(30);
  // One of each in turn, and the ten in flight.
  expect(done.findLastIndex((item) => item.startsWith("short"))).toBeLessThan(90);
  await stop();
});

it("stops only when nothing is in flight", async () => {
  let ended = false;
  const stop = memoryQueue({ a: ["a1"] }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    ended = true;
    return {};
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await stop();
  expect(ended).toBe(true);
});
