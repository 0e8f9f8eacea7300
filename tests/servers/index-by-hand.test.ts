import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it } from "vitest";
import { migrate, pendingMigrations } from "@/server/migrate";
import { monthlyTables } from "@/server/partitions";
import { openBefore } from "@/tests/support/migrations";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

const migrations = "prisma/migrations";
const fileOf = (name: string) => join(migrations, name, "migration.sql");
const statementsOf = (name: string): string[] =>
  readFileSync(fileOf(name), "utf8")
    .replace(/^ *--.*\n/gm, "")
    .split(/;\s*\n?/)
    .filter((statement) => statement.trim() !== "");

const withMonths = new RegExp(` ON "?(${monthlyTables.map(({ name }) => name).join("|")})\\b`);

/** The newest migration that does nothing but add indexes, to tables without months. */
const newest = readdirSync(migrations)
  .filter((name) => /^\d/.test(name))
  .toSorted()
  .findLast((name) =>
    statementsOf(name).every((statement) => /^\s*CREATE INDEX /.test(statement) && !withMonths.test(statement)),
  );

/** The statement of docs/operations.md, Upgrades, with a migration's name and the checksum that sha256sum prints. */
function recordOf(name: string): string {
  const text = readFileSync("docs/operations.md", "utf8").replace(/\s+/g, " ");
  const [, statement = ""] = /`(INSERT INTO _prisma_migrations [^`]+)`/.exec(text) ?? [];
  const [checksum = ""] = execFileSync("sha256sum", [fileOf(name)], { encoding: "utf8" }).split(" ");
  const filled = statement.replace("name of its folder", name).replace("checksum of its migration.sql", checksum);
  expect(filled).toContain(`'${name}', '${checksum}'`);
  return filled;
}

const definitions = `
  SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname = ANY($1) ORDER BY indexname`;

it("an index that was built by hand before an upgrade is the migration's", async () => {
  const name = String(newest);
  const { url, client } = await openBefore(name);
  for (const statement of statementsOf(name))
    await client.query(statement.replace("CREATE INDEX ", "CREATE INDEX CONCURRENTLY "));
  const { rows } = await client.query("SELECT FROM pg_index WHERE NOT indisvalid");
  expect(rows).toEqual([]);
  // Without the record, the upgrade fails as the page says, and leaves the old version's database.
  await expect(migrate(url)).rejects.toThrow(/already exists/);
  await client.query(recordOf(name));
  expect(await migrate(url)).not.toContain(name);
  expect(await pendingMigrations(url)).toEqual([]);

  const names = statementsOf(name).map((statement) => /CREATE INDEX "?(\w+)/.exec(statement)?.[1]);
  const byMigration = new Client({ connectionString: ownerUrl(await createDatabase()) });
  await byMigration.connect();
  const { rows: expected } = await byMigration.query(definitions, [names]);
  expect(expected).toHaveLength(names.length);
  expect((await client.query(definitions, [names])).rows).toEqual(expected);
  await Promise.all([client.end(), byMigration.end()]);
});
