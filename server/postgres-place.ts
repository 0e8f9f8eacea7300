import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Account, canEnter, errorCode, makeSystemDir, systemDir } from "./postgres-binaries";

/** Kept in the data directory when the cluster itself lies elsewhere. */
interface Pointer {
  cluster: string;
  /** The data directory it was written for: tells a moved directory from a copied one. */
  dataDir: string;
  ready: boolean;
}

const pointerFile = (dataDir: string) => join(dataDir, "postgres.json");

/** What the data directory says of a cluster that lies elsewhere. */
export function readPointer(dataDir: string): Pointer | undefined {
  try {
    return JSON.parse(readFileSync(pointerFile(dataDir), "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function writePointer(pointer: Pointer, flag: "w" | "wx"): void {
  writeFileSync(pointerFile(pointer.dataDir), `${JSON.stringify(pointer, null, 2)}\n`, { flag, mode: 0o600 });
}

/** Where the cluster of a data directory is, or is to be. */
export async function locateCluster(dataDir: string, as: Account): Promise<string> {
  const pointer = readPointer(dataDir);
  if (pointer) {
    if (pointer.ready && !existsSync(pointer.cluster)) {
      throw new Error(
        `The database of ${dataDir} was kept in ${pointer.cluster}, which is gone. Restore it, or delete ` +
          `${pointerFile(dataDir)} to start with an empty one.`,
      );
    }
    if (pointer.dataDir !== dataDir) {
      if (readPointer(pointer.dataDir)?.cluster === pointer.cluster) {
        throw new Error(
          `${dataDir} is a copy of ${pointer.dataDir}, whose database lies in ${pointer.cluster} and was not copied. ` +
            `Delete ${pointerFile(dataDir)} to start with an empty one.`,
        );
      }
      writePointer({ ...pointer, dataDir }, "w");
    }
    return pointer.cluster;
  }

  const inside = join(dataDir, "postgres");
  if (existsSync(inside) || !as || (await canEnter(dataDir, as))) return inside;
  // The random part: a checkout that is deleted and cloned again at the same place starts afresh.
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

/** Notes that the cluster is complete: from now on its absence is a loss. */
export function markReady(dataDir: string): void {
  const pointer = readPointer(dataDir);
  if (pointer && !pointer.ready) writePointer({ ...pointer, ready: true }, "w");
}
