import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { firstIdAt } from "@/lib/core/id";
import { startDeliveries } from "@/lib/outbox/webhooks/deliver";
import { monthStart } from "@/server/partitions";
import { idMadeAt } from "@/tests/support/id-made-at";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

let owner: Client;
beforeAll(async () => {
  const url = await createDatabase();
  process.env.DATABASE_URL = url;
  owner = new Client({ connectionString: ownerUrl(url) });
  await owner.connect();
});
afterAll(() => owner.end());

const rowsOf = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await owner.query<Row>(sql, values)).rows;

it("an attempt that a stopped worker leaves is of today, also if the month of its delivery is dropped", async () => {
  const [first] = await rowsOf<{ name: string; bound: string }>(`
    SELECT c.relname::text AS name, substring(pg_get_expr(relpartbound, c.oid) FROM 'TO \\(''(.+)''\\)') AS bound
      FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
     WHERE inhparent = 'webhook_attempt'::regclass AND pg_get_expr(relpartbound, c.oid) LIKE '%MINVALUE%'`);
  const kept = firstIdAt("wha", monthStart(new Date(), -1));
  await owner.query(`DROP TABLE ${first?.name}`);
  await owner.query(
    `CREATE TABLE webhook_attempt_kept PARTITION OF webhook_attempt FOR VALUES FROM ('${kept}') TO ('${first?.bound}')`,
  );
  // Sent again by staff, a year after its event, by a worker that has died.
  const id = idMadeAt("whd", new Date(Date.now() - 365 * 86_400_000));
  await owner.query(
    `WITH shop AS (INSERT INTO business (name) VALUES ('Bookshop') RETURNING id),
          endpoint AS (INSERT INTO webhook_endpoint (id, business_id, livemode, url, secret)
                       SELECT 'whe_1', id, true, 'https://shop.example', '' FROM shop)
     INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, type, status, next_attempt_at, claim)
     SELECT $1, id, true, 'whe_1', 'payment_link.paid', 'pending', now() - interval '1 minute', 'dead' FROM shop`,
    [id],
  );
  const stop = startDeliveries();
  const attempts = () =>
    rowsOf<{ place: string }>(
      "SELECT tableoid::regclass::text AS place FROM webhook_attempt WHERE delivery_id = $1 AND error LIKE 'Paydesk was stopped%'",
      [id],
    );
  await expect.poll(attempts, { timeout: 10_000 }).toEqual([{ place: "webhook_attempt_kept" }]);
  await stop();
});
