import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { exitWithError, generate, install, requireNode, root, withLock } from "./steps.mjs";

requireNode();
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR);
process.chdir(root);
await withLock(async () => {
  await install();
  await generate();
}).catch(exitWithError);

process.env.NODE_ENV = "development";
const { register } = await import("tsx/esm/api");
register();
await import(pathToFileURL(join(root, "server/dev.ts")).href);
