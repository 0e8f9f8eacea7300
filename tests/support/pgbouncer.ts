import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "./launch";

const isInstalled = () => spawnSync("pgbouncer", ["--version"]).status === 0;

/** Whether PgBouncer is there. As root, Debian's package is installed if it is not. */
export function hasPgBouncer(): boolean {
  if (isInstalled()) return true;
  if (process.getuid?.() !== 0) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "pgbouncer"]])
    spawnSync("apt-get", args, { env, timeout: 120_000 });
  return isInstalled();
}

/** PgBouncer does not run as root, and its user must reach PostgreSQL's socket. */
const ownerOf = (path: string): string => {
  const uid = path.startsWith("/") ? statSync(path).uid : 65_534;
  return execFileSync("id", ["-nu", String(uid)], { encoding: "utf8" }).trim();
};

/** Starts PgBouncer before a database. @returns the database's address behind it */
export async function startPgBouncer(databaseUrl: string, mode: "session" | "transaction") {
  const { username, pathname, searchParams, hostname, port } = new URL(databaseUrl);
  const host = searchParams.get("host") ?? hostname;
  const folder = mkdtempSync(join(tmpdir(), "paydesk-pgbouncer-"));
  chmodSync(folder, 0o755); // as root it runs as another user
  const listen = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${host} port=${port || 5432} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 80
max_client_conn = 200
`,
  );
  const asOther = process.getuid?.() === 0 ? ["-u", ownerOf(host)] : [];
  const pgbouncer = spawn("pgbouncer", [...asOther, "-q", file], { stdio: "inherit" });
  const url = `postgresql://${username}@127.0.0.1:${listen}${pathname}`;
  for (const deadline = Date.now() + 30_000; ; await sleep(50)) {
    const client = new Client({ connectionString: url });
    client.on("error", () => undefined);
    const error = await client.connect().then(
      () => null,
      (error: Error) => error,
    );
    await client.end().catch(() => undefined);
    if (!error) break;
    if (pgbouncer.exitCode !== null || Date.now() > deadline) throw error;
  }
  return {
    url,
    stop: async () => {
      const ended = once(pgbouncer, "exit");
      pgbouncer.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
