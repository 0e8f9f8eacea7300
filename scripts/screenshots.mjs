// Takes screenshots of a bookshop's pages in both colour schemes and both widths:
//   npm run screenshots -- [folder]     every page, into screenshots/ by default
//   npm run screenshots -- docs         those of README and docs/, into docs/images/
import { resolve } from "node:path";
import { findChromium } from "./chromium.mjs";
import { exitWithError, generate, install, requireNode, root, step, tool, withLock } from "./steps.mjs";

requireNode();
const [what = "screenshots"] = process.argv.slice(2);
const docs = what === "docs";
const folder = docs ? resolve(root, "docs/images") : resolve(what);
process.chdir(root);

try {
  await withLock(async () => {
    await install();
    await generate();
  });
  const chromium = await findChromium();
  const env = { SHOTS: docs ? "docs" : "pages", SHOTS_FOLDER: folder, ...(chromium && { CHROMIUM_PATH: chromium }) };
  const args = ["test", "--config", "tests/screenshots/playwright.config.ts"];
  await step(`Taking screenshots into ${folder}`, () =>
    tool("@playwright/test/cli.js", args, { env, log: "screenshots.log" }),
  );
} catch (error) {
  exitWithError(error);
}
