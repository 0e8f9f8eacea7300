import { existsSync, rmSync } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Client } from "pg";
import { reasonOf } from "@/server/doctor/finding";
import { makeFolder } from "@/server/make-folder";
import { encrypt } from "./age";
import { type About, archiveOf, Snapshot } from "./archive";

export interface BackupOptions {
  /** The database, for a role that may read everything. */
  url: string;
  about: About;
  /** A folder, or a file that does not exist yet. */
  to: string;
  /** Encrypts the file. */
  passphrase: string | null;
  /** APP_SECRET, to store it as well. */
  secret: string | null;
  /** How many backups the folder may have; null: any number. */
  keep: number | null;
}

export interface FinishedBackup {
  file: string;
  bytes: number;
  rows: number;
  removed: string[];
  /** What failed after the file was complete. */
  failures: string[];
}

const isArchive = (path: string): boolean => /\.tar(\.age)?$/.test(path);

/** paydesk-20261126T180000Z.tar: names sort by time. */
const fileName = (createdAt: string, encrypted: boolean): string =>
  `paydesk-${createdAt.replace(/[-:]|\.\d+/g, "")}.tar${encrypted ? ".age" : ""}`;

const ownName = /^paydesk-\d{8}T\d{6}Z\.tar(\.age)?$/;

/** A file gets its name when it is complete. What an interrupted backup left is removed by a later one. */
const partialName = /^\.paydesk-.*\.partial$/;
const partialMs = 24 * 3_600_000;

/**
 * Writes a backup of a database while Paydesk runs. Everything that was committed before the call is in it. If only its record or
 * the removal of older ones fails, the backup is kept, and `failures` says so.
 * @throws Error and leaves no file when it cannot be completed. If the process exits before, the partial file is removed
 */
export async function createBackup(options: BackupOptions): Promise<FinishedBackup> {
  const { url, about, to, passphrase, secret, keep } = options;
  const startedAt = new Date();
  const folder = isArchive(to) ? dirname(to) : to;
  makeFolder(folder, 0o700);
  await removePartials(folder); // they may use the space that this one needs
  if (isArchive(to) && existsSync(to)) throw new Error(`${to} exists already.`);
  const snapshot = await Snapshot.open(url, about);
  const { created_at } = snapshot.manifest;
  const file = isArchive(to) ? to : join(folder, fileName(created_at, passphrase !== null));
  const partial = join(folder, `.paydesk-${process.pid}-${basename(file)}.partial`);
  const removePartial = () => rmSync(partial, { force: true });
  process.once("exit", removePartial); // an interrupted command exits before this call ends
  try {
    const archive = archiveOf(snapshot.entries(secret), created_at);
    const bytes = await writeNew(partial, passphrase === null ? archive : encrypt(archive, passphrase));
    if (existsSync(file)) throw new Error(`${file} exists already.`);
    await giveName(partial, file);
    const failures: string[] = [];
    const addFailure = (what: string) => (error: unknown) => void failures.push(`${what}: ${reasonOf(error)}`);
    await recordBackup(url, { startedAt, file, bytes, encrypted: passphrase !== null }).catch(
      addFailure("It could not be recorded in the database, so the doctor does not know of it"),
    );
    const removed = await prune(file, keep).catch(addFailure("Older backups could not be removed"));
    const rows = Object.values(snapshot.totals.rows).reduce((sum, count) => sum + count, 0);
    return { file, bytes, rows, removed: removed ?? [], failures };
  } finally {
    removePartial();
    process.off("exit", removePartial);
    await snapshot.close();
  }
}

/** Writes a file that only its owner reads, and waits until it is on the disk. @returns its size */
async function writeNew(path: string, content: AsyncIterable<Buffer>): Promise<number> {
  const file: FileHandle = await open(path, "wx", 0o600);
  try {
    let bytes = 0;
    for await (const piece of content) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

/** Renames a complete file, also on the disk. */
async function giveName(partial: string, file: string): Promise<void> {
  await rename(partial, file);
  try {
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

interface Record {
  startedAt: Date;
  file: string;
  bytes: number;
  encrypted: boolean;
}

/** Records the backup where the doctor looks for it. A database of an older version has no place for it. */
async function recordBackup(url: string, { startedAt, file, bytes, encrypted }: Record): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "paydesk-backup" });
  client.on("error", () => undefined); // a statement that runs fails as well
  await client.connect();
  try {
    const { rows } = await client.query<{ known: boolean }>("SELECT to_regclass('public.backup') IS NOT NULL AS known");
    if (rows[0]?.known)
      await client.query("INSERT INTO backup (started_at, file, bytes, encrypted) VALUES ($1, $2, $3, $4)", [
        ...[startedAt, file, bytes, encrypted],
      ]);
  } finally {
    await client.end();
  }
}

/** Removes partial files of interrupted backups. */
async function removePartials(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((name) => partialName.test(name))) {
    const found = await stat(join(folder, name)).catch(() => null); // another backup may remove it now
    if (found && Date.now() - found.mtimeMs > partialMs) await rm(join(folder, name), { force: true });
  }
}

/** Removes the oldest backups, but never the new one: with a wrong clock, others have later names. @returns their names */
async function prune(file: string, keep: number | null): Promise<string[]> {
  if (keep === null) return [];
  const folder = dirname(file);
  const others = (await readdir(folder)).filter((name) => ownName.test(name) && name !== basename(file)).sort();
  const removed = others.slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of removed) await rm(join(folder, name));
  return removed;
}
