import { randomUUID } from "node:crypto";
import { Client } from "pg";

/** The migrated database that each test database copies. */
export const template = "paydesk_template";

export const databaseUrl = (url: string, database: string) => url.replace(/\/\w+(?=\?|$)/, `/${database}`);

export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Creates a database on the shared PostgreSQL: migrated, or empty. Never dropped: it ends with PostgreSQL. @returns its
 * URL
 */
export async function createDatabase({ empty = false } = {}): Promise<string> {
  const server = process.env.TEST_POSTGRES;
  if (!server) throw new Error("TEST_POSTGRES is missing: run the tests through npm test or vitest's projects");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${empty ? "template0" : template}`);
  return databaseUrl(server, name);
}
