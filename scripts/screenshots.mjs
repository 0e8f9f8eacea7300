// Pictures of every page in both colours and both widths, of a bookshop with some months behind it:
//   npm run screenshots -- [folder]     every page, into screenshots/ unless another folder is named
//   npm run screenshots -- docs         the few of README and docs/, into docs/images/
import { resolve } from "node:path";
import { findChromium } from "./chromium.mjs";
import { generate, giveUp, install, locked, needNode, root, step, tool } from "./steps.mjs";

needNode();
const [what = "screenshots"] = process.argv.slice(2);
const docs = what === "docs";
const folder = docs ? resolve(root, "docs/images") : resolve(what);
process.chdir(root);

try {
  await locked(async () => {
    await install();
    await step("Generating the database client", generate);
  });
  const chromium = await findChromium();
  const env = { SHOTS: docs ? "docs" : "pages", SHOTS_FOLDER: folder, ...(chromium && { CHROMIUM_PATH: chromium }) };
  const args = ["test", "--config", "tests/screenshots/playwright.config.ts"];
  await step(`Taking pictures into ${folder}`, () =>
    tool("@playwright/test/cli.js", args, { env, log: "screenshots.log" }),
  );
} catch (error) {
  giveUp(error);
}
