import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, escapeLiteral } from "pg";
import { type Account, errorCode, findBinaries, run, serverAccount } from "./postgres-binaries";
import { locateCluster, markReady, readPointer } from "./postgres-place";

async function createCluster(cluster: string, bin: string, as: Account): Promise<void> {
  // Into a draft that is renamed when complete: a start that is killed, or a second one, never meets half a cluster.
  for (const name of readdirSync(dirname(cluster))) {
    const draftOf = name.startsWith(`${basename(cluster)}.new-`) && Number(name.split(".new-")[1]);
    if (draftOf && !isAlive(draftOf)) rmSync(join(dirname(cluster), name), { recursive: true, force: true });
  }
  const draft = `${cluster}.new-${process.pid}`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    if (as) chownSync(draft, as.uid, as.gid);
    // The built-in locale: the same order of text on every machine, whatever its C library knows.
    const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8"];
    const safety = ["--data-checksums", "--auth=trust", "--no-instructions"];
    const made = await run(join(bin, "initdb"), ["-D", draft, "-U", "paydesk", ...locale, ...safety], { as });
    if (made.code !== 0) throw new Error(`The database cluster could not be created: ${made.output || made.code}`);
    appendFileSync(join(draft, "postgresql.conf"), "\ninclude = 'paydesk.conf'\n");
    renameSync(draft, cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(join(cluster, "PG_VERSION"))) throw error;
  }
}

function checkCluster(cluster: string, major: string, dataDir: string): Account {
  const { uid, gid } = statSync(cluster);
  const me = process.getuid?.();
  if (me !== 0 && uid !== me) {
    throw new Error(
      `The database in ${dataDir} belongs to another user (uid ${uid}; this is uid ${me}). Start Paydesk as that user ` +
        "or as root, or choose another DATA_DIR.",
    );
  }
  const version = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  if (version !== major) {
    throw new Error(
      `The database in ${dataDir} belongs to PostgreSQL ${version}; this Paydesk brings PostgreSQL ${major}. Dump it ` +
        "with the Paydesk that wrote it and restore it here, or set DATABASE_URL to a server of that version.",
    );
  }
  return me === 0 ? { uid, gid } : undefined; // for root: whoever began it goes on with it
}

