import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { bounded } from "@/lib/core/bounded";

it("runs so many at once, lets so many wait, and refuses the others", async () => {
  const run = bounded({ running: 2, waiting: 3 });
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await sleep(5);
    running--;
  };
  const ends = await Promise.allSettled(Array.from({ length: 7 }, () => run(work)));
  expect(ends.map(({ status }) => status)).toEqual([...Array(5).fill("fulfilled"), "rejected", "rejected"]);
  expect(ends[6]).toMatchObject({ reason: { status: 503, headers: { "Retry-After": "2" } } });
  expect(most).toBe(2);
  await expect(run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await run(async () => "again")).toBe("again");
});
