import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { generate, giveUp, install, locked, needNode, root, step } from "./steps.mjs";

needNode();
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR);
process.chdir(root);
await locked(async () => {
  await install();
  await step("Generating the database client", generate);
}).catch(giveUp);

process.env.NODE_ENV = "development";
const { register } = await import("tsx/esm/api");
register();
await import(pathToFileURL(join(root, "server/dev.ts")).href);
