import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { Client } from "pg";
import {
  columnList,
  copySettings,
  publicTable,
  readMigrations,
  readPartitions,
  readSequences,
  readTables,
} from "./catalog";
import { CopyOut } from "./copy";
import { entryNames, type Manifest, partName, queueTable, type Totals } from "./manifest";
import { type TarEntry, tarEnd, tarEntry } from "./tar";

const compress = promisify(gzip);

/** Rows of a table are compressed and written in parts of this size, which bounds the memory of a backup. */
const partBytes = 4 << 20;

const queueRows = `
  SELECT t.identifier, j.payload, j.run_at, j.max_attempts, j.key, j.priority
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.attempts < j.max_attempts ORDER BY j.id`;

export type About = Pick<Manifest, "paydesk" | "secret" | "settings">;

/** One snapshot of a database, open until `close`. Paydesk goes on writing meanwhile. */
export class Snapshot {
  #client: Client;
  readonly totals: Totals = { rows: {}, sequences: [] };

  private constructor(
    client: Client,
    readonly manifest: Manifest,
  ) {
    this.#client = client;
  }

  /** @throws Error when the role may not read every row */
  static async open(url: string, about: About): Promise<Snapshot> {
    const client = new Client({
      connectionString: url,
      application_name: "paydesk-backup",
      connectionTimeoutMillis: 10_000,
    });
    client.on("error", () => undefined); // a statement that runs fails as well
    await client.connect();
    try {
      return new Snapshot(client, await beginSnapshot(client, about));
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** The archive's entries. Read them once, in order. */
  async *entries(secret: string | null): AsyncGenerator<TarEntry> {
    yield { name: entryNames.manifest, content: json(this.manifest) };
    if (secret !== null) yield { name: entryNames.secret, content: Buffer.from(secret) };
    for (const { name, columns, isPartitioned } of await readTables(this.#client)) {
      const [table, list] = [publicTable(name), columnList(columns)];
      yield* this.#parts(name, isPartitioned ? `(SELECT ${list} FROM ${table})` : `${table} (${list})`);
    }
    yield* this.#parts(queueTable.name, `(${queueRows})`);
    // Sequences know no snapshot. Read last, they are beyond every row.
    this.totals.sequences = await readSequences(this.#client);
    yield { name: entryNames.totals, content: json(this.totals) };
  }

  async *#parts(table: string, source: string): AsyncGenerator<TarEntry> {
    const copy = this.#client.query(new CopyOut(`COPY ${source} TO STDOUT`, partBytes));
    let index = 0;
    for await (const part of copy)
      yield { name: partName(table, ++index), content: await compress(part, { level: constants.Z_BEST_SPEED }) };
    this.totals.rows[table] = copy.rows;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

async function beginSnapshot(client: Client, about: About): Promise<Manifest> {
  const names = (await readTables(client)).map(({ name }) => publicTable(name));
  if (names.length === 0) throw new Error("This database has no tables of Paydesk.");
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  // A migration waits until the backup is done: otherwise it could change a table between the snapshot and its copy.
  await client.query(`LOCK TABLE ${names.join(", ")} IN ACCESS SHARE MODE`);
  await client.query(copySettings);
  const { rows } = await client.query<{ now: Date; version: string; hidden: string | null }>(`
    SELECT clock_timestamp() AS now, current_setting('server_version') AS version,
           (SELECT string_agg(c.relname, ', ') FROM pg_class c
             WHERE c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace) AND c.relrowsecurity
               AND row_security_active(c.oid) AND NOT EXISTS (
                 SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'all_rows')) AS hidden`);
  const [facts] = rows;
  if (!facts || facts.hidden)
    throw new Error(
      `This role may not read all rows of ${facts?.hidden}. Set DATABASE_MIGRATE_URL to the owner's address.`,
    );
  return {
    ...about,
    format: 1,
    created_at: facts.now.toISOString(),
    postgres: facts.version,
    migrations: await readMigrations(client),
    tables: [...(await readTables(client)).map(({ name, columns }) => ({ name, columns })), queueTable],
    partitions: await readPartitions(client),
  };
}

/** The bytes of an archive. Its last entry has the checksums of all others. */
export async function* archiveOf(entries: AsyncIterable<TarEntry>, createdAt: string): AsyncGenerator<Buffer> {
  const modified = Math.floor(Date.parse(createdAt) / 1_000);
  const sums: string[] = [];
  for await (const entry of entries) {
    sums.push(checksumLine(entry));
    yield tarEntry(entry, modified);
  }
  yield tarEntry({ name: entryNames.checksums, content: Buffer.from(sums.join("")) }, modified);
  yield tarEnd;
}

/** A line as `sha256sum` writes and checks it. */
export const checksumLine = ({ name, content }: TarEntry): string =>
  `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
