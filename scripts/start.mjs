import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, exitWithError, install, isReady, requireNode, root, withLock } from "./steps.mjs";

requireNode();
// A relative DATA_DIR is relative to the current directory. The default is in the checkout.
if (process.env.DATA_DIR) process.env.DATA_DIR = resolve(process.env.DATA_DIR);
process.chdir(root);
if (!isReady())
  await withLock(async () => {
    await install();
    await build();
  }).catch(exitWithError);

process.env.NODE_ENV = "production";
await import(pathToFileURL(join(root, "dist/main.mjs")).href);
