import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { batched } from "@/lib/core/batch";
import { Scope } from "@/lib/core/scope";

/** Doubles numbers, and refuses a batch with a negative one as a whole. */
function doubling() {
  const batches: number[][] = [];
  const double = batched(async (numbers: number[]) => {
    batches.push(numbers);
    await sleep(5);
    if (numbers.some((number) => number < 0)) throw new Error("negative");
    return numbers.map((number) => number * 2);
  });
  return { double, batches };
}

it("simultaneous calls share a batch, and each gets its own result", async () => {
  const { double, batches } = doubling();
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2, 3]]);
});

it("a call that no other one joins starts at once, and further calls collect while two batches run", async () => {
  const { double, batches } = doubling();
  const all: Promise<number>[] = [];
  for (const number of [1, 2, 3, 4, 5]) {
    all.push(double(number));
    await sleep(0); // another turn of the event loop
  }
  await Promise.all(all);
  expect(batches.flat()).toEqual([1, 2, 3, 4, 5]);
  expect(batches.slice(0, 2)).toEqual([[1], [2]]);
});

it("a batch has at most fifty items", async () => {
  const { double, batches } = doubling();
  const numbers = Array.from({ length: 120 }, (_, index) => index);
  expect(await Promise.all(numbers.map(double))).toEqual(numbers.map((number) => number * 2));
  expect(batches.map(({ length }) => length)).toEqual([50, 50, 20]);
});

it("after a failure each item runs alone: one bad item fails alone", async () => {
  const { double, batches } = doubling();
  const results = await Promise.allSettled([1, -2, 3].map(double));
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : "failed"))).toEqual([2, "failed", 6]);
  expect(batches).toEqual([[1, -2, 3], [1], [-2], [3]]);
  await expect(double(-1)).rejects.toThrow("negative");
});

it("a call in a scope runs alone, and within the scope", async () => {
  const scope = new Scope<string>();
  const seen: (string | undefined)[] = [];
  const note = batched(async (names: string[]) => {
    seen.push(scope.get());
    return names;
  });
  await Promise.all([scope.run("a", () => note("1")), scope.run("b", () => note("2")), note("3"), note("4")]);
  expect(seen.toSorted()).toEqual(["a", "b", undefined]);
});

it("a batch with a result missing is repeated one by one", async () => {
  const same = batched(async (numbers: number[]) => numbers.slice(0, 1));
  expect(await Promise.all([1, 2, 3].map(same))).toEqual([1, 2, 3]);
});
