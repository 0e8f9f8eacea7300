import { Client } from "pg";
import type { Prisma } from "@/lib/core/db";
import { required } from "@/lib/core/env";

export type Read = <Row extends object>(sql: Prisma.Sql) => Promise<Row[]>;

/**
 * Reads whole tables, in one snapshot. Has a connection of its own: for a large database, a statement takes longer than the pool
 * allows.
 */
export async function readAll<T>(work: (read: Read) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: required("DATABASE_URL"), application_name: "paydesk books" });
  client.on("error", () => undefined); // a statement that runs fails as well
  await client.connect();
  try {
    await client.query("SET statement_timeout = 0"); // the role may have a limit
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await work(async ({ text, values }) => (await client.query(text, values)).rows);
  } finally {
    await client.end();
  }
}
