import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { build, transform } from "esbuild";
import * as zod from "zod";

/** Parts of an endpoint that only the server, the documentation and the tests read. */
const notForBrowsers = new Set(["summary", "description", "declines", "conflicts"]);

/**
 * The build's loader for contracts in the browser (next.config.mjs). A page gets the endpoints' addresses and scopes, and
 * constants as JSON. Schemas load with the first call or form that needs them (lib/client/late-schema.ts), from the same file
 * with `?schemas`: decision 71.
 */
export default function contract() {
  const done = this.async();
  const { schemas = false } = this.getOptions();
  const work = schemas
    ? withSchemas(this.resourcePath)
    : withoutSchemas(this.resourcePath, (file) => this.addDependency(file));
  work.then(
    (script) => done(null, script),
    (error) => done(error),
  );
}

/** The contract, or the examples of events, as they are, with the schemas of what they import. */
async function withSchemas(file) {
  const { code } = await transform(await readFile(file, "utf8"), { loader: "ts", format: "esm", target: "es2022" });
  const imports = code.replace(/^((?:import|export) .*from "[^"]*(?:contract|\/examples))";$/gm, '$1?schemas";');
  return `import "@/lib/client/jitless";\n${imports}`;
}

/** This process's zod: bundled into each contract, it would take most of the loader's time. */
const ownZod = {
  name: "own-zod",
  setup({ onResolve, onLoad }) {
    globalThis.contractLoaderZod = zod;
    onResolve({ filter: /^zod$/ }, ({ path }) => ({ path, namespace: "own-zod" }));
    onLoad({ filter: /./, namespace: "own-zod" }, () => ({
      contents: "export const { z } = globalThis.contractLoaderZod;",
    }));
  },
};

async function withoutSchemas(file, onFile) {
  const options = { bundle: true, write: false, metafile: true, platform: "node", format: "esm", logLevel: "silent" };
  const { outputFiles, metafile } = await build({ ...options, entryPoints: [file], plugins: [ownZod] });
  for (const input of Object.keys(metafile.inputs)) if (!input.startsWith("own-zod:")) onFile(resolve(input));
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  const contract = await import(`data:text/javascript;base64,${code}`);
  const schemas = `"./${basename(file)}?schemas"`;
  return [
    'import { lateSchema } from "@/lib/client/late-schema";',
    `const load = () => import(${schemas});`,
    "const late = (pick) => lateSchema(load, pick);",
    ...Object.entries(contract).map(([name, value]) => exportOf(name, value, schemas)),
  ].join("\n");
}

function exportOf(name, value, schemas) {
  if (isSchema(value)) return `export const ${name} = /*#__PURE__*/ late((m) => m.${name});`;
  if (isTable(value)) {
    const endpoints = Object.entries(value).map(([key, endpoint]) => {
      const parts = Object.entries(endpoint);
      const facts = parts.filter(([part, fact]) => !notForBrowsers.has(part) && isFact(fact));
      const late = parts.flatMap(([part, schema]) =>
        isSchema(schema) ? `${part}: late((m) => m.${name}.${key}.${part})` : [],
      );
      return `${key}: { ...${JSON.stringify(Object.fromEntries(facts))}, ${late.join(", ")} }`;
    });
    return `export const ${name} = /*#__PURE__*/ (() => ({ ${endpoints.join(", ")} }))();`;
  }
  const json = JSON.stringify(value);
  if (json !== undefined && isDeepStrictEqual(JSON.parse(json), value)) return `export const ${name} = ${json};`;
  return `export { ${name} } from ${schemas};`;
}

const isSchema = (value) => typeof value === "object" && value !== null && "_zod" in value;
const isFact = (value) => value === null || ["string", "number", "boolean"].includes(typeof value);
const isTable = (value) =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((each) => each && isSchema(each.response) && typeof each.path === "string");
