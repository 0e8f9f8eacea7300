import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type Client, escapeIdentifier } from "pg";
import { columnList, publicTable, readPartitions, readTables } from "./catalog";
import { copyIn } from "./copy";
import { type Manifest, queueTable, tableOfPart } from "./manifest";
import type { Archive } from "./read";

const decompress = promisify(gunzip);
const maxPartBytes = 1 << 30;

/** What PostgreSQL prints for a partition's bound. */
const boundPattern = /^(DEFAULT|FOR VALUES [\w\s'():,.+-]+)$/;

const waitingJobs = escapeIdentifier("waiting_job");

/**
 * Fills the empty tables of the backup's schema, within the caller's transaction.
 * @returns the backup's tables that are not Paydesk's, such as a month that was detached: they are left out
 * @throws Error when the backup lacks a table of the schema, or has other columns
 */
export async function loadArchive(client: Client, archive: Archive): Promise<string[]> {
  const { manifest } = archive;
  await createPartitions(client, manifest.partitions);
  await boundOldDeliveries(client, manifest.partitions);
  const foreign = await foreignTables(client, manifest);
  const tables = manifest.tables.filter(({ name }) => !foreign.includes(name));
  await client.query(
    `CREATE TEMPORARY TABLE ${waitingJobs} (identifier text, payload json, run_at timestamptz, max_attempts int, key text,
                                            priority int) ON COMMIT DROP`,
  );
  await withoutConstraints(client, async () => {
    const names = tables.filter(({ name }) => name !== queueTable.name).map(({ name }) => publicTable(name));
    await client.query(`TRUNCATE ${names.join(", ")}`); // some migrations add rows
    await copyRows(client, archive, tables);
  });
  for (const { name, value } of archive.totals.sequences)
    await client.query("SELECT setval(to_regclass($1), $2::bigint) WHERE to_regclass($1) IS NOT NULL", [
      publicTable(name),
      value,
    ]);
  await client.query("DELETE FROM graphile_worker._private_jobs");
  await client.query(`
    SELECT graphile_worker.add_job(identifier, payload, run_at := run_at, max_attempts := max_attempts, job_key := key,
                                   priority := priority)
      FROM ${waitingJobs}`);
  return foreign;
}

async function copyRows(client: Client, { totals, entries }: Archive, tables: Manifest["tables"]): Promise<void> {
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]));
  const counts = new Map<string, number>();
  for await (const { name, content } of entries()) {
    const table = tableOfPart(name);
    const columns = table === null ? undefined : columnsOf.get(table);
    if (table === null || !columns) continue;
    const target = table === queueTable.name ? waitingJobs : publicTable(table);
    const rows = await decompress(content, { maxOutputLength: maxPartBytes });
    const count = await copyIn(client, `COPY ${target} (${columnList(columns)}) FROM STDIN`, rows);
    counts.set(table, (counts.get(table) ?? 0) + count);
  }
  for (const [table, count] of Object.entries(totals.rows))
    if (columnsOf.has(table) && (counts.get(table) ?? 0) !== count)
      throw new Error(`The backup has ${count} rows of ${table}, and ${counts.get(table) ?? 0} were added.`);
}

const sorted = (tables: { name: string; columns: string[] }[]): string[] =>
  tables.map(({ name, columns }) => `${name} (${columns.toSorted().join(", ")})`).toSorted();

/** @returns the names of the backup's tables that the schema does not have @throws Error when others differ */
async function foreignTables(client: Client, { tables }: Manifest): Promise<string[]> {
  const own = [...(await readTables(client)), queueTable];
  const foreign = tables.map(({ name }) => name).filter((name) => own.every((table) => table.name !== name));
  const here = sorted(own);
  const there = sorted(tables.filter(({ name }) => !foreign.includes(name)));
  const different = [...here.filter((one) => !there.includes(one)), ...there.filter((one) => !here.includes(one))];
  if (different.length > 0)
    throw new Error(`The backup's tables are not those of its migrations: ${different.join("; ")}`);
  return foreign;
}

