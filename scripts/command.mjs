// Runs a command: node scripts/command.mjs api-key list. Bundles scripts/*.ts first if the sources have changed.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exitWithError, prepareCommands, requireNode, root } from "./steps.mjs";

requireNode();
const [name] = process.argv.splice(2, 1);
await prepareCommands().catch(exitWithError);
await import(pathToFileURL(join(root, `dist/command-${name}.mjs`)).href);
