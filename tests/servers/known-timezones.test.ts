import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { openBefore } from "@/tests/support/migrations";

const name = "20261130080000_known_timezones";

/** The former zone and the one that replaces it. */
const zones = [
  ["Europe/Berlin", "Europe/Berlin"],
  ["europe/zurich", "europe/zurich"],
  ["AET", "Australia/Sydney"],
  ["aet", "Australia/Sydney"],
  ["IST", "Asia/Kolkata"],
  ["PST", "America/Los_Angeles"],
  ["US/Pacific-New", "America/Los_Angeles"],
  ["Mars/Olympus", "Mars/Olympus"], // not a name of Node's
] as const;

const shown = (at: string, timeZone: string) => new Date(at).toLocaleString("sv", { timeZone });

it("businesses and subscriptions get zones that PostgreSQL knows, with the same time in Node; other names stay", async () => {
  const { url, client } = await openBefore(name);
  for (const [id, [former]] of zones.entries()) {
    await client.query("INSERT INTO business (id, name, timezone) VALUES ($1, 'Bookshop', $2)", [id + 1, former]);
    await client.query(
      `INSERT INTO package (id, business_id, livemode, name, amount_cents, currency, frequency)
       VALUES ('pkg_' || $1::int, $1::int, true, 'Reading club', 1500, 'EUR', 'monthly')`,
      [id + 1],
    );
    // The business has changed its zone since: the subscription keeps its own.
    await client.query(
      `INSERT INTO subscription (id, business_id, livemode, package_id, email, status, anchor, timezone, amount_cents)
       VALUES ('sub_' || $1::int, 1, true, 'pkg_1', 'ada@example.com', 'active', '2026-01-31T00:00:00', $2, 1500)`,
      [id + 1, former],
    );
  }
  expect(await migrate(url)).toContain(name);
  for (const table of ["business", "subscription"]) {
    const { rows } = await client.query<{ timezone: string }>(`SELECT timezone FROM ${table} ORDER BY id`);
    expect(
      rows.map(({ timezone }) => timezone),
      table,
    ).toEqual(zones.map(([, timezone]) => timezone));
  }
  // Every name of the migration: charges stay at their times.
  const sql = readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8");
  const renamed = [...sql.matchAll(/^ {2}\('(.+)', '(.+)'\),?$/gm)].map(([, former = "", zone = ""]) => ({
    former,
    zone,
  }));
  expect(renamed).toHaveLength(40);
  for (const { former, zone } of renamed)
    for (const at of ["2027-01-15T12:00:00Z", "2027-07-15T12:00:00Z"])
      expect(shown(at, former), former).toBe(shown(at, zone));
  const { rows: unknown } = await client.query(
    "SELECT zone FROM unnest($1::text[]) AS zone WHERE zone NOT IN (SELECT name FROM pg_timezone_names)",
    [renamed.map(({ zone }) => zone)],
  );
  expect(unknown).toEqual([]);
  await client.end();
});
