import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { migrate } from "@/server/migrate";
import { createDatabase, ownerUrl } from "./postgres";

/** A new folder with the migrations before one. */
export function migrationsBefore(first: string): string {
  const dir = mkdtempSync(join(tmpdir(), "paydesk-migrations-"));
  cpSync("prisma/migrations", dir, { recursive: true });
  for (const name of readdirSync(dir).filter((name) => /^\d/.test(name) && name >= first))
    rmSync(join(dir, name), { recursive: true });
  return dir;
}

/** A new database with the migrations before one, and a connection as its owner, for the test to end. */
export async function openBefore(first: string): Promise<{ url: string; client: Client }> {
  const url = ownerUrl(await createDatabase({ empty: true }));
  const before = migrationsBefore(first);
  await migrate(url, before);
  rmSync(before, { recursive: true });
  const client = new Client({ connectionString: url });
  await client.connect();
  return { url, client };
}

/** How many rows a migration reads of the tables that have these names before it. It is rolled back. */
export async function rowsReadBy(owner: Client, name: string, tables: string[]): Promise<number> {
  const { rows } = await owner.query<{ oids: number[] }>("SELECT $1::regclass[]::oid[]::int[] AS oids", [tables]);
  const count = async () => {
    const { rows: counts } = await owner.query<{ count: number }>(
      "SELECT sum(pg_stat_get_xact_tuples_returned(oid::oid))::int AS count FROM unnest($1::int[]) AS oid",
      [rows[0]?.oids],
    );
    return counts[0]?.count ?? 0;
  };
  await owner.query("BEGIN");
  const before = await count();
  await owner.query(readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8"));
  const read = (await count()) - before;
  await owner.query("ROLLBACK");
  return read;
}

/** The indexes, constraints, triggers and columns of tables. */
export async function definitionsOf(owner: Client, tables: string[]): Promise<string[]> {
  const { rows } = await owner.query<{ definition: string }>(
    `SELECT replace(pg_get_indexdef(indexrelid), ' ONLY', '') || indisvalid AS definition
       FROM pg_index WHERE indrelid = ANY ($1::regclass[])
     UNION ALL
     SELECT conrelid::regclass || conname || pg_get_constraintdef(oid) || convalidated
       FROM pg_constraint WHERE conrelid = ANY ($1::regclass[])
     UNION ALL
     SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE tgrelid = ANY ($1::regclass[]) AND NOT tgisinternal
     UNION ALL
     SELECT attrelid::regclass || attname || format_type(atttypid, atttypmod) || attnotnull || coalesce(pg_get_expr(adbin, adrelid), '')
       FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE attrelid = ANY ($1::regclass[]) AND attnum > 0 AND NOT attisdropped
     ORDER BY 1`,
    [tables],
  );
  return rows.map(({ definition }) => definition);
}

/** The rights of all roles on tables and their columns. */
export async function rightsOn(owner: Client, tables: string[]): Promise<{ privilege: string }[]> {
  const { rows } = await owner.query<{ privilege: string }>(
    `SELECT format('%s on %s to %s', privilege_type, oid::regclass, grantee::regrole) AS privilege
       FROM pg_class, aclexplode(relacl) WHERE oid = ANY ($1::regclass[])
     UNION ALL
     SELECT format('%s of %s.%I to %s', privilege_type, attrelid::regclass, attname, grantee::regrole)
       FROM pg_attribute, aclexplode(attacl) WHERE attrelid = ANY ($1::regclass[])
     ORDER BY 1`,
    [tables],
  );
  return rows;
}
