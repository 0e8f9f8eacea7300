import { chownSync, existsSync, lchownSync, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Env } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { projectRoot } from "./migrate";
import { prepareDataDir } from "./postgres";
import { type Account, accountNamed, run, serverAccount } from "./postgres-binaries";
import { readPointer } from "./postgres-cluster";

/**
 * Lets a server that root started go on as a plain user: the one that its embedded PostgreSQL runs as, or RUN_AS. It stays root,
 * with a warning, where that user could not read the checkout or write the data directory.
 */
export async function leaveRoot(env: Env): Promise<void> {
  if (process.getuid?.() !== 0 || env.RUN_AS === "root") return;
  // Without either, the database or the secret is in the data directory.
  const dataDir = env.DATABASE_URL && env.APP_SECRET ? null : prepareDataDir(env.DATA_DIR);
  const account = await accountFor(env, dataDir);
  if (!account) return;
  const problem = await problemOf(account, env, dataDir);
  if (problem) return log.warn(`Paydesk runs as root: ${problem}. See docs/operations.md, Started by root.`);
  process.setgroups?.([account.gid]);
  process.setgid?.(account.gid);
  process.setuid?.(account.uid);
}

/** The user of the data directory's cluster, if there is one. @throws Error when there is no user RUN_AS */
async function accountFor({ RUN_AS, DATABASE_URL }: Env, dataDir: string | null): Promise<Account> {
  const cluster = dataDir && !DATABASE_URL && (readPointer(dataDir)?.cluster ?? join(dataDir, "postgres"));
  if (cluster && existsSync(cluster)) return statSync(cluster);
  if (!RUN_AS) return serverAccount();
  const account = await accountNamed(RUN_AS);
  if (!account) throw new Error(`There is no user ${RUN_AS}, which RUN_AS names.`);
  return account;
}

/** Gives a data directory that root made to the account, with its files. Never one that has other people's files. */
function giveDataDir(dir: string, { uid, gid }: NonNullable<Account>): void {
  const { uid: owner, mode } = statSync(dir);
  const names = readdirSync(dir);
  if (owner !== 0 || mode & 0o022 || (names.length > 0 && !names.includes("secret"))) return;
  chownSync(dir, uid, gid);
  for (const path of names.map((name) => join(dir, name))) {
    const file = lstatSync(path);
    if (file.isFile() && file.uid === 0 && file.nlink === 1) lchownSync(path, uid, gid);
  }
}

/** Why the account could not run this server; null if it can, and then the data directory is its own. */
async function problemOf(as: NonNullable<Account>, env: Env, dataDir: string | null): Promise<string | null> {
  const privileged = [env.PORT, env.METRICS_PORT].find((port) => port !== undefined && port < 1024);
  if (privileged !== undefined) return `port ${privileged} needs it`;
  const may = async (test: string, path: string) =>
    (await run("/bin/sh", ["-c", `test ${test} "$1"`, "sh", path], { as })).code === 0;
  for (const path of ["dist/main.mjs", "node_modules/next/package.json"].map((file) => join(projectRoot, file)))
    if (!(await may("-r", path))) return `user ${as.uid} cannot read ${path}`;
  if (!(await may("-x", process.execPath))) return `user ${as.uid} cannot run ${process.execPath}`;
  if (!dataDir) return null;
  if (await may("-x", dirname(dataDir))) giveDataDir(dataDir, as);
  return (await may("-w", dataDir)) ? null : `user ${as.uid} cannot write ${dataDir}`;
}
