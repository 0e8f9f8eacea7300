/** What a page of a timeline costs, and that it does not cost more the longer the history is. */
import { deepEqual } from "node:assert/strict";
import type { Client } from "pg";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { cursorAt } from "@/lib/http/list";
import { timelineOfSubscription } from "@/lib/resources/timeline/service";
import { median } from "./load";
import { printTable } from "./report";
import type { Sizes } from "./sizes";

/** Of each period: four events, a mail, two webhook deliveries and a visit. */
const perPeriod = 8;

/** A daily subscription that has been paid for so many days, with all that is told of it. */
async function seedHistory(client: Client, businessId: number, periods: number): Promise<string> {
  const id = newId("sub");
  const day = (n: string) => `date_trunc('day', now()) - ($2::int - ${n}) * interval '1 day'`;
  await client.query(
    `WITH package AS (
       INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
       VALUES ($3::text, $2::int, false, 'Reading club', 1500, 'daily', 'EUR') RETURNING id, business_id)
     INSERT INTO subscription (id, business_id, livemode, package_id, email, anchor, timezone, status, next_period)
     SELECT $1::text, business_id, false, id, 'ada@example.com', '2020-01-01T00:00:00', 'UTC', 'active', $4::int FROM package`,
    [id, businessId, newId("pkg"), periods],
  );
  const each = (sql: string) =>
    client.query(sql.replaceAll("$day", day("n")), [id, periods, businessId].slice(0, sql.includes("$3") ? 3 : 2));
  await each(`
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, subscription_id, period_index,
                              period_start, period_end, status, paid_at, created_at)
    SELECT $1 || '_' || n, $3::int, false, 'ada@example.com', 'EUR', 1500, 'Reading club', $1, n, $day,
           $day + interval '1 day', 'Paid', $day, $day FROM generate_series(1, $2::int) AS n`);
  await each(`
    INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, payment_link_id, subscription_id, data,
                       actor_type, created_at)
    SELECT 'evt_' || $1 || '_' || n || '_' || k, $3::int, false, 'payment_link.paid', $1, n * 4 + k,
           CASE WHEN k < 3 THEN $1 || '_' || n END, $1,
           jsonb_build_object('amount_cents', 1500, 'currency', 'EUR', 'note', repeat(md5(n::text || k), 30)), 'system',
           $day + k * interval '1 second'
      FROM generate_series(1, $2::int) AS n, generate_series(0, 3) AS k`);
  await each(`
    INSERT INTO email (id, business_id, livemode, event_id, payment_link_id, subscription_id, template, "to", props, status,
                       next_attempt_at, created_at)
    SELECT 'eml_' || $1 || '_' || n, $3::int, false, 'evt_' || $1 || '_' || n || '_1', $1 || '_' || n, $1, 'receipt',
           'ada@example.com', '{}', 'outbox', NULL, $day FROM generate_series(1, $2::int) AS n`);
  await each(`
    WITH endpoint AS (
      INSERT INTO webhook_endpoint (id, business_id, livemode, url, events, secret)
      VALUES ('whe_' || $1, $3::int, false, 'https://shop.example/hook', ARRAY['*'], 'sealed') RETURNING id)
    INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, event_id, subscription_id, type, status,
                                  next_attempt_at, succeeded_at)
    SELECT webhook_delivery_id(endpoint.id, event), $3::int, false, endpoint.id, event, $1, 'payment_link.paid', 'succeeded',
           NULL, $day + interval '1 minute'
      FROM endpoint, generate_series(1, $2::int) AS n, generate_series(0, 1) AS k,
           LATERAL (SELECT 'evt_' || $1 || '_' || n || '_' || k AS event) AS about`);
  await each(`
    INSERT INTO link_visit (payment_link_id, subscription_id, hour, last_at)
    SELECT $1 || '_' || n, $1, $day, $day + interval '5 minutes' FROM generate_series(1, $2::int) AS n`);
  return id;
}

/** Asks the service itself, over the pool. */
export async function benchTimeline(client: Client, { histories, timelines }: Sizes): Promise<void> {
  const { rows: made } = await client.query<{ id: number }>(
    "INSERT INTO business (name, timezone) VALUES ('Long', 'Europe/Berlin') RETURNING id",
  );
  const businessId = made[0]?.id ?? 0;
  const tenant = { businessId, livemode: false };
  const subscriptions: [number, string][] = [];
  for (const periods of histories) subscriptions.push([periods, await seedHistory(client, businessId, periods)]);
  await client.query("VACUUM ANALYZE");
  const table = [["25 entries of", "first page", "in the middle", "the oldest"]];
  for (const [periods, id] of subscriptions) {
    const middle = `${new Date(Date.now() - (periods / 2) * 86_400_000).toISOString().slice(0, -1)}000Z`;
    const cursor = cursorAt("timeline", "-created_at", { back: false, at: middle, id: "z" });
    const query = { per_page: 25, with_total: false, created_from: null, created_to: null };
    const pages = [
      { ...query, cursor: null, sort: "-created_at" as const },
      { ...query, cursor, sort: "-created_at" as const },
      { ...query, cursor: null, sort: "created_at" as const },
    ];
    const line = [(periods * perPeriod).toLocaleString("en")];
    for (const page of pages) {
      const times: number[] = [];
      for (let n = -10; n < timelines; n++) {
        const begun = performance.now();
        const { rows } = await timelineOfSubscription(db, tenant, id, page);
        const took = performance.now() - begun;
        if (rows.length !== 25) throw new Error(`${rows.length} entries.`);
        const order = rows.map(({ created_at }) => created_at).sort();
        if (page.sort === "-created_at") order.reverse();
        deepEqual(
          rows.map(({ created_at }) => created_at),
          order,
        );
        if (n >= 0) times.push(took);
      }
      line.push(median(times).toFixed(1));
    }
    table.push(line);
  }
  console.log("\nA page of a subscription's timeline, median milliseconds\n");
  printTable(table);
}
