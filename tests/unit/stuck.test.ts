import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isStuck } from "@/lib/core/db";

const state = vi.hoisted(() => ({ allSilentMs: 0, answers: true }));
vi.mock("@/lib/core/connections", () => ({
  connection: () => ({ watch: { allSilentMs: () => state.allSilentMs } }),
  busyBackends: async () => (state.answers ? new Set() : null),
}));

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(state, { allSilentMs: 31_000, answers: true });
});
afterEach(() => vi.useRealTimers());

it("is stuck when that was found twice, some seconds apart", async () => {
  expect(await isStuck()).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(await isStuck()).toBe(false);
  vi.advanceTimersByTime(4_000);
  expect(await isStuck()).toBe(true);
});

it.each([
  ["after an outage, when a connection has received an answer again", { allSilentMs: 100 }],
  ["in an outage", { answers: false }],
])("is not stuck %s", async (_, changed) => {
  await isStuck();
  vi.advanceTimersByTime(10_000);
  Object.assign(state, changed);
  expect(await isStuck()).toBe(false);
  Object.assign(state, { allSilentMs: 31_000, answers: true });
  expect(await isStuck(), "the first time after that").toBe(false);
});
