import { writeBillOfMaterials } from "./sbom.mjs";
import { build, exitWithError, install, requireNode, withLock } from "./steps.mjs";

requireNode();
await withLock(async () => {
  await install();
  await build();
  await writeBillOfMaterials();
}).catch(exitWithError);
