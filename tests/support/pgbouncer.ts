import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "./launch";

/** PGBOUNCER_PATH names another one than the system's. */
const program = process.env.PGBOUNCER_PATH || "pgbouncer";

/** PgBouncer's version as a number, such as 1.24; 0 without it. */
const version = (): number => {
  const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return status === 0 ? Number(/PgBouncer (\d+\.\d+)/.exec(stdout)?.[1] ?? 0) : 0;
};

const isInstalled = () => version() > 0;

/** Whether PgBouncer is there, and new enough to keep prepared statements in transaction mode. Debian 12 has an older one. */
export const canPoolTransactions = (): boolean => hasPgBouncer() && version() >= 1.21;

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

/** deploy/pgbouncer/pgbouncer.ini for a database and a port, without passwords. */
function shippedConfiguration(database: string, port: number): string {
  return readFileSync("deploy/pgbouncer/pgbouncer.ini", "utf8")
    .replace(/^paydesk = .*$/m, database)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_type = .*$/m, "auth_type = any")
    .replace(/^auth_file = .*$/m, "");
}

interface Options {
  /** `shipped`: in transaction mode, as deploy/ has it. */
  mode: "session" | "transaction" | "shipped";
  /** The settings at the end of the file, which override those before. */
  settings?: string;
}

/** Starts PgBouncer before a database. @returns the database's address behind it */
export async function startPgBouncer(databaseUrl: string, { mode, settings = "" }: Options) {
  const { username, pathname, searchParams, hostname, port } = new URL(databaseUrl);
  const host = searchParams.get("host") ?? hostname;
  const folder = mkdtempSync(join(tmpdir(), "paydesk-pgbouncer-"));
  chmodSync(folder, 0o755); // as root it runs as another user
  const listen = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const database = `* = host=${host} port=${port || 5432} user=${username}`;
  const configuration =
    mode === "shipped"
      ? shippedConfiguration(database, listen)
      : `[databases]
${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 80
max_client_conn = 200
`;
  writeFileSync(file, `${configuration}\n${settings}\n`);
  const asOther = process.getuid?.() === 0 ? ["-u", ownerOf(host)] : [];
  const pgbouncer = spawn(program, [...asOther, "-q", file], { stdio: "inherit" });
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
