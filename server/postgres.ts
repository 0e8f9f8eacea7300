import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { connected } from "./grants";
import { makeFolder } from "./make-folder";
import { type Account, errorCode, findBinaries, isAlive, run, serverAccount } from "./postgres-binaries";
import {
  checkCluster,
  configure,
  createCluster,
  locateCluster,
  markReady,
  readPointer,
  socketDir,
} from "./postgres-cluster";

function isServing(pid: string, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster; // every PostgreSQL process has the cluster as its working directory
  } catch {
    return false; // ended, a zombie, or another user's
  }
}

/**
 * Removes postmaster.pid if no PostgreSQL serves the cluster. After a crash or in a restarted container, another process may
 * have the recorded id, and PostgreSQL would refuse to start while that process lives.
 */
function dropStalePid(dir: string): void {
  const cluster = realpathSync(dir);
  const file = join(cluster, "postmaster.pid");
  if (process.platform !== "linux" || !existsSync(file)) return;
  const [pid = ""] = readFileSync(file, "utf8").split("\n");
  if (!isAlive(Number(pid)) || isServing(pid, cluster)) return; // PostgreSQL handles both cases itself
  if (readdirSync("/proc").some((name) => /^\d+$/.test(name) && isServing(name, cluster))) return;
  rmSync(file, { force: true });
}

/** Whether PostgreSQL accepts connections; "soon": it is starting, stopping, or full. */
async function acceptsConnections(url: string): Promise<"yes" | "soon" | "no"> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return "yes";
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === "3D000") return "yes"; // serving, but the database does not exist yet
    return code.startsWith("57P") || code === "53300" ? "soon" : "no";
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts PostgreSQL unless it is running. Two processes may try at once: PostgreSQL's lock file lets only one start it.
 * @returns whether this call started it
 */
async function startServer(cluster: string, bin: string, as: Account, url: string): Promise<boolean> {
  const deadline = Date.now() + 120_000; // crash recovery of a large database takes long
  let lastOutput = "";
  for (let round = 0; Date.now() < deadline; round++) {
    if (round > 0) await sleep(Math.min(100 * round, 1_000));
    const state = existsSync(join(cluster, "postmaster.pid")) ? await acceptsConnections(url) : "no";
    if (state === "yes") return false;
    if (state === "soon") continue;
    dropStalePid(cluster);
    socketDir(cluster, as); // the process that stopped PostgreSQL may have removed it
    const args = ["start", "-w", "-s", "-t", "60", "-l", "server.log"];
    const started = await run(join(bin, "pg_ctl"), args, { as, cwd: cluster, data: cluster });
    if (started.code === 0) return true;
    lastOutput = started.output || String(started.code);
    if (round >= 10 && (await acceptsConnections(url)) === "no") break;
  }
  const log = readTail(join(cluster, "server.log"));
  throw new Error(`PostgreSQL does not start in ${cluster}: ${lastOutput}\n${log}`.trimEnd());
}

function readTail(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").slice(-8).join("\n") : "";
}

/** Creates the database and the role that serves requests, whichever is missing. */
async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new Client({ connectionString: maintenanceUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ statement: string }>(`
      SELECT 'CREATE ROLE paydesk_app LOGIN' AS statement WHERE to_regrole('paydesk_app') IS NULL
      UNION ALL
      SELECT 'CREATE DATABASE paydesk' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'paydesk')`);
    for (const { statement } of rows)
      await client.query(statement).catch((error: unknown) => {
        // Another process created it in between.
        if (!["42710", "42P04", "23505"].includes(errorCode(error) ?? "")) throw error;
      });
  } finally {
    await client.end();
  }
}

export interface EmbeddedPostgres {
  /** For serving requests. */
  url: string;
  /** For migrating and pruning: of the role that owns the tables. */
  ownerUrl: string;
  /** False if it was already running: left by a killed process, or used by another one. */
  started: boolean;
  stop(): Promise<void>;
  /** Stops it if this call started it, unless a server uses it by now: then the server stops it. */
  leave(): Promise<void>;
}

/** The name of the connection that a server keeps while it uses its embedded PostgreSQL. */
export const serverConnection = "paydesk-owner";

const hasServer = (ownerUrl: string): Promise<boolean> =>
  connected(ownerUrl, async (client) => {
    const sql = "SELECT FROM pg_stat_activity WHERE application_name = $1";
    return (await client.query(sql, [serverConnection])).rowCount !== 0;
  });

/**
 * Starts the PostgreSQL of a data directory, on a Unix socket that only its user and root can open. It outlives a killed
 * parent: the next call uses it, or recovers it after a crash.
 * @throws Error that says what to do: directory not writable, wrong version or user, no binaries for the platform
 */
export async function ensurePostgres(dataDir: string): Promise<EmbeddedPostgres> {
  if (process.platform === "win32")
    throw new Error("The embedded PostgreSQL needs Linux or macOS. Set DATABASE_URL to a PostgreSQL of your own.");
  const home = prepareDataDir(dataDir);
  const account = await serverAccount();
  const cluster = await locateCluster(home, account);
  const exists = existsSync(cluster);
  const owner = exists && process.getuid?.() === 0 ? statSync(cluster) : account;
  const { bin, major } = await findBinaries(owner && { uid: owner.uid, gid: owner.gid }, home);
  if (!exists) {
    await createCluster(cluster, bin, account);
    markReady(home);
  }
  const as = checkCluster(cluster, major, home);
  const socket = socketDir(cluster, as);
  const url = (database: string, role = "paydesk") =>
    `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socket)}`;
  configure(cluster, socket);
  const started = await startServer(cluster, bin, as, url("postgres"));
  await createDatabase(url("postgres"));

  async function stop(): Promise<void> {
    const halt = (mode: string) =>
      run(join(bin, "pg_ctl"), ["stop", "-w", "-s", "-t", "30", "-m", mode], { as, cwd: cluster, data: cluster });
    if (!existsSync(join(cluster, "postmaster.pid"))) return;
    const { code } = await halt("fast");
    if (code !== 0 && existsSync(join(cluster, "postmaster.pid"))) await halt("immediate");
    // Not if another process has started PostgreSQL again: then it has a socket there.
    if (socket !== cluster) await rmdir(socket).catch(() => undefined);
  }

  async function leave(): Promise<void> {
    if (!started) return;
    // If the query fails, PostgreSQL is left running: the next start uses it.
    if (!(await hasServer(url("paydesk")).catch(() => true))) await stop();
  }
  return { url: url("paydesk", "paydesk_app"), ownerUrl: url("paydesk"), started, stop, leave };
}

/**
 * Creates the data directory if it is missing.
 * @throws Error when it is not writable
 */
export function prepareDataDir(dataDir: string): string {
  const dir = resolve(dataDir);
  try {
    // As root, 0755 lets PostgreSQL's user enter. Secret files have their own modes.
    makeFolder(dir, process.getuid?.() === 0 ? 0o755 : 0o700);
    const probe = join(dir, `.probe-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
    return realpathSync(dir);
  } catch (error) {
    throw new Error(`The data directory ${dir} is not writable (${errorCode(error)}). Set DATA_DIR to one that is.`);
  }
}

/** Removes a data directory and its cluster. PostgreSQL must be stopped. For tests and commands with their own database. */
export function removeDataDir(dataDir: string): void {
  const pointer = readPointer(dataDir);
  if (pointer) rmSync(pointer.cluster, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
