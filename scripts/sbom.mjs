import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprint, npm, root, step } from "./steps.mjs";

const file = join(root, "dist/sbom.json");
const stampFile = join(root, "dist/.sbom-stamp");

/**
 * The packages that run in production, as a software bill of materials (CycloneDX). npm makes it from a package.json without
 * development packages, because its own `--omit dev` also leaves out what both need, such as zod.
 */
export async function billOfMaterials() {
  const [manifest, lock] = ["package.json", "package-lock.json"].map((name) =>
    JSON.parse(readFileSync(join(root, name), "utf8")),
  );
  delete manifest.devDependencies;
  delete lock.packages[""].devDependencies;
  const folder = mkdtempSync(join(tmpdir(), "paydesk-sbom-"));
  const cwd = join(folder, manifest.name); // npm takes the name from the folder
  mkdirSync(cwd);
  try {
    writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(cwd, "package-lock.json"), JSON.stringify(lock));
    const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only"];
    return JSON.parse(await npm([...args, "--loglevel=error"], { cwd, log: "sbom.log" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes dist/sbom.json, unless the packages have not changed since. */
export async function writeBillOfMaterials() {
  const stamp = fingerprint(["package.json", "package-lock.json", "scripts/sbom.mjs"]);
  if (existsSync(file) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  await step("Listing the packages (npm sbom)", async () =>
    writeFileSync(file, `${JSON.stringify(await billOfMaterials(), null, 2)}\n`),
  );
  writeFileSync(stampFile, stamp);
}
