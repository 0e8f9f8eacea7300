import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { projectRoot } from "@/server/migrate";
import { ensurePostgres, removeDataDir } from "@/server/postgres";

/**
 * Writes the next migration: the difference between the last migration's schema (prisma/migrations/schema.prisma) and
 * prisma/schema. `npm run migration -- add_notes` writes it; without a name it is only printed.
 *
 * The snapshot replaces the migrated database, because Prisma's engine as WebAssembly cannot read a schema from
 * PostgreSQL through the pg adapter (columns of type "char").
 */
const migrations = join(projectRoot, "prisma/migrations");
const snapshot = join(migrations, "schema.prisma");

const schemaDir = join(projectRoot, "prisma/schema");
const currentSchema = readdirSync(schemaDir)
  .filter((file) => file.endsWith(".prisma"))
  .sort()
  .map((file) => readFileSync(join(schemaDir, file), "utf8"))
  .join("\n")
  .replace(/^ *\/\/.*\n/gm, ""); // a reworded comment is no change to migrate

/** Prisma's schema engine as WebAssembly, so that no binary has to be downloaded. */
async function schemaEngine(url: string): Promise<SchemaEngine> {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const folder = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, "schema_engine_bg.wasm")), {
    "./schema_engine_bg.js": bindings as unknown as WebAssembly.ModuleImports,
  });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: url }));
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
}

/** The SQL from the last migration's schema to the current one. The engine requires a database and gets an empty one. */
async function diff(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "paydesk-migration-"));
  chmodSync(dataDir, 0o755); // as root, PostgreSQL's user must be able to enter
  const postgres = await ensurePostgres(dataDir);
  const model = (content: string) => ({
    tag: "schemaDatamodel" as const,
    files: [{ path: "schema.prisma", content }],
  });
  try {
    const engine = await schemaEngine(postgres.ownerUrl);
    const { stdout } = await engine.diff({
      from: existsSync(snapshot) ? model(readFileSync(snapshot, "utf8")) : { tag: "empty" },
      to: model(currentSchema),
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return (stdout ?? "").trim();
  } finally {
    await postgres.stop();
    removeDataDir(dataDir);
  }
}

const name = process.argv[2];
if (name && !/^[a-z0-9_]{1,60}$/.test(name)) throw new Error("A name has lower-case letters, digits and underscores.");
const sql = await diff();
if (/^(-- .*)?$/.test(sql)) console.log("Nothing to do: prisma/schema matches the last migration.");
else if (!name) console.log(sql);
else {
  const folder = `${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`;
  mkdirSync(join(migrations, folder));
  writeFileSync(join(migrations, folder, "migration.sql"), `${sql}\n`);
  writeFileSync(snapshot, currentSchema);
  console.log(
    `Wrote prisma/migrations/${folder}/migration.sql. Review it, and add constraints that Prisma's schema cannot express.`,
  );
}
