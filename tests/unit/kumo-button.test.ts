import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import withoutTooltip from "@/scripts/kumo-button.cjs";

const root = join(import.meta.dirname, "../..");
const button = /^button-\w+\.js$/;
const chunks = join(root, "node_modules/@cloudflare/kumo/dist/chunks");

test("a button stays a module, and floats nothing beside itself", () => {
  const source = readFileSync(join(chunks, String(readdirSync(chunks).find((name) => button.test(name)))), "utf8");
  expect(source).toContain('from "./tooltip-');
  const kept = withoutTooltip(source);
  expect(kept).not.toContain('from "./tooltip-');
  transformSync(kept);
  expect(() => withoutTooltip(kept)).toThrow("no tooltip is imported");
});

/** The attributes of each use of an element, up to the end of its opening tag. */
function* attributesOf(element: string, source: string): Generator<string> {
  for (const { index, 0: found } of source.matchAll(new RegExp(`<${element}\\b`, "g"))) {
    const start = index + found.length;
    let depth = 0;
    let end = start;
    for (; end < source.length && !(source[end] === ">" && depth === 0); end++)
      depth += source[end] === "{" ? 1 : source[end] === "}" ? -1 : 0;
    yield source.slice(start, end);
  }
}

test("no button has a title, which would float beside it", () => {
  expect([...attributesOf("Button", '<Button onClick={() => a > 1} title="x">')]).toEqual([
    ' onClick={() => a > 1} title="x"',
  ]);
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".tsx"))
      .map((name) => join(root, folder, name)),
  );
  for (const file of files)
    for (const attributes of attributesOf("Button", readFileSync(file, "utf8")))
      expect(attributes, file).not.toMatch(/\btitle=/);
});
