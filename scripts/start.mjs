import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, giveUp, install, isReady, locked, needNode, root } from "./steps.mjs";

needNode();
// A relative DATA_DIR means relative to where the command was given; without one, it is the checkout's own.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR);
process.chdir(root);
if (!isReady())
  await locked(async () => {
    await install();
    await build();
  }).catch(giveUp);

process.env.NODE_ENV = "production";
await import(pathToFileURL(join(root, "dist/main.mjs")).href);
