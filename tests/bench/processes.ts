import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf } from "@/tests/support/children";
import { freePort } from "@/tests/support/launch";

export interface Server {
  url: string;
  /** performance.now() at its birth: where its CPU profile begins. */
  born: number;
  /** CPU time it has used, all its threads together, in microseconds; NaN where the system does not tell. */
  cpuTime(): number;
  /** Resident memory of it and of the processes that it has started, in MB; empty where the system does not tell. */
  memory(): number[];
  stop(): Promise<void>;
}

let node = { path: process.execPath, version: process.versions.node };

/** Starts all further programs with this Node. */
export function startWith(path: string): void {
  node = { path, version: execFileSync(path, ["--version"], { encoding: "utf8" }).trim().slice(1) };
}

export const nodeVersion = (): string => node.version;

const running = new Set<ChildProcess>();
let ended = false;

/** Starts a Node program that listens on PORT and waits until it answers. `args` come before the program's name. */
export async function start(args: string[], env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  if (ended) throw new Error("the run was cut short");
  const url = `http://127.0.0.1:${port}`;
  const born = performance.now();
  const child = spawn(node.path, args, {
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", PORT: String(port), APP_URL: url, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`);
    if (tries > 600) throw new Error(`${args.join(" ")} does not answer`);
    const there = await fetch(`${url}/api/payment-links`).then(
      (response) => response.text(),
      () => null,
    );
    if (there !== null) {
      const memory = () =>
        [{ pid: child.pid ?? 0 }, ...childrenOf(child.pid ?? 0)].flatMap(({ pid }) => residentOf(pid));
      return { url, born, cpuTime: () => cpuTime(child), memory, stop: () => stop(child) };
    }
    await sleep(50);
  }
}

function cpuTime({ pid }: ChildProcess): number {
  try {
    // proc(5): user and system time, in hundredths of a second, are the 12th and 13th field behind the program's name.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
    return (Number(fields?.[11]) + Number(fields?.[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
}

/** proc(5), in MB. */
function residentOf(pid: number): number[] {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes ? [Math.round(Number(kilobytes) / 1024)] : [];
  } catch {
    return [];
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exit;
  clearTimeout(late);
}

/** Stops what runs, and starts nothing more. */
export async function stopAll(): Promise<void> {
  ended = true;
  await Promise.all([...running].map(stop));
}
