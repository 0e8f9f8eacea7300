import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { childrenOf } from "@/tests/support/children";

/** Two steps side by side, as those of npm test. */
const steps = `
  const { run } = await import("./scripts/steps.mjs");
  const program = ["-e", "setInterval(() => undefined, 1000)"];
  await Promise.all([1, 2].map(() => run(process.execPath, program, { live: true })));`;

it.runIf(process.platform === "linux")("a signal ends the programs of all steps", async () => {
  const runner = spawn(process.execPath, ["--input-type=module", "--eval", steps], { stdio: "ignore" });
  const programs = () => childrenOf(runner.pid ?? 0);
  await expect.poll(programs).toHaveLength(2);
  const running = programs();
  runner.kill("SIGTERM");
  expect(await once(runner, "exit")).toEqual([143, null]);
  await expect.poll(() => running.filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([]);
});
