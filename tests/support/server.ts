import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensurePostgres, removeDataDir } from "../../server/postgres";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return address.port;
}

/** Builds if the sources changed since the last build. */
async function build(): Promise<void> {
  const [code] = await once(spawn(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" }), "exit");
  if (code !== 0) throw new Error("The build failed.");
}

/**
 * The production build on an empty database of its own, for a run of tests: Vitest's and Playwright's global setup. Its
 * address is in TEST_URL; lib/db finds the same database through DATABASE_URL.
 * @returns the teardown, which leaves neither processes nor files
 */
export default async function setup(): Promise<() => Promise<void>> {
  await build();
  const dataDir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
  chmodSync(dataDir, 0o755); // for the user that PostgreSQL runs as when these tests run as root
  const port = await freePort();
  const env = {
    NODE_ENV: "production" as const,
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    PORT: String(port),
    APP_SECRET: randomBytes(32).toString("base64url"),
    DEMO: "0",
    LOG_LEVEL: process.env.LOG_LEVEL || "warn",
    RATE_LIMIT_PER_MINUTE: "1000000",
    TRUST_PROXY: "1",
  };
  const server = spawn(process.execPath, ["dist/main.mjs"], { env, stdio: ["ignore", "pipe", "inherit"] });
  // The banner is not for a test's output; warnings and errors (one JSON object a line) are.
  server.stdout.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().split("\n")) if (line.startsWith("{")) console.error(line);
  });
  const ended = once(server, "exit");
  let exited = false;
  server.once("exit", () => {
    exited = true;
  });

  const stop = async () => {
    server.kill("SIGTERM");
    const late = setTimeout(() => server.kill("SIGKILL"), 30_000);
    await ended;
    clearTimeout(late);
    if (server.exitCode !== 0) await (await ensurePostgres(dataDir)).stop(); // it did not get to do that itself
    removeDataDir(dataDir);
    if (server.exitCode !== 0) throw new Error(`The server ended with ${server.exitCode ?? server.signalCode}.`);
  };

  const url = `http://localhost:${port}`;
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    if (exited || Date.now() > deadline) {
      await stop();
      throw new Error("The server under test did not start.");
    }
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
  }
  const { url: databaseUrl } = await ensurePostgres(dataDir);
  Object.assign(process.env, { TEST_URL: url, APP_URL: url, DATABASE_URL: databaseUrl, APP_SECRET: env.APP_SECRET });
  return stop;
}
