import { randomUUID } from "node:crypto";
import { Client } from "pg";

/** The migrated database that each test database copies. */
export const template = "paydesk_template";

export const databaseUrl = (url: string, database: string) => url.replace(/\/\w+(?=\?|$)/, `/${database}`);

/** The same database's address for its owner, who may also do what the application may not. */
export const ownerUrl = (url: string): string => url.replace(/\/\/paydesk_app(:[^@]*)?@/, "//paydesk@");

export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Runs statements on this process's database as its owner: staging of what never happens by itself. */
export const asOwner = (...statements: string[]): Promise<void> =>
  execute(ownerUrl(process.env.DATABASE_URL ?? ""), ...statements);

/** The folder with the files of this process's database. */
export async function dataDirectory(): Promise<string> {
  const client = new Client({ connectionString: ownerUrl(process.env.DATABASE_URL ?? "") });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
  await client.end();
  if (!rows[0]) throw new Error("PostgreSQL does not say where its data is");
  return rows[0].data_directory;
}

/**
 * Creates a database on the shared PostgreSQL: migrated, or empty. Never dropped: it ends with PostgreSQL. @returns its
 * URL for the role that serves requests
 */
export async function createDatabase({ empty = false } = {}): Promise<string> {
  const server = process.env.TEST_POSTGRES;
  if (!server) throw new Error("TEST_POSTGRES is missing: run the tests through npm test or vitest's projects");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  // FILE_COPY takes a fifth of the processor time of WAL_LOG, which writes each page into the log.
  const from = `TEMPLATE ${empty ? "template0" : template} STRATEGY FILE_COPY`;
  await execute(ownerUrl(server), `CREATE DATABASE ${name} ${from}`);
  return databaseUrl(server, name);
}
