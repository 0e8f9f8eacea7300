import { type Client, escapeIdentifier } from "pg";
import type { Manifest } from "./manifest";

/** Settings of a transaction that make values look the same in each installation, and let no time limit end a long copy. */
export const copySettings = `
  SELECT set_config(name, value, true)
    FROM (VALUES ('client_encoding', 'UTF8'), ('DateStyle', 'ISO'), ('IntervalStyle', 'postgres'), ('TimeZone', 'UTC'),
                 ('extra_float_digits', '3'), ('bytea_output', 'hex'), ('statement_timeout', '0'),
                 ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0')) AS wanted (name, value)
    JOIN pg_settings USING (name)`;

export const publicTable = (name: string): string => `public.${escapeIdentifier(name)}`;

export const columnList = (columns: string[]): string => columns.map(escapeIdentifier).join(", ");

export interface Table {
  name: string;
  /** Those that are stored: not the generated ones. */
  columns: string[];
  isPartitioned: boolean;
}

/** Prisma's record of migrations is written anew by a restore. Partitions are read through their parent. */
export async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname::text AS name, c.relkind = 'p' AS "isPartitioned",
           array_agg(a.attname::text ORDER BY a.attname COLLATE "C") AS columns
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> '_prisma_migrations' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.oid, c.relname, c.relkind ORDER BY c.relname COLLATE "C"`);
  return rows;
}

export async function readPartitions(client: Client): Promise<Manifest["partitions"]> {
  const { rows } = await client.query<Manifest["partitions"][number]>(`
    SELECT c.relname::text AS name, p.relname::text AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
      FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relnamespace = 'public'::regnamespace AND c.relispartition AND c.relkind = 'r' ORDER BY c.relname`);
  return rows;
}

export async function readSequences(client: Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    SELECT sequencename::text AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename`);
  return rows;
}

export async function readMigrations(client: Client): Promise<Manifest["migrations"]> {
  const { rows } = await client.query<Manifest["migrations"][number]>(`
    SELECT migration_name::text AS name, checksum::text AS checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`);
  return rows;
}
