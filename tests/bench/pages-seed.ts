import type { Client } from "pg";
import { hashPassword } from "@/lib/auth/password";
import { recountSums } from "@/tests/support/sums";

const periods = 3;

export interface Seeded {
  email: string;
  password: string;
}

/** Ids as the product makes them: 36 characters behind the prefix. */
const id = (prefix: string, of = "n::text") => `'${prefix}_' || lpad(${of}, 10, '0') || left(md5(${of}), 26)`;

/** What there is beside the links, in proportion: $1 is the business, the links have been seeded. */
const statements = (subscriptions: number) => [
  // Every fourth link is paid; of those, each tenth was declined once before, and each tenth is refunded in part.
  `INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                        refunded_cents, receipt_token, fee_cents, fee_currency, card_brand, card_last4, settled_at, created_at)
   SELECT 'pay_' || substr(id, 4), $1, false, id, 'sandbox', 'pay_' || substr(id, 4), amount_cents, currency, 'succeeded',
          CASE WHEN amount_cents % 40 = 0 THEN 100 ELSE 0 END, md5(id), 30, currency, 'visa', '4242', paid_at, paid_at
     FROM payment_link WHERE business_id = $1 AND status = 'Paid'`,
  `INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                        reason, card_brand, card_last4, created_at)
   SELECT 'pay_f' || substr(id, 5), $1, false, id, 'sandbox', 'pay_f' || substr(id, 5), amount_cents, currency, 'failed',
          'card_declined', 'visa', '0002', created_at - interval '1 minute'
     FROM payment_link WHERE business_id = $1 AND status = 'Paid' AND amount_cents % 40 = 20`,
  `INSERT INTO refund (id, business_id, livemode, payment_id, payment_link_id, gateway_key, amount_cents, currency, reason,
                       status, asked_at, settled_at)
   SELECT 'ref_' || substr(id, 5), $1, false, id, payment_link_id, 'ref_' || substr(id, 5), 100, currency, 'One was damaged',
          'succeeded', settled_at, settled_at FROM payment WHERE business_id = $1 AND refunded_cents > 0`,
  `UPDATE payment_link SET refunded_cents = 100 WHERE id IN (SELECT payment_link_id FROM refund WHERE business_id = $1)`,
  // Inquiries: they move no money.
  `INSERT INTO dispute (id, business_id, livemode, payment_id, payment_link_id, gateway_ref, amount_cents, currency, reason, status,
                        respond_by, opened_at, created_at)
   SELECT 'dsp_' || substr(id, 5), business_id, livemode, id, payment_link_id, 'sbx_dp_' || id, amount_cents, currency, 'general',
          'inquiry_needs_response', settled_at + interval '7 days', settled_at, settled_at
     FROM payment WHERE business_id = $1 AND status = 'succeeded' ORDER BY id LIMIT 200`,
  `INSERT INTO payout (id, business_id, livemode, gateway, gateway_ref, amount_cents, currency, status, arrival_date, complete, totals,
                       created_at)
   SELECT ${id("po")}, $1, false, 'sandbox', 'sbx_po_' || n, 1000, 'EUR', 'paid', now() - make_interval(days => n), true,
          '[{"type": "adjustment", "count": 100, "amount_cents": 1000, "fee_cents": 0, "net_cents": 1000}]', now() - make_interval(days => n) FROM generate_series(1, 200) AS n`,
  `INSERT INTO balance_entry (id, business_id, livemode, gateway_ref, type, amount_cents, fee_cents, net_cents, currency, payout_id, recorded, created_at)
   SELECT ${id("bal")}, $1, false, 'sbx_txn_' || n, 'adjustment', 10, 0, 10, 'EUR',
          (SELECT id FROM payout WHERE business_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1), true, now() - interval '1 day'
     FROM generate_series(1, 100) AS n`,
  `INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, payment_link_id, data, actor_type, created_at)
   SELECT 'evt_' || sequence || substr(id, 5), $1, false, type, id, sequence, id,
          jsonb_build_object('_id', id, 'email', email, 'amount_cents', amount_cents, 'title', title, 'description', description,
                             'reference', reference, 'status', status), 'system', created_at + sequence * interval '1 second'
     FROM payment_link, (VALUES (1, 'payment_link.created'), (2, 'payment_link.paid')) AS happened(sequence, type)
    WHERE business_id = $1 AND (sequence = 1 OR status = 'Paid')
      AND NOT EXISTS (SELECT FROM event WHERE event.resource_id = payment_link.id)`,
  `INSERT INTO email (id, business_id, livemode, payment_link_id, template, "to", props, subject, html, text, status,
                      next_attempt_at, created_at)
   SELECT 'eml_' || substr(id, 4), $1, false, id, 'payment_link', email, '{}', 'Pay: ' || title,
          '<p>' || repeat('What there is to pay, and how. ', 200) || '</p>', repeat('What there is to pay. ', 50), 'outbox', NULL,
          created_at FROM payment_link WHERE business_id = $1 AND amount_cents % 2 = 0`,
  `INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
   SELECT ${id("pkg")}, $1, false, 'Reading club ' || n, 1500, 'weekly', 'EUR' FROM generate_series(1, 40) AS n`,
  `INSERT INTO tokenization (id, business_id, livemode, email, title, description, token, status, expires_at, activated_at,
                             gateway, gateway_card, card_brand, card_last4, card_exp_month, card_exp_year)
   SELECT ${id("tkn")}, $1, false, 'payer' || n || '@example.com', 'Card', 'Card for your orders', md5(n::text), 'active', now(),
          now(), 'sandbox', 'card_' || n, 'visa', '4242', 12, 2098 FROM generate_series(1, ${2 * subscriptions}) AS n`,
  `INSERT INTO subscription (id, business_id, livemode, package_id, email, anchor, timezone, status, next_period,
                             current_period_start, current_period_end, next_charge_at)
   SELECT ${id("sub")}, $1, false, ${id("pkg", "(1 + n % 40)::text")}, 'payer' || n || '@example.com',
          to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS'), 'UTC', 'active', ${periods}, at + interval '14 days', at + interval '21 days',
          at + interval '21 days'
     FROM generate_series(1, ${subscriptions}) AS n, LATERAL (SELECT now() - interval '15 days' + n * interval '1 minute' AS at) AS began`,
  `INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, subscription_id, period_index,
                             period_start, period_end, status, paid_at, created_at)
   SELECT 'pl_s' || period || substr(id, 7), $1, false, email, 'EUR', 1500, 'Reading club', id, period, at, at + interval '7 days',
          'Paid', at, at
     FROM subscription, generate_series(0, ${periods - 1}) AS period, LATERAL (SELECT anchor::timestamp AT TIME ZONE 'UTC' + period * interval '7 days' AS at) AS began
    WHERE business_id = $1`,
  `INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                        receipt_token, card_brand, card_last4, settled_at, created_at)
   SELECT 'pay_' || substr(id, 4), $1, false, id, 'sandbox', 'pay_' || substr(id, 4), 1500, 'EUR', 'succeeded', md5('r' || id), 'visa', '4242',
          paid_at, paid_at FROM payment_link WHERE business_id = $1 AND subscription_id IS NOT NULL`,
  `INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency)
   SELECT business_id, livemode, 'payment', id, 'gateway', 'sales', amount_cents, currency
     FROM payment WHERE business_id = $1 AND status = 'succeeded'`,
  `INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, subscription_id, data, actor_type, created_at)
   SELECT 'evt_s' || substr(id, 6), $1, false, 'subscription.activated', id, 1, id, jsonb_build_object('_id', id, 'email', email),
          'system', created_at FROM subscription WHERE business_id = $1`,
  `INSERT INTO webhook_endpoint (id, business_id, livemode, url, events, secret)
   SELECT ${id("whe")}, $1, false, 'https://shop.example/hooks/' || n, '{*}', 'sealed' FROM generate_series(1, 3) AS n`,
  `INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, event_id, type, status, attempt_count, tries,
                                 next_attempt_at, succeeded_at, created_at)
   SELECT webhook_delivery_id(endpoint.id, event.id), $1, false, endpoint.id, event.id, event.type, 'succeeded', 1, 1, NULL,
          event.created_at, event.created_at
     FROM event, (SELECT id FROM webhook_endpoint WHERE business_id = $1) AS endpoint
    WHERE event.business_id = $1 AND type = 'payment_link.paid'`,
  `INSERT INTO webhook_attempt (id, delivery_id, status, latency_ms, response)
   SELECT 'wha_' || substr(id, 5), id, 200, 80, 'ok' FROM webhook_delivery WHERE business_id = $1`,
  `INSERT INTO api_key (id, business_id, livemode, name, hint, hash, scopes)
   SELECT ${id("key")}, $1, false, 'Web shop ' || n, '4242', md5(n::text), '{read,write}' FROM generate_series(1, 12) AS n`,
  `INSERT INTO api_request (id, business_id, livemode, method, path, status, duration_ms, request_id, actor_type, actor_id,
                            address, request_body, response_body, created_at)
   SELECT 'req_' || substr(id, 4), $1, false, 'POST', '/payment-links', 200, 3.4, gen_random_uuid(), 'api_key', ${id("key", "'1'")}, '192.0.2.7',
          json_build_object('email', email, 'title', title, 'description', repeat('What was ordered. ', 40)),
          json_build_object('data', json_build_object('_id', id, 'email', email)), created_at
     FROM payment_link WHERE business_id = $1`,
  `INSERT INTO audit_entry (id, business_id, livemode, actor_type, actor_name, action, about, created_at)
   SELECT ${id("aud")}, $1, false, 'user', 'ada@example.com', 'api_key.created', 'Web shop ' || n, now() - n * interval '1 hour'
     FROM generate_series(1, 5000) AS n`,
  `INSERT INTO invitation (id, business_id, email, role, token_hash, expires_at)
   SELECT ${id("inv")}, $1, 'colleague' || n || '@example.com', 'viewer', md5(n::text), now() + interval '7 days'
     FROM generate_series(1, 3) AS n`,
];

/** What belongs to a business's links, and a dozen of staff, one of them to sign in as. */
export async function seedPages(client: Client, businessId: number, subscriptions: number): Promise<Seeded> {
  await client.query("SET enable_nestloop = off"); // planned for empty tables, some joins would read all new rows for each row
  for (const statement of statements(subscriptions)) await client.query(statement, [businessId]);
  await client.query("RESET enable_nestloop");
  await recountSums(client, businessId);
  const password = "correct horse battery staple";
  await client.query(
    `WITH staff AS (INSERT INTO staff_user (id, email, name, password_hash)
                    SELECT ${id("usr")}, 'staff' || n || '@example.com', 'Grace Hopper', $2 FROM generate_series(1, 12) AS n
                    RETURNING id)
     INSERT INTO membership (business_id, user_id, role) SELECT $1, id, 'owner' FROM staff`,
    [businessId, await hashPassword(password)],
  );
  await client.query("VACUUM ANALYZE");
  return { email: "staff1@example.com", password };
}