/** Partitions are made by jobs, not by migrations: makes those of the backup. */
async function createPartitions(client: Client, partitions: Manifest["partitions"]): Promise<void> {
  const tables = await readTables(client);
  const wanted = partitions.filter(({ parent }) => tables.some(({ name }) => name === parent));
  const textOf = ({ name, parent, bound }: Manifest["partitions"][number]) => `${name} ${parent} ${bound}`;
  const existing = await readPartitions(client);
  for (const partition of existing)
    if (!wanted.some((one) => textOf(one) === textOf(partition)))
      await client.query(`DROP TABLE ${publicTable(partition.name)}`);
  for (const partition of wanted) {
    if (existing.some((one) => textOf(one) === textOf(partition))) continue;
    const { name, parent, bound } = partition;
    if (!boundPattern.test(bound)) throw new Error(`The partition ${name} has an unknown bound.`);
    await client.query(`CREATE TABLE ${publicTable(name)} PARTITION OF ${publicTable(parent)} ${bound}`);
  }
}

/**
 * Webhook deliveries made before there were months have random ids, and a unique index on their partition (decision 68). Moves this border
 * from where the migration has just put it to that of the backup. A table without partitions keeps the border of the migration, which is
 * newer than all rows of the backup.
 */
async function boundOldDeliveries(client: Client, partitions: Manifest["partitions"]): Promise<void> {
  const first = partitions.find(({ parent, bound }) => parent === "webhook_delivery" && bound.includes("(MINVALUE)"));
  const { rows } = await client.query<{ rule: string }>(
    `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint
      WHERE conrelid = (SELECT oid FROM pg_class WHERE oid = to_regclass('public.webhook_delivery') AND relkind = 'p')
        AND conname = 'webhook_delivery_of_event'`,
  );
  const rule = rows[0]?.rule;
  if (!rule) return; // the backup is from before the months
  const time = /'whd_(\w+)'/.exec(first?.bound ?? "")?.[1] ?? "0"; // without such rows, no id comes before the border
  await client.query(`
    ALTER TABLE public.webhook_delivery DROP CONSTRAINT webhook_delivery_of_event,
      ADD CONSTRAINT webhook_delivery_of_event ${rule.replace(/'(whd|evt)_\w+'::text/g, `'$1_${time}'::text`)}`);
  if (first)
    await client.query(
      `CREATE UNIQUE INDEX IF NOT EXISTS ${escapeIdentifier(`${first.name}_of_event`)} ON ${publicTable(first.name)} (endpoint_id, event_id)`,
    );
}

interface Reversible {
  drop: string;
  create: string;
}

/**
 * Runs `work` without foreign keys, triggers and the indexes that no constraint needs, and then creates them as they were: rows
 * come in any order, triggers have done their work already, and an index is built faster at once. Every foreign key is checked.
 */
async function withoutConstraints(client: Client, work: () => Promise<void>): Promise<void> {
  const { rows: foreignKeys } = await client.query<Reversible>(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
           format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
      FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0 ORDER BY conname`);
  const { rows: indexes } = await client.query<Reversible>(`
    SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop, pg_get_indexdef(i.indexrelid) AS create
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition AND i.indisvalid
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))`);
  const { rows: triggers } = await client.query<Reversible>(`
    SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS drop,
           format('ALTER TABLE %s ENABLE %s TRIGGER %I', tgrelid::regclass,
                  CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' ELSE '' END, tgname) AS create
      FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT tgisinternal AND tgparentid = 0 AND tgenabled <> 'D'`);
  for (const { drop } of [...foreignKeys, ...indexes, ...triggers]) await client.query(drop);
  await work();
  for (const { create } of [...indexes, ...foreignKeys, ...triggers]) await client.query(create);
}

/** Removes Paydesk's tables and functions, within the caller's transaction. */
export async function dropEverything(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT format('DROP TABLE IF EXISTS %s CASCADE', oid::regclass) AS statement FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    UNION ALL
    SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure) FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`);
  for (const { statement } of rows) await client.query(statement);
}
