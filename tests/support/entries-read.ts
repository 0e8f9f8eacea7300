import type { Client } from "pg";
import { db, execute, inOneTransaction, Prisma, queryRows } from "@/lib/core/db";

/** Sets the mode of plans, and finds the tables with their partitions, and the indexes of all of them: oids, separated by commas. */
async function prepareCount(tables: readonly string[], plan: string): Promise<string> {
  await execute(db, Prisma.sql`DISCARD PLANS`);
  const [row] = await queryRows<{ oids: string }>(
    db,
    Prisma.sql`
    WITH RECURSIVE relations (relation) AS (
      SELECT unnest(${tables}::regclass[])::oid
      UNION SELECT inhrelid FROM relations JOIN pg_inherits ON inhparent = relation)
    SELECT string_agg(relation::text, ',') AS oids, set_config('plan_cache_mode', ${plan}, true) FROM (
      SELECT relation FROM relations
      UNION ALL SELECT indexrelid FROM pg_index JOIN relations ON indrelid = relation) AS counted`,
  );
  return row?.oids ?? "";
}

/** Entries of these relations that PostgreSQL has read in this transaction. */
async function entriesRead(oids: string): Promise<number> {
  const [row] = await queryRows<{ entries: number }>(
    db,
    Prisma.sql`
    SELECT sum(pg_stat_get_xact_tuples_returned(relation))::int AS entries
      FROM unnest(string_to_array(${oids}::text, ',')::oid[]) AS relation`,
  );
  return row?.entries ?? 0;
}

/**
 * Counts the entries of these tables and their indexes that each of `works` reads, one after the other.
 * @param works make no partition and no index of the tables: those are not counted
 * @param plan PostgreSQL's plan_cache_mode; plans made before are not used
 */
export const countEntriesOfEach = (
  tables: readonly string[],
  works: (() => Promise<unknown>)[],
  plan: string,
): Promise<number[]> =>
  inOneTransaction(async () => {
    const oids = await prepareCount(tables, plan);
    const counts: number[] = [];
    let before = await entriesRead(oids);
    for (const work of works) {
      await work();
      const after = await entriesRead(oids);
      counts.push(after - before);
      before = after;
    }
    return counts;
  });

/** Like `countEntriesOfEach`, for one work. */
export const countEntries = async (
  tables: readonly string[],
  work: () => Promise<unknown>,
  plan: string,
): Promise<number> => (await countEntriesOfEach(tables, [work], plan))[0] ?? 0;

/** The relations that hold the tables' rows: for a table by month, its partitions. */
export async function relationsOf(client: Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind = 'r' AND (oid = ANY ($1::regclass[])
            OR oid IN (SELECT relid FROM unnest($1::regclass[]) AS t, pg_partition_tree(t)))`,
    [tables],
  );
  return rows.map(({ name }) => name);
}
