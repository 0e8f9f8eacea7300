import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "@/server/postgres-binaries";

/** Variables of a file of deploy/cluster, with this machine's values. @throws Error for a name that the file lacks */
export function variablesOf(file: string, values: Record<string, string>): Record<string, string> {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => /^\w+=/.test(line));
  const given = new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
  for (const name of Object.keys(values)) if (!given.has(name)) throw new Error(`${file} has no ${name}.`);
  return { ...Object.fromEntries(given), ...values };
}

export interface Program {
  start(): void;
  /** Sends SIGKILL to it and to every process that works in its folder. */
  kill(): Promise<void>;
  /** Sends SIGSTOP to the same processes. */
  freeze(): void;
  /** Sends SIGCONT to the same processes. */
  thaw(): void;
  /** Sends a signal to it alone, not to what it started. */
  signal(name: NodeJS.Signals): void;
  isRunning(): boolean;
}

/**
 * Starts a process that ends a cluster when this process ends, however it ends, and then removes the cluster's folder unless
 * KEEP_CLUSTER is set.
 * @param folder the processes of the cluster work below it, or have `env` in their environment
 */
export function startReaper(folder: string) {
  const script = join(process.cwd(), "tests/cluster/reaper.mjs");
  // A group of its own: Ctrl-C reaches every process of the terminal's group.
  const reaper = spawn(process.execPath, [script, folder], { detached: true, stdio: ["pipe", "ignore", "inherit"] });
  const ended = once(reaper, "exit");
  return {
    env: { CLUSTER_FOLDER: folder },
    async stop(): Promise<void> {
      reaper.stdin?.end();
      await ended;
    },
  };
}

/** Ends this process when its parent has ended, because a signal may reach only the parent. */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, 500).unref();
}

/**
 * A program that can be killed and started again.
 * @param folder the working directory of processes that it starts, and that must die with it
 */
export function program(
  [file = "", ...args]: string[],
  { env, as, log, folder }: { env: Record<string, string>; as: Account; log: string; folder?: string },
): Program {
  let child: ChildProcess | null = null;
  const signalAll = (name: NodeJS.Signals) => {
    child?.kill(name);
    for (const pid of folder ? processesIn(folder) : []) signal(pid, name);
  };
  return {
    start() {
      const output = openSync(log, "a");
      const all = { NODE_ENV: "production" as const, PATH: process.env.PATH, LC_ALL: "C.UTF-8", ...env };
      child = spawn(file, args, { ...as, cwd: "/", env: all, stdio: ["ignore", output, output] });
    },
    async kill() {
      const ended = child && child.exitCode === null && child.signalCode === null ? once(child, "exit") : null;
      signalAll("SIGKILL");
      await ended;
      signalAll("SIGKILL"); // what it started just before it died
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    signal: (name) => child?.kill(name),
    isRunning: () => child !== null && child.exitCode === null && child.signalCode === null,
  };
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has just ended
  }
}

/** The processes whose working directory is a folder: those of a PostgreSQL (proc(5)). */
export function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false; // it has just ended
      }
    })
    .map(Number);
}
