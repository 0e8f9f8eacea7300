import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contractResolver } from "@/components/ui/contract-form";
import { lateSchema, schemaOf } from "@/lib/client/late-schema";
import type { Endpoint } from "@/lib/http/endpoint";
import contractLoader from "@/lib/resources/contract-loader.mjs";

const folder = resolve("lib/resources");
const contracts = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => /contract\.ts$/.test(file))
  .map((file) => join(folder, file));

function load(resourcePath: string, schemas = false): Promise<string> {
  return new Promise((done, fail) => {
    contractLoader.call({
      resourcePath,
      getOptions: () => ({ schemas }),
      addDependency: () => undefined,
      async: () => (error: Error | null, script?: string) => (error ? fail(error) : done(script ?? "")),
    });
  });
}

/** Runs the browser's script. A schema is its loader; what is exported from the file with schemas is left out. */
async function run(script: string): Promise<Record<string, unknown>> {
  const alone = script
    .replace(/^import .*$/m, "const lateSchema = (load, pick) => ({ load: () => load().then(pick) });")
    .replaceAll(/^export \{.*$/gm, "");
  return import(`data:text/javascript,${encodeURIComponent(alone)}`);
}

test("in the browser a contract has its endpoints' addresses and scopes and its constants, and no schemas and texts", async () => {
  expect(contracts.length).toBeGreaterThan(30);
  let endpoints = 0;
  for (const file of contracts) {
    const script = await load(file);
    expect(script).not.toMatch(/zod|"summary"/);
    const whole: Record<string, unknown> = await import(file);
    for (const [name, value] of Object.entries(await run(script))) {
      if (!name.endsWith("Endpoints")) {
        if (!(value as { load?: unknown }).load) expect(value, name).toEqual(whole[name]);
        continue;
      }
      const all = whole[name] as Record<string, Endpoint>;
      expect(Object.keys(value as object), name).toEqual(Object.keys(all));
      for (const [key, { response, body, query, ...facts }] of Object.entries(value as Record<string, Endpoint>)) {
        const { method, path, scope, alsoRequires, list, ...parts } = all[key] as Endpoint;
        for (const [part, schema] of Object.entries({ response, body, query }))
          expect(schema, `${name}.${key}.${part}`).toEqual(
            (part in parts && { load: expect.any(Function) }) || undefined,
          );
        expect(facts, `${name}.${key}`).toMatchObject(
          JSON.parse(JSON.stringify({ method, path, scope, alsoRequires, list })),
        );
        expect(facts, `${name}.${key}`).not.toHaveProperty("example");
        expect(facts, `${name}.${key}`).not.toHaveProperty("description");
        endpoints++;
      }
    }
  }
  expect(endpoints).toBeGreaterThan(100);
}, 60_000);

test("only a few exports, which no page needs at first, bring the schemas with them", async () => {
  const scripts = await Promise.all(contracts.map((file) => load(file)));
  const names = scripts.flatMap((script) => [...script.matchAll(/^export \{ (\w+) \}/gm)].map(([, name]) => name));
  expect(names.sort()).toEqual(["annotationEndpoint", "annotationFields", "annotations", "headersOf", "messageOf"]);
}, 60_000);

test("a contract with its schemas imports contracts and examples with theirs", async () => {
  for (const file of [...contracts, join(folder, "events/examples.ts")]) {
    const imports = [...(await load(file, true)).matchAll(/from\s+"([^"]*(?:contract|\/examples)[^"]*)"/g)];
    expect(
      imports.filter(([, path]) => !path?.endsWith("?schemas")),
      file,
    ).toEqual([]);
  }
  expect(await load(join(folder, "payments/contract.ts"), true)).toContain("payment-links/contract?schemas");
  expect(await load(join(folder, "events/payload-contract.ts"), true)).toContain("./examples?schemas");
});

test("what runs in the browser takes schemas only as they are", () => {
  const files = ["components", "lib/resources"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && (folder === "components" || file.endsWith("queries.ts")))
      .map((file) => join(folder, file)),
  );
  const derived = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\b\w+\.(pick|omit|extend|partial|shape|safeParse|superRefine)\b/g)].map(
      ([use]) => `${file}: ${use}`,
    ),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(derived).toEqual([]);
});

test("a late schema is loaded by schemaOf, and says so if it is used without", async () => {
  const schema = z.object({ name: z.string() });
  const late = lateSchema(
    async () => ({ schema }),
    (module) => module.schema,
  );
  expect(await schemaOf(late)).toBe(schema);
  expect(await schemaOf(schema)).toBe(schema);
  expect(() => late.safeParse({})).toThrow("A schema of the browser has no safeParse: load it with schemaOf");
});

describe("a form whose schema does not load", () => {
  const check = (script: () => Promise<{ schema: z.ZodObject }>) =>
    contractResolver<{ amount: string }>(
      lateSchema(script, (module) => module.schema.omit({})),
      (values) => values,
    )({ amount: "ten" }, undefined, {
      fields: { amount: { ref: { name: "amount" }, name: "amount" } },
      shouldUseNativeValidation: false,
    });

  test("is not sent: its first field says so", async () => {
    // As the framework names it (turbopack's runtime).
    const failure = Object.assign(new Error("Failed to load chunk"), { name: "ChunkLoadError" });
    expect((await check(() => Promise.reject(failure))).errors.amount?.message).toBe(
      "A part of the page could not be loaded. Check the connection and try again.",
    );
  });

  test("shows an error of ours as it is, such as a schema that its script does not have", async () => {
    await expect(check(async () => ({}) as { schema: z.ZodObject })).rejects.toThrow(TypeError);
  });
});

test("a form's error about an entry of a list is its field's", async () => {
  const schema = z.object({
    networks: z.array(z.string().max(9, "The networks must not be greater than 9 characters.")),
  });
  const { errors } = await contractResolver<{ networks: string }>(schema, ({ networks }) => ({
    networks: networks.split(" "),
  }))({ networks: "10.0.0.1 203.0.113.77" }, undefined, { fields: {}, shouldUseNativeValidation: false });
  expect(errors.networks?.message).toBe("The networks must not be greater than 9 characters.");
});
