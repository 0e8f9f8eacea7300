import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { isDatabaseAway } from "@/lib/core/database-error";
import { openPipeline } from "@/lib/core/pipeline";
import { watchSilence } from "@/lib/core/silence";
import { createDatabase, execute, ownerUrl } from "@/tests/support/postgres";

const url = await createDatabase();
const watch = watchSilence(async () => new Set());
const pipeline = openPipeline({ connectionString: url, lock_timeout: 800 }, 1, watch);
afterAll(() => pipeline.end());

const runQuery = (text: string, values: unknown[] = [], name?: string) =>
  pipeline.query({ name, text, values, rowMode: "array" });
const backendOf = async (number: number) => {
  const { rows } = await runQuery("SELECT pg_backend_pid(), $1::int", [number], "backend");
  return { pid: rows[0]?.[0], number: rows[0]?.[1] };
};
const numbers = Array.from({ length: 200 }, (_, index) => index);

it("answers each of many queries over one connection", async () => {
  const answers = await Promise.all(numbers.map(backendOf));
  expect(answers.map((answer) => answer.number)).toEqual(numbers);
  expect(new Set(answers.map((answer) => answer.pid)).size).toBe(1);
});

it("fails one query without failing the others", async () => {
  const broken = runQuery("SELECT 1 / $1::int", [0]);
  const [failed, ...answers] = await Promise.allSettled([broken, ...numbers.map(backendOf)]);
  expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
  expect(answers.every(({ status }) => status === "fulfilled")).toBe(true);
});

it("fails what is in flight when the connection is lost, and opens another one", async () => {
  const before = await backendOf(0);
  const sleeping = runQuery("SELECT pg_sleep(30)").catch((error: unknown) => error);
  const behind = backendOf(1).catch((error: unknown) => error);
  await execute(url, `SELECT pg_terminate_backend(${before.pid})`);
  expect(isDatabaseAway(await sleeping)).toBe(true);
  expect(isDatabaseAway(await behind)).toBe(true);
  await expect.poll(async () => (await backendOf(2)).number).toBe(2);
  expect((await backendOf(3)).pid).not.toBe(before.pid);
});

it("fails all queries of the connection at once when one has waited too long for a lock", async () => {
  const locker = new Client({ connectionString: ownerUrl(url) });
  await locker.connect();
  await locker.query("CREATE TABLE locked (id int); GRANT SELECT ON locked TO PUBLIC");
  await locker.query("BEGIN; LOCK TABLE locked");
  const begun = Date.now();
  const waiting = ["locked", "locked", "locked", "pg_class"].map((table) =>
    runQuery(`SELECT count(*) FROM ${table}`).catch((error: unknown) => error),
  );
  expect((await Promise.all(waiting)).every(isDatabaseAway)).toBe(true);
  expect(Date.now() - begun).toBeLessThan(1_600);
  await locker.end();
  await expect(runQuery("SELECT count(*) FROM locked")).resolves.toMatchObject({ rowCount: 1 });
});

it("fails what waits for a connection that is lost before its limits are set, and opens another one", async () => {
  let loses = true;
  const sockets = new Set<Socket>();
  const { searchParams } = new URL(url);
  const relay = createServer((socket) => {
    const upstream = connect(`${searchParams.get("host")}/.s.PGSQL.5432`);
    for (const one of [socket, upstream]) sockets.add(one.on("error", () => undefined));
    socket.on("data", (bytes) => {
      if (loses && bytes.includes("SET lock_timeout"))
        loses = false; // no answer comes, and no other one is lost
      else upstream.write(bytes);
    });
    upstream.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  const behind = new URL(url);
  behind.search = "";
  behind.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const config = { connectionString: behind.href, lock_timeout: 800, connectionTimeoutMillis: 500 };
  const relayed = openPipeline(config, 1, watch);
  const run = () => relayed.query({ text: "SELECT 1", rowMode: "array" });
  expect(isDatabaseAway(await run().catch((error: unknown) => error))).toBe(true);
  await expect(run()).resolves.toMatchObject({ rowCount: 1 });
  await relayed.end();
  for (const socket of sockets) socket.destroy();
  relay.close();
});
