import { constants } from "node:os";
import { databaseErrorText } from "@/lib/core/database-error";
import { disconnect } from "@/lib/core/disconnect";
import { bypassPooler, exportSecrets, parseEnv } from "@/lib/core/env";
import { storedSecret } from "./app-secret";
import { ensurePostgres } from "./postgres";
import { hasCluster } from "./postgres-cluster";
import { onSignal, unlessAborted } from "./signals";

export class UsageError extends Error {}

const fileErrors: Record<string, string> = {
  EACCES: "permission denied",
  EEXIST: "exists already, and is not a folder",
  EMFILE: "this process has too many open files",
  ENFILE: "this machine has too many open files",
  ENOENT: "does not exist",
  ENOTDIR: "a part of the path is not a folder",
  EROFS: "the disk is read-only",
};

/** "/backups/a.tar: does not exist", of a failed call of the file system; undefined for other errors. */
function fileErrorOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", path, dest, syscall = "" } = error as NodeJS.ErrnoException & { dest?: string };
  if (code === "ENOSPC") return "There is no space left on the disk.";
  const text = code === "ENOENT" && syscall === "mkdir" ? "cannot be created here" : fileErrors[code];
  return text && path && !/^(connect|listen|spawn)/.test(syscall) ? `${dest ?? path}: ${text}` : undefined;
}

interface CommandOptions {
  /** Creates the embedded database if there is none. */
  creates?: boolean;
}

/**
 * Runs a command on the database. Exits with 2 and the usage after a mistake in the arguments, with 1 after another error. SIGTERM and
 * SIGINT end it at once, with 143 and 130: PostgreSQL rolls back the transaction in progress.
 * @param prepare checks the arguments, before the database is connected; returns the work
 */
export async function runCommand(
  usage: string,
  prepare: () => Promise<() => Promise<void>>,
  options: CommandOptions = {},
): Promise<void> {
  process.stdout.on("error", () => undefined); // its reader may end first, as head does: the work is still done
  const interruption = new AbortController();
  const ended = run(usage, prepare, options, interruption.signal);
  const end = () => {
    interruption.abort();
    return ended;
  };
  onSignal(end, (signal) => 128 + constants.signals[signal]);
  await ended;
}

async function run(
  usage: string,
  prepare: () => Promise<() => Promise<void>>,
  options: CommandOptions,
  interrupted: AbortSignal,
): Promise<void> {
  try {
    await withDatabase(await unlessAborted(interrupted, prepare), options, interrupted);
  } catch (error) {
    if (interrupted.aborted) return;
    const reason = fileErrorOf(error) ?? (error instanceof Error ? error.message : String(error));
    const message = databaseErrorText(error) ?? reason;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const isUsage = error instanceof UsageError || code.startsWith("ERR_PARSE_ARGS_");
    console.error(isUsage ? `${message}\n\n${usage}` : message);
    process.exit(isUsage ? 2 : 1);
  }
}

/**
 * Runs a command's work on the database that a server with the same environment uses, running or not. Stops the embedded PostgreSQL
 * afterwards if it started it, unless a server uses it by then.
 * @throws Error when there is no database yet
 */
async function withDatabase(
  work: () => Promise<void>,
  { creates = false }: CommandOptions,
  interrupted: AbortSignal,
): Promise<void> {
  const given = parseEnv(process.env);
  const { DATABASE_URL, DATABASE_URL_DIRECT, DATA_DIR, APP_SECRET } = given;
  exportSecrets(process.env, given);
  if (DATABASE_URL) bypassPooler(process.env, DATABASE_URL_DIRECT ?? DATABASE_URL);
  const secret = storedSecret(DATA_DIR);
  // The first start stores the secret before it creates the database, or has it from the environment.
  if (!DATABASE_URL && secret === null && !hasCluster(DATA_DIR) && !creates)
    throw new Error(`There is no Paydesk data in ${DATA_DIR}. Start Paydesk once, or set DATA_DIR or DATABASE_URL.`);
  // Encrypted values need the server's secret.
  if (!APP_SECRET && secret !== null) process.env.APP_SECRET = secret;
  const embedded = DATABASE_URL ? null : await ensurePostgres(DATA_DIR);
  if (embedded) {
    process.env.DATABASE_URL = embedded.url;
    process.env.DATABASE_MIGRATE_URL = embedded.ownerUrl;
  }
  try {
    await unlessAborted(interrupted, work);
  } finally {
    if (!interrupted.aborted) await disconnect(); // interrupted work may still hold connections, for which this would wait
    await embedded?.leave();
  }
}

export function commandOf<T>(commands: Record<string, T>, [name, ...others]: string[]): T {
  const command = name === undefined ? undefined : commands[name];
  if (name === undefined) throw new UsageError("Which command?");
  if (command === undefined) throw new UsageError(`Unknown command: ${name}`);
  if (others.length > 0) throw new UsageError("Only one command can be given.");
  return command;
}

export function required(name: string, value: string | undefined): string {
  if (!value) throw new UsageError(`--${name} is missing.`);
  return value;
}

export function businessId(value: string | undefined): number {
  const given = required("business", value);
  const id = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647)
    throw new UsageError("--business must be a business's number.");
  return id;
}

export function livemode(value: string | undefined): boolean {
  const mode = required("mode", value);
  if (mode !== "test" && mode !== "live") throw new UsageError("--mode must be test or live.");
  return mode === "live";
}
