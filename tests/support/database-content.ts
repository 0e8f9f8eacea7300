import { Client } from "pg";
import { ownerUrl } from "./postgres";

/** Reads what a database has, to compare a restored one with its source. */

type Settings = Record<string, string>;

/** Runs a statement as the owner of a server's database. */
export async function rows<Row>(settings: Settings, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: ownerUrl(settings.DATABASE_URL ?? "") });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export const tablesOf = async (settings: Settings) =>
  (
    await rows<{ name: string }>(
      settings,
      `SELECT relname::text AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** Differ by nature: what was applied, backed up or restored when, and when the gateways' balances were last read. */
const ownRecords = ["_prisma_migrations", "backup", "balance_import", "database_restore", "gateway_balance"];

/** The number of rows of each table, and a digest of them. */
export async function contentOf(settings: Settings): Promise<Record<string, string>> {
  const names = (await tablesOf(settings)).filter((name) => !ownRecords.includes(name));
  const digests = names.map(
    (name) =>
      `SELECT '${name}' AS name, count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C"), '')) AS digest
         FROM "${name}" t`,
  );
  const found = await rows<{ name: string; digest: string }>(settings, digests.join(" UNION ALL "));
  return Object.fromEntries(found.map(({ name, digest }) => [name, digest]));
}

/** Constraints, indexes, triggers, functions and rights. */
export const schemaOf = async (settings: Settings) =>
  (
    await rows<{ text: string }>(
      settings,
      `SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) AS text
         FROM pg_constraint WHERE connamespace = 'public'::regnamespace
       UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON oid = indrelid
        WHERE relnamespace = 'public'::regnamespace AND indisvalid
       UNION ALL SELECT concat(pg_get_triggerdef(t.oid), tgenabled) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
        WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
       UNION ALL SELECT concat_ws(' ', relname, relkind, array_to_string(coalesce(relacl,
           acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner)), ' ')) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'S') ORDER BY 1`,
    )
  ).map(({ text }) => text);

/** The next numbers, and the waiting jobs. */
export const countersOf = async (settings: Settings) =>
  rows(
    settings,
    `SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences
      WHERE schemaname = 'public' AND sequencename !~ '^(backup|database_restore|gateway_balance)_'
     UNION ALL SELECT concat_ws(' ', task_identifier, key), max_attempts::text FROM graphile_worker.jobs ORDER BY 1, 2`,
  );
