import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Launched {
  url: string;
  /** Ends the server as an operator would. Returns its exit code, or the signal when it had to be killed. */
  stop(): Promise<number | string>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return address.port;
}

/** What Node runs, given the port. */
export type Program = (port: number) => string[];

/** The production build, or a variant of it. */
export const paydesk =
  (bundle = "dist/main.mjs"): Program =>
  () => [bundle];

/** The web half, for a second server on a database that other tests use: its jobs would do their work with its settings. */
export const paydeskWeb: Program = () => ["dist/main.mjs", "web"];

/** The worker half: jobs alone. */
export const paydeskWorker: Program = () => ["dist/main.mjs", "worker"];

/** The framework's own server, with nothing of ours in front of it. */
export const nextStart: Program = (port) => ["node_modules/next/dist/bin/next", "start", "-p", String(port)];

/**
 * Starts the production build as a process of its own, on a free port, and waits until it is ready.
 * @param settings its environment, beside what every test wants
 * @param onOutput takes what it prints on standard output; without it, log lines go to the test's output
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
    HOST: "127.0.0.1",
    PORT: String(port),
    APP_URL: url,
    NEXTAUTH_URL: url,
    DEMO: "0",
    LOG_LEVEL: process.env.LOG_LEVEL || "warn",
    MAX_POLL_MS: process.env.FAULTS === "full" ? undefined : "100",
    ...settings,
  };
  const server = spawn(process.execPath, program(port), { env, stdio: ["ignore", "pipe", "inherit"] });
  // The banner is not for a test's output; warnings and errors (one JSON object a line) are, unless they are expected.
  server.stdout.on("data", (chunk: Buffer) => {
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
    if (ready) return { url, stop, kill };
  }
}