/** PostgreSQL's socket lies in the cluster, closed to everybody else; where that path is too long for one, elsewhere. */
function socketDir(cluster: string, as: Account): string {
  if (Buffer.byteLength(cluster) <= 85 && /^[\w./ @+:=~-]+$/.test(cluster)) return cluster;
  const dir = join("/tmp", `paydesk-${createHash("sha256").update(cluster).digest("hex").slice(0, 16)}`);
  const owner = as?.uid ?? process.getuid?.();
  try {
    mkdirSync(dir, { mode: 0o700 });
    if (as) chownSync(dir, as.uid, as.gid);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  const stat = lstatSync(dir);
  if (!stat.isDirectory() || stat.uid !== owner || stat.mode & 0o077)
    throw new Error(
      `${dir} should be a directory for PostgreSQL's socket alone (mode 0700). Remove it and start again.`,
    );
  return dir;
}

function configure(cluster: string, socket: string): void {
  const settings: Record<string, string> = {
    listen_addresses: "", // the socket is the only way in
    unix_socket_directories: socket,
    unix_socket_permissions: "0700",
    max_connections: "100",
    shared_buffers: "128MB",
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    log_min_messages: "warning",
    jit: "off",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${escapeLiteral(value)}`);
  const file = join(cluster, "paydesk.conf");
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  const text = `# Written at every start. Settings of your own: ALTER SYSTEM SET.\n${lines.join("\n")}\n`;
  writeFileSync(draft, text, { flag: "wx" });
  chmodSync(draft, 0o644); // written by root, read by PostgreSQL's user
  renameSync(draft, file);
  const log = join(cluster, "server.log");
  if (existsSync(log) && statSync(log).size > 10 << 20) renameSync(log, `${log}.1`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

function isServing(pid: string, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster; // every PostgreSQL process works in its data directory
  } catch {
    return false; // gone, a zombie, or another user's
  }
}

/**
 * After a crash or a restarted container the recorded process id may by now be somebody else's (even ours), and
 * PostgreSQL would refuse to start for as long as that process lives.
 */
function dropStalePid(dir: string): void {
  const cluster = realpathSync(dir);
  const file = join(cluster, "postmaster.pid");
  if (process.platform !== "linux" || !existsSync(file)) return;
  const [pid = ""] = readFileSync(file, "utf8").split("\n");
  if (!isAlive(Number(pid)) || isServing(pid, cluster)) return; // PostgreSQL knows both cases itself
  if (readdirSync("/proc").some((name) => /^\d+$/.test(name) && isServing(name, cluster))) return;
  rmSync(file, { force: true });
}

async function answers(url: string): Promise<"yes" | "soon" | "no"> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return "yes";
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === "3D000") return "yes"; // serving; only our database is not there yet
    return code.startsWith("57P") || code === "53300" ? "soon" : "no"; // starting, stopping, full
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Starts the server unless it runs already. Two callers may race: the server's own lock file lets one of them win. */
async function startServer(cluster: string, bin: string, as: Account, url: string): Promise<boolean> {
  const deadline = Date.now() + 120_000; // recovering from a crash can take its time
  let said = "";
  for (let round = 0; Date.now() < deadline; round++) {
    if (round > 0) await sleep(Math.min(100 * round, 1_000));
    const state = existsSync(join(cluster, "postmaster.pid")) ? await answers(url) : "no";
    if (state === "yes") return false;
    if (state === "soon") continue;
    dropStalePid(cluster);
    const args = ["start", "-w", "-s", "-t", "60", "-l", "server.log"];
    const started = await run(join(bin, "pg_ctl"), args, { as, cwd: cluster, data: cluster });
    if (started.code === 0) return true;
    said = started.output || String(started.code);
    if (round >= 10 && (await answers(url)) === "no") break;
  }
  const log = readTail(join(cluster, "server.log"));
  throw new Error(`PostgreSQL does not start in ${cluster}: ${said}\n${log}`.trimEnd());
}

function readTail(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").slice(-8).join("\n") : "";
}

async function createDatabase(maintenanceUrl: string): Promise<void> {
  const client = new Client({ connectionString: maintenanceUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'paydesk'");
    if (rowCount === 0) await client.query("CREATE DATABASE paydesk");
  } catch (error) {
    // Another process made it between the two statements.
    if (!["42P04", "23505"].includes(errorCode(error) ?? "")) throw error;
  } finally {
    await client.end();
  }
}

export interface EmbeddedPostgres {
  url: string;
  /** False when it was found running: left over from a killed process, or in use by another one. */
  started: boolean;
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL with its data under `dataDir`, reachable through a Unix socket only that its user (and root) can
 * open. It outlives a killed parent; the next call then finds and uses it, or recovers what a crash left.
 * @throws Error that says what to do: directory not writable, of another version or user, no binaries for the platform
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
  const url = (database: string) => `postgresql://paydesk@localhost/${database}?host=${encodeURIComponent(socket)}`;
  configure(cluster, socket);
  const started = await startServer(cluster, bin, as, url("postgres"));
  await createDatabase(url("postgres"));

  async function stop(): Promise<void> {
    const halt = (mode: string) =>
      run(join(bin, "pg_ctl"), ["stop", "-w", "-s", "-t", "30", "-m", mode], { as, cwd: cluster, data: cluster });
    if (!existsSync(join(cluster, "postmaster.pid"))) return;
    const { code } = await halt("fast");
    if (code !== 0 && existsSync(join(cluster, "postmaster.pid"))) await halt("immediate");
    if (socket !== cluster) rmSync(socket, { recursive: true, force: true });
  }
  return { url: url("paydesk"), started, stop };
}

function prepareDataDir(dataDir: string): string {
  const dir = resolve(dataDir);
  try {
    // Open to look into for PostgreSQL's user when root starts it; what is secret in it has its own mode.
    mkdirSync(dir, { recursive: true, mode: process.getuid?.() === 0 ? 0o755 : 0o700 });
    const probe = join(dir, `.probe-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
    return realpathSync(dir);
  } catch (error) {
    throw new Error(`The data directory ${dir} is not writable (${errorCode(error)}). Set DATA_DIR to one that is.`);
  }
}

/** Removes a data directory and, where it lies elsewhere, its cluster. For tests: the server must be stopped. */
export function removeDataDir(dataDir: string): void {
  const pointer = readPointer(dataDir);
  if (pointer) rmSync(pointer.cluster, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
