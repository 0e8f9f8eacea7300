import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Launched {
  url: string;
  pid: number;
  /** Sends SIGTERM. @returns the exit code, or the signal when it had to be killed */
  stop(): Promise<number | string>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/**
 * A port that nobody listens on. It is below those that Linux gives to outgoing connections, one of which could have taken it
 * before its server starts, and above 10080, which fetch refuses.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

const { start } = (JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } }).scripts;

/** Node's options of `npm start`: its limits of memory, and no pretenuring (docs/decisions/0024-memory-and-node.md). */
export const startFlags: string[] = start.match(/--\S+/g) ?? [];

/** The variables of `npm start`, which bound what malloc keeps. */
export const startVariables: Record<string, string> = Object.fromEntries(
  [...start.matchAll(/(MALLOC_\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
);

/** Node's arguments for a port. */
export type Program = (port: number) => string[];

export const paydesk =
  (bundle = "dist/main.mjs"): Program =>
  () => [...startFlags, bundle];

/**
 * Only the web role, for a second server on a shared database: its worker would use its own settings for other tests'
 * jobs.
 */
export const paydeskWeb: Program = () => [...startFlags, "dist/main.mjs", "web"];

export const paydeskWorker: Program = () => [...startFlags, "dist/main.mjs", "worker"];

/** The framework's own server, without our front server. */
export const nextStart: Program = (port) => ["node_modules/next/dist/bin/next", "start", "-p", String(port)];

/**
 * Starts the production build as a process on a free port and waits until it is ready.
 * @param settings environment variables in addition to the defaults of all tests
 * @param onOutput receives standard output and standard error; without it, log lines go to the test's output
 */
export async function launch(
  settings: Record<string, string | undefined>,
  program: Program = paydesk(),
  onOutput?: (text: string) => void,
): Promise<Launched> {
  const port = settings.PORT ? Number(settings.PORT) : await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    NODE_ENV: "production" as const,
    PATH: process.env.PATH,
    ...startVariables,
    HOST: "127.0.0.1",
    PORT: String(port),
    APP_URL: url,
    NEXTAUTH_URL: url,
    DEMO: "0",
    DRAIN_SECONDS: "0",
    LOG_LEVEL: process.env.LOG_LEVEL || "warn",
    MAX_POLL_MS: process.env.FAULTS === "full" ? undefined : "300",
    ...settings,
  };
  const server = spawn(process.execPath, program(port), {
    env,
    stdio: ["ignore", "pipe", onOutput ? "pipe" : "inherit"],
  });
  server.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    onOutput?.(chunk.toString());
  });
  // Forwards warnings and errors (one JSON object per line) unless they are expected, but not the banner.
  server.stdout?.on("data", (chunk: Buffer) => {
    onOutput?.(chunk.toString());
    if (onOutput) return;
    for (const line of chunk.toString().split("\n")) if (line.startsWith("{")) console.error(line);
  });
  let exited = false;
  const ended = once(server, "exit").then(([code, signal]: (number | string | null)[]) => {
    exited = true;
    return code ?? signal ?? "";
  });
  const stop = async () => {
    server.kill("SIGTERM");
    const late = setTimeout(() => server.kill("SIGKILL"), 30_000);
    const how = await ended;
    clearTimeout(late);
    return how;
  };

  const kill = async () => {
    server.kill("SIGKILL");
    await ended;
  };

  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    if (exited || Date.now() > deadline) throw new Error(`The server did not start: ${await stop()}`);
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return { url, pid: server.pid ?? 0, stop, kill };
  }
}
