import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { isDatabaseAway } from "@/lib/core/errors";
import { closeWhenSilent } from "@/lib/core/silence";
import { createDatabase } from "@/tests/support/postgres";

const url = await createDatabase();
const clients: Client[] = [];

/** A connection that may be silent for one second. */
async function watched(pipeline = false): Promise<Client> {
  const client = new Client({ connectionString: url, pipeline });
  client.on("error", () => undefined);
  clients.push(client);
  await client.connect();
  closeWhenSilent(client, 1);
  return client;
}

afterAll(() => Promise.all(clients.map((client) => client.end().catch(() => undefined))));

it.concurrent("fails a query for which nothing comes", async () => {
  const client = await watched();
  const error = await client.query("SELECT pg_sleep(30)").catch((error: unknown) => error);
  expect(isDatabaseAway(error)).toBe(true);
  await expect(client.query("SELECT 1")).rejects.toThrow();
});

it.concurrent("fails a silent query although others are sent after it", async () => {
  const client = await watched(true);
  const waiting = [client.query("SELECT pg_sleep(30)").catch((error: unknown) => error)];
  for (let n = 0; n < 30; n++) {
    waiting.push(client.query("SELECT 1").catch((error: unknown) => error));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect((await Promise.all(waiting)).every(isDatabaseAway)).toBe(true);
});

it.concurrent("keeps a connection without a query, and one whose rows come", async () => {
  const idle = await watched();
  const busy = await watched();
  const rows = await busy.query("SELECT repeat('x', 20000), pg_sleep(0.5) FROM generate_series(1, 6)");
  expect(rows.rowCount).toBe(6);
  expect((await idle.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
});
