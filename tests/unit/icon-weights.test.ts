import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import withoutUnusedWeights from "@/scripts/icon-weights.cjs";

const root = join(import.meta.dirname, "../..");
const icons = join(root, "node_modules/@phosphor-icons/react/dist/defs");
const sources = readdirSync(icons)
  .filter((name) => name.endsWith(".es.js"))
  .map((name) => readFileSync(join(icons, name), "utf8"));

const weights = (source: string): string[] => [...source.matchAll(/^ {4}"(\w+)",$/gm)].map(([, name]) => String(name));

test("every icon keeps the three weights that are drawn, and stays a module", () => {
  expect(sources.length).toBeGreaterThan(1000);
  for (const [index, source] of sources.entries()) {
    expect(weights(source).toSorted()).toEqual(["bold", "duotone", "fill", "light", "regular", "thin"]);
    const kept = withoutUnusedWeights(source);
    expect(weights(kept).toSorted()).toEqual(["bold", "fill", "regular"]);
    if (index % 50 === 0) transformSync(kept);
  }
});

test("no component draws another weight", () => {
  const files = readdirSync(join(root, "components"), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".tsx")))
    expect(readFileSync(join(root, "components", file), "utf8"), file).not.toMatch(/weight=\{?"(thin|light|duotone)"/);
});
