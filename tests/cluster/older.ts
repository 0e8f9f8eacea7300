import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const run = (file: string, args: string[], cwd = process.cwd()) =>
  execFileSync(file, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 }).trim();

/**
 * Builds the version before the newest migration. Its dashboard is not built: only the API, the payers' pages and the jobs.
 * @returns its folder
 */
export async function olderVersion(): Promise<string> {
  const [newest = ""] = run("git", [
    "log",
    "-1",
    "--format=%h",
    "--diff-filter=A",
    "--",
    "prisma/migrations/*/migration.sql",
  ]).split("\n");
  const folder = join(process.cwd(), "dist/cluster-older");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-x", "-C", folder], {
    input: execFileSync("git", ["archive", `${newest}~`], { maxBuffer: 1 << 28 }),
  });
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  console.log(`  the version before ${newest}`);
  const build = `
    const { generate } = await import("./scripts/steps.mjs");
    await generate();
    await (await import("./scripts/bundle.mjs")).bundle();`;
  run(process.execPath, ["--input-type=module", "-e", build], folder);
  if (existsSync(".next")) cpSync(".next", join(folder, ".next"), { recursive: true }); // its pages are not requested
  return folder;
}
