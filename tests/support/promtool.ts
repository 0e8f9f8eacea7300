import { spawnSync } from "node:child_process";

const isInstalled = () => spawnSync("promtool", ["--version"]).status === 0;

/** Whether promtool is there. As root, Debian's package is installed if it is not; its service is not started. */
export function hasPromtool(): boolean {
  if (isInstalled()) return true;
  if (process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "prometheus"]])
    spawnSync("apt-get", args, { env, timeout: 120_000 });
  return isInstalled();
}

/** Runs promtool with a text on standard input. */
export function promtool(args: string[], { cwd, input }: { cwd?: string; input?: string } = {}) {
  const { status, stdout, stderr } = spawnSync("promtool", args, { cwd, input, encoding: "utf8" });
  return { status, output: stdout + stderr };
}
