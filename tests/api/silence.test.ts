import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { isDatabaseAway } from "@/lib/core/database-error";
import { watchSilence } from "@/lib/core/silence";
import { createDatabase } from "@/tests/support/postgres";

const url = await createDatabase();
const clients: Client[] = [];

const watch = watchSilence(async () => null);

const byBackends = watchSilence(async () => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT pid FROM pg_stat_activity WHERE state = 'active'");
  await client.end();
  return new Set(rows.map(({ pid }) => pid));
});

async function watched(pipeline = false, by = watch, limitMs = 1_000): Promise<Client> {
  const client = new Client({ connectionString: url, pipeline });
  client.on("error", () => undefined);
  clients.push(client);
  await client.connect();
  by.add(client, limitMs);
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

it.concurrent("closes the other silent connections when PostgreSQL answers on a new one", async () => {
  const lost = watchSilence(async () => new Set());
  const [idle, silent, used] = await Promise.all([1, 2, 3].map(() => watched(false, lost, 2_000)));
  const using = setInterval(() => void used?.query("SELECT 1"), 200);
  const error = await silent?.query("SELECT pg_sleep(30)").catch((error: unknown) => error);
  clearInterval(using);
  expect(isDatabaseAway(error)).toBe(true);
  expect(await idle?.query("SELECT 1").catch(isDatabaseAway)).toBe(true);
  expect((await used?.query("SELECT 1 AS one"))?.rows).toEqual([{ one: 1 }]);
});

it.concurrent("keeps a connection whose statement takes long when another one is lost", async () => {
  const [slow, lost] = await Promise.all([watched(false, byBackends, 20_000), watched(false, byBackends, 1_000)]);
  const answer = slow?.query("SELECT pg_sleep(5), 1 AS one");
  expect(isDatabaseAway(await lost?.query("SELECT pg_sleep(30)").catch((error: unknown) => error))).toBe(true);
  expect((await answer)?.rows).toMatchObject([{ one: 1 }]);
});
