import type { Client } from "pg";

/** Payment links of one business, a second apart and one in four paid, as fast as one statement can. */
export async function seedLinks(client: Client, businessId: number, count: number): Promise<void> {
  await client.query(
    `INSERT INTO payment_link (id, business_id, livemode, email, phone_no, currency, amount_cents, title, description,
       redirect_url, reference, status, paid_at, created_at, updated_at)
     SELECT 'pl_' || lpad(n::text, 10, '0') || left(md5(n::text), 26), $1, false, 'payer' || n || '@example.com',
       CASE WHEN n % 2 = 0 THEN '+15550100' END, 'EUR', 500 + n, 'Order & invoice ' || n, 'What was ordered, <' || n || '>',
       'https://shop.example/orders/' || n, 'order-' || n, CASE WHEN n % 4 = 0 THEN 'Paid' ELSE 'Active' END,
       CASE WHEN n % 4 = 0 THEN at END, at, at
     FROM generate_series(1, $2::int) AS n, LATERAL (SELECT now() - make_interval(secs => $2 - n)) AS moment(at)`,
    [businessId, count],
  );
  await client.query("VACUUM ANALYZE");
}

/** Ids of unpaid links, from everywhere in the table. */
export async function sampleIds(client: Client, businessId: number, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM payment_link WHERE business_id = $1 AND status = 'Active' ORDER BY md5(id) LIMIT $2",
    [businessId, count],
  );
  return rows.map(({ id }) => id);
}
