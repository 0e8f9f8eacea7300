import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareDataDir } from "./postgres";
import { errorCode } from "./postgres-binaries";

const secretFile = (dataDir: string): string => join(dataDir, "secret");

/** The APP_SECRET of a data directory; null if it has none. */
export const storedSecret = (dataDir: string): string | null =>
  existsSync(secretFile(dataDir)) ? readFileSync(secretFile(dataDir), "utf8").trim() : null;

/** Stores an APP_SECRET in a data directory that has none. @returns the one that is there */
export function storeSecret(dataDir: string, secret = randomBytes(32).toString("base64url")): string {
  const file = secretFile(prepareDataDir(dataDir));
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, secret, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file); // atomic, and never overwrites an existing secret
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8").trim();
}
