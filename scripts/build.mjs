import { build, exitWithError, install, requireNode, withLock } from "./steps.mjs";

requireNode();
await withLock(async () => {
  await install();
  await build();
}).catch(exitWithError);
