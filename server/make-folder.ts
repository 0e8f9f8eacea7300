import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./postgres-binaries";

/** Creates a folder and those above it. Node's `recursive` never ends below /proc, which answers ENOENT although it is there. */
export function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path), mode);
    makeFolder(path, mode);
  }
}
