// Runs the fault suites at full size, each with its negative control: npm run test:faults [-- R1 R2 ...]
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "./chromium.mjs";
import { build, exitWithError, generate, install, requireNode, root, step, tool, withLock } from "./steps.mjs";

requireNode();
process.chdir(root);
const wanted = process.argv.slice(2);

try {
  await withLock(async () => {
    await install();
    await generate();
    await build();
  });
  const chromium = await findChromium();
  const log = join(root, "dist/faults.log");
  rmSync(log, { force: true });
  const args = [
    "run",
    "--project",
    "faults",
    "--no-file-parallelism",
    ...wanted.map((id) => `tests/faults/${id.toLowerCase()}-`),
  ];
  const env = { FAULTS: "full", ...(chromium && { CHROMIUM_PATH: chromium }) };
  const failure = await step("Faults", () => tool("vitest/vitest.mjs", args, { log: "faults-run.log", env })).then(
    () => null,
    (error) => error,
  );
  if (existsSync(log)) console.log(`\n${readFileSync(log, "utf8").trimEnd().split("\n").sort().join("\n")}\n`);
  if (failure) throw failure;
} catch (error) {
  exitWithError(error);
}
