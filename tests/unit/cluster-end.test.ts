import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { isAlive } from "@/server/postgres-binaries";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Starts a process with a cluster: a program whose child has the cluster's environment, and one that works in its folder. */
async function startRun(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "paydesk-cluster-"));
  mkdirSync(join(folder, "data"));
  const [file, log] = [join(folder, "pids"), join(folder, "log")];
  const script = `
    import("./tests/cluster/programs.ts").then(({ endWithParent, program, startReaper }) => {
      endWithParent();
      const { env } = startReaper(${JSON.stringify(folder)});
      const command = "sleep 600 & one=$!; cd ${folder}/data; env -i sleep 600 & two=$!; cd /; echo $$ $one $two > ${file}; wait";
      program(["sh", "-c", command], { as: undefined, env, log: ${JSON.stringify(log)} }).start();
    });`;
  const args = ["--import", "tsx", "--eval", script];
  // A parent between, as npm or the run of several parts.
  const code = `const { spawn } = require("node:child_process");
    console.log(spawn(process.execPath, ${JSON.stringify(args)}, { stdio: "inherit" }).pid); setInterval(() => 0, 1000)`;
  const parent = spawn(process.execPath, ["--eval", code], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = await once(parent.stdout, "data");
  const pids = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split(/\s+/).map(Number) : []);
  await expect.poll(pids).toHaveLength(3);
  const run = Number(printed);
  const processes = [run, ...pids()];
  cleanups.push(() => {
    for (const pid of [parent.pid ?? 0, ...processes]) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, parent: parent.pid ?? 0, run, running: () => processes.filter(isAlive) };
}

it.each<["run" | "parent", NodeJS.Signals]>([
  ["run", "SIGKILL"],
  ["run", "SIGTERM"],
  ["parent", "SIGKILL"],
])("a cluster's processes end and its folder goes when the %s gets %s", async (which, signal) => {
  const one = await startRun();
  expect(one.running()).toHaveLength(4);
  process.kill(one[which], signal);
  await expect.poll(one.running).toEqual([]);
  await expect.poll(() => existsSync(one.folder)).toBe(false);
});

it("KEEP_CLUSTER keeps the folder, and no process", async () => {
  const one = await startRun({ KEEP_CLUSTER: "1" });
  process.kill(one.run, "SIGKILL");
  await expect.poll(one.running).toEqual([]);
  expect(existsSync(join(one.folder, "pids"))).toBe(true);
});
