import { createHash, randomBytes } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { escapeLiteral } from "pg";
import { type Account, canEnter, errorCode, isAlive, makeSystemDir, run, systemDir } from "./postgres-binaries";

/** The content of postgres.json, in a data directory whose cluster is elsewhere. */
interface Pointer {
  cluster: string;
  /** The data directory that it was written for. Distinguishes a moved directory from a copied one. */
  dataDir: string;
  /** False until initdb has finished. */
  ready: boolean;
}

const pointerFile = (dataDir: string) => join(dataDir, "postgres.json");

export function readPointer(dataDir: string): Pointer | undefined {
  try {
    return JSON.parse(readFileSync(pointerFile(dataDir), "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether a data directory has a cluster of its own, or the path of one. */
export const hasCluster = (dataDir: string): boolean =>
  existsSync(join(dataDir, "postgres")) || existsSync(pointerFile(dataDir));

function writePointer(pointer: Pointer, flag: "w" | "wx"): void {
  writeFileSync(pointerFile(pointer.dataDir), `${JSON.stringify(pointer, null, 2)}\n`, { flag, mode: 0o600 });
}

/**
 * The path of a data directory's cluster, which may not exist yet.
 * @throws Error when the cluster is gone, or when this directory is a copy and the cluster belongs to the original
 */
export async function locateCluster(dataDir: string, as: Account): Promise<string> {
  const pointer = readPointer(dataDir);
  if (pointer) {
    if (pointer.ready && !existsSync(pointer.cluster)) {
      throw new Error(
        `The database of ${dataDir} was in ${pointer.cluster}, which no longer exists. Restore it, or delete ` +
          `${pointerFile(dataDir)} to start with an empty one.`,
      );
    }
    if (pointer.dataDir !== dataDir) {
      if (readPointer(pointer.dataDir)?.cluster === pointer.cluster) {
        throw new Error(
          `${dataDir} is a copy of ${pointer.dataDir}, whose database is in ${pointer.cluster} and was not copied. ` +
            `Delete ${pointerFile(dataDir)} to start with an empty one.`,
        );
      }
      writePointer({ ...pointer, dataDir }, "w");
    }
    return pointer.cluster;
  }

  const inside = join(dataDir, "postgres");
  if (existsSync(inside) || !as || (await canEnter(dataDir, as))) return inside;
  // With the random part, a checkout that is deleted and cloned again at the same path gets an empty database.
  const hash = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  const cluster = join(systemDir, `${hash}-${randomBytes(3).toString("hex")}`);
  try {
    makeSystemDir();
    writePointer({ cluster, dataDir, ready: false }, "wx");
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return readPointer(dataDir)?.cluster ?? cluster;
  }
  return cluster;
}

/** Records that the cluster is complete. From then on, a missing cluster is an error. */
export function markReady(dataDir: string): void {
  const pointer = readPointer(dataDir);
  if (pointer && !pointer.ready) writePointer({ ...pointer, ready: true }, "w");
}

/** Runs initdb. Several processes may do so at once: each writes a draft, and the first one to finish renames it. */
export async function createCluster(cluster: string, bin: string, as: Account): Promise<void> {
  for (const name of readdirSync(dirname(cluster))) {
    const draftOf = name.startsWith(`${basename(cluster)}.new-`) && Number(name.split(".new-")[1]);
    if (draftOf && !isAlive(draftOf)) rmSync(join(dirname(cluster), name), { recursive: true, force: true });
  }
  const draft = `${cluster}.new-${process.pid}`;
  try {
    mkdirSync(draft, { mode: 0o700 });
    if (as) chownSync(draft, as.uid, as.gid);
    // The built-in locale sorts text the same on every machine.
    const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8"];
    const safety = ["--data-checksums", "--auth=trust", "--no-instructions"];
    const created = await run(join(bin, "initdb"), ["-D", draft, "-U", "paydesk", ...locale, ...safety], { as });
    if (created.code !== 0)
      throw new Error(`The database cluster could not be created: ${created.output || created.code}`);
    appendFileSync(join(draft, "postgresql.conf"), "\ninclude = 'paydesk.conf'\n");
    renameSync(draft, cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(join(cluster, "PG_VERSION"))) throw error;
  }
}

/**
 * The account that owns the cluster; as root, PostgreSQL runs as this account.
 * @throws Error when the cluster belongs to another user, or to another version of PostgreSQL
 */
export function checkCluster(cluster: string, major: string, dataDir: string): Account {
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
      `The database in ${dataDir} belongs to PostgreSQL ${version}; this Paydesk includes PostgreSQL ${major}. Dump it ` +
        "with the Paydesk that wrote it and restore it here, or set DATABASE_URL to a server of that version.",
    );
  }
  return me === 0 ? { uid, gid } : undefined;
}

/** The directory of PostgreSQL's socket, open only to its user: the cluster, or one in /tmp if that path is too long. */
export function socketDir(cluster: string, as: Account): string {
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
    throw new Error(`${dir} must be a directory of PostgreSQL's user with mode 0700. Remove it and start again.`);
  return dir;
}

export function configure(cluster: string, socket: string): void {
  const settings: Record<string, string> = {
    listen_addresses: "", // no TCP
    unix_socket_directories: socket,
    unix_socket_permissions: "0700",
    max_connections: "200",
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
