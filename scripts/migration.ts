import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { projectRoot, schemaEngine } from "@/server/migrate";
import { ensurePostgres, removeDataDir } from "@/server/postgres";

/**
 * Writes the next migration: what lies between the schema as of the last one (kept in prisma/migrations/schema.prisma)
 * and prisma/schema today. `npm run migration -- add_notes` writes it, without a name it is only printed, and
 * `--initial` rewrites the generated part of the first migration, which is allowed until the first release.
 */
const migrations = join(projectRoot, "prisma/migrations");
const snapshot = join(migrations, "schema.prisma");
const byHand = "-- By hand: what the Prisma schema cannot say.";

const initial = "20261121000000_initial";

const schemaDir = join(projectRoot, "prisma/schema");
const today = readdirSync(schemaDir)
  .filter((file) => file.endsWith(".prisma"))
  .sort()
  .map((file) => readFileSync(join(schemaDir, file), "utf8"))
  .join("\n");

/** The engine insists on a database even to compare two files, so it gets an empty one. */
async function diff(from: string | null): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "paydesk-migration-"));
  chmodSync(dataDir, 0o755);
  const postgres = await ensurePostgres(dataDir);
  try {
    return await diffWith(await schemaEngine(postgres.url), from);
  } finally {
    await postgres.stop();
    removeDataDir(dataDir);
  }
}

async function diffWith(engine: SchemaEngine, from: string | null): Promise<string> {
  const model = (content: string) => ({
    tag: "schemaDatamodel" as const,
    files: [{ path: "schema.prisma", content }],
  });
  const { stdout } = await engine.diff({
    from: from === null ? { tag: "empty" } : model(from),
    to: model(today),
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return (stdout ?? "").trim();
}

function write(name: string, sql: string) {
  mkdirSync(join(migrations, name), { recursive: true });
  writeFileSync(join(migrations, name, "migration.sql"), sql);
  writeFileSync(snapshot, today);
  console.log(`Wrote prisma/migrations/${name}/migration.sql. Read it, and add by hand what the schema cannot say.`);
}

const argument = process.argv[2];
if (argument === "--initial") {
  const file = join(migrations, initial, "migration.sql");
  const hand = existsSync(file) ? readFileSync(file, "utf8").split(byHand)[1] : "\n";
  if (hand === undefined) throw new Error(`${file} has lost the line that separates its two parts: ${byHand}`);
  write(initial, `${await diff(null)}\n\n${byHand}${hand}`);
} else {
  const sql = await diff(existsSync(snapshot) ? readFileSync(snapshot, "utf8") : null);
  if (/^(-- .*)?$/.test(sql)) console.log("Nothing to do: prisma/schema is what the last migration left.");
  else if (!argument) console.log(sql);
  else if (!/^[a-z0-9_]{1,60}$/.test(argument))
    throw new Error("A name has lower-case letters, digits and underscores.");
  else write(`${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}_${argument}`, `${sql}\n`);
}
