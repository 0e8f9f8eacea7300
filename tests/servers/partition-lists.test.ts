import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { firstIdAt } from "@/lib/core/id";
import { maxChecked } from "@/lib/http/list";
import { emailListQuery } from "@/lib/resources/emails/contract";
import { emailSummaries } from "@/lib/resources/emails/resource";
import { keepPartitions, monthlyTables, monthStart } from "@/server/partitions";
import { actorOf, tasks } from "@/tests/bench/scale";
import { seedBusiness } from "@/tests/bench/scale-seed";
import { countEntries } from "@/tests/support/entries-read";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

// Lists of tables whose rows are in the partitions of 24 months.

const time = (months: number, days = 14) => new Date(monthStart(new Date(), months).getTime() + days * 86_400_000);
const kept = monthlyTables.map((table) => ({ ...table, retentionDays: () => 3_000 }));

const tables = ["email", "api_request", "webhook_delivery"];

let owner: Client;

const rowsOf = async <Row extends object>(sql: string): Promise<Row[]> => (await owner.query<Row>(sql)).rows;

afterAll(() => owner.end());

const rows = 6_000;
let actor = actorOf(0);

beforeAll(async () => {
  const url = await createDatabase();
  Object.assign(process.env, { DATABASE_URL: url, DATABASE_MIGRATE_URL: ownerUrl(url) }); // before the first query
  owner = new Client({ connectionString: ownerUrl(url) });
  await owner.connect();
  expect(await keepPartitions(undefined, { now: time(26), tables: kept })).toEqual([]);
  actor = actorOf(await seedBusiness(owner, { links: rows, subscriptions: 10, events: rows, others: rows }));
  // Deliveries move to other months than that of their event.
  await owner.query("ALTER TABLE webhook_delivery DROP CONSTRAINT webhook_delivery_of_event");
  // The seeded rows are spread over the last two years; their ids over the next two.
  for (const { name, prefix } of monthlyTables.filter(({ name }) => name !== "webhook_attempt"))
    for (let months = -24; months <= 0; months++)
      await owner.query(
        `UPDATE ${name} SET id = $1 || right(md5(id), 26) WHERE business_id = $2 AND created_at >= $3 AND created_at < $4`,
        [
          firstIdAt(prefix, time(months + 24)),
          actor.businessId,
          monthStart(new Date(), months),
          monthStart(new Date(), months + 1),
        ],
      );
  await owner.query("VACUUM ANALYZE");
});

it("has its rows in all of them", async () => {
  for (const table of tables)
    expect((await rowsOf(`SELECT tableoid FROM ${table} GROUP BY 1`)).length, table).toBeGreaterThanOrEqual(24);
});

it.each(
  tasks
    .filter(({ name }) => /^\/(emails|requests|webhook-deliveries|payment-links\/\{id\}\/timeline)/.test(name))
    .map((task) => [task.name, task] as const),
)("%s reads few of them", async (name, { first, last }) => {
  const limit = (/path=/.test(name) ? maxChecked : 0) + 1_200;
  for (const plan of ["force_custom_plan", "force_generic_plan"])
    for (const page of [first, ...(last ? [last] : [])])
      expect(await countEntries(tables, () => page(actor), plan), plan).toBeLessThan(limit);
});

it("has every row once on all its pages", async () => {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const query = emailListQuery.parse({ per_page: "100", ...(cursor ? { cursor } : {}) });
    const page = await emailSummaries.list(db, actor, query);
    found.push(...page.rows.map(({ _id }) => _id));
    cursor = page.page.next_cursor;
  } while (cursor);
  const inOrder = await rowsOf<{ id: string }>("SELECT id FROM email ORDER BY created_at DESC, id DESC");
  expect(found).toEqual(inOrder.map(({ id }) => id));
});

it("one row is looked up in its month alone", async () => {
  const [row] = await rowsOf<{ id: string }>("SELECT id FROM email LIMIT 1");
  const plan = await rowsOf<{ "QUERY PLAN": string }>(`EXPLAIN SELECT * FROM email WHERE id = '${row?.id}'`);
  expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).not.toContain("Append");
});
