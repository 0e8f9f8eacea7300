import { type Actor, tenantOf } from "@/lib/auth/actor";
import { allows } from "@/lib/auth/scopes";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { shownIso } from "@/lib/http/list";
import { differsFromBooks } from "@/lib/ledger/balance-differences";
import { ownedBy } from "@/lib/resources/define";
import { paymentListQuery } from "@/lib/resources/payments/contract";
import { openMismatch, payments } from "@/lib/resources/payments/resource";
import type { Refund } from "@/lib/resources/refunds/contract";
import { refunds } from "@/lib/resources/refunds/resource";
import { type Subscription, subscriptionListQuery } from "@/lib/resources/subscriptions/contract";
import { subscriptions, untoldPrice } from "@/lib/resources/subscriptions/resource";
import type { WebhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";
import { webhookEndpoints } from "@/lib/resources/webhook-endpoints/resource";
import type { Overview } from "./contract";
import { type Debt, maxProblems, type Problems } from "./problems-contract";

const maxCount = 1000;

/** Endpoints that were disabled by hand need no attention. */
const failing = Prisma.sql`
  deleted_at IS NULL
  AND (disabled_reason IN ('failing', 'gone') OR (status = 'enabled' AND failing_since IS NOT NULL))`;

/** Of subscriptions that have not started. The index payment_link_first_failed has these rows only. */
const failedFirst = Prisma.sql`
  period_index = 0 AND attempt_count > 0 AND status = 'Active' AND deleted_at IS NULL
  AND EXISTS (SELECT FROM subscription s WHERE s.id = payment_link.subscription_id AND s.status = 'created' AND s.deleted_at IS NULL)`;

/** Of the last 30 days, unless the payment was refunded again since. */
const failedRefunds = (actor: Actor, now: Date) => Prisma.sql`
  SELECT * FROM (
    SELECT * FROM refund
     WHERE ${ownedBy(actor)} AND status = 'failed'
       AND coalesce(returned_at, settled_at) > ${new Date(now.getTime() - 30 * 86_400_000)}::timestamptz
     ORDER BY coalesce(returned_at, settled_at) DESC LIMIT ${maxCount}) failed
   WHERE NOT EXISTS (SELECT FROM refund again WHERE again.payment_id = failed.payment_id
                        AND again.status <> 'failed' AND again.created_at > failed.created_at)`;

/** What needs a person, counted, and what a new business has done yet. */
export async function attentionAndFirst(
  tx: Db,
  actor: Actor,
  now: Date,
): Promise<Pick<Overview, "attention" | "first">> {
  const owned = ownedBy(actor);
  const { business_id, livemode } = tenantOf(actor);
  const countOf = (table: string, condition: Prisma.Sql) => Prisma.sql`
    (SELECT count(*)::int FROM (SELECT 1 FROM ${Prisma.raw(table)} WHERE ${owned} AND ${condition} LIMIT ${maxCount}) found)`;
  // Read along subscription_facets, with all its columns: another index might read all subscriptions.
  const inStatus = (status: "past_due" | "unpaid") => Prisma.sql`
    (SELECT count(*)::int FROM (
       SELECT 1 FROM subscription WHERE ${owned} AND deleted_at IS NULL
          AND (status, created_at, id) > (${status}::text, '-infinity'::timestamptz, '')
          AND (status, created_at, id) < (${status}::text, 'infinity'::timestamptz, '')
        ORDER BY status, created_at, id LIMIT ${maxCount}) found)`;
  // Reads one entry of the unique index: the first at or after the tenant's position.
  const exists = (table: string) => Prisma.sql`
    EXISTS (SELECT FROM (
      SELECT business_id, livemode FROM ${Prisma.raw(table)} WHERE (business_id, livemode, id) > (${business_id}, ${livemode}, '')
       ORDER BY business_id, livemode, id LIMIT 1) next WHERE ${owned})`;
  // Every succeeded payment has a posting, and the journal has an index by tenant.
  const hasPayment = Prisma.sql`
    EXISTS (SELECT FROM (
      SELECT business_id, livemode FROM posting WHERE (business_id, livemode, created_at) >= (${business_id}, ${livemode}, '-infinity'::timestamptz)
       ORDER BY business_id, livemode, created_at LIMIT 1) next WHERE ${owned})`;
  const waiting = Prisma.sql`status IN ('needs_response', 'inquiry_needs_response')`;
  const [row] = await queryRows<Overview["attention"] & Overview["first"]>(
    tx,
    Prisma.sql`
    SELECT ${countOf("payment", Prisma.sql`status = 'unknown'`)} AS unknown_payments,
           ${inStatus("past_due")} AS past_due_subscriptions,
           ${inStatus("unpaid")} AS unpaid_subscriptions,
           (SELECT count(*)::int FROM (${failedRefunds(actor, now)}) unsolved) AS failed_refunds,
           ${countOf("webhook_endpoint", failing)} AS failing_webhooks,
           ${countOf("payment", openMismatch())} AS mismatched_payments,
           ${countOf("subscription", untoldPrice)} AS untold_prices,
           ${countOf("dispute", waiting)} AS open_disputes,
           (SELECT ${shownIso("respond_by")} FROM dispute WHERE ${owned} AND ${waiting} AND respond_by IS NOT NULL
             ORDER BY respond_by LIMIT 1) AS dispute_deadline,
           ${countOf("gateway_account", Prisma.sql`replaced_at IS NULL AND broken_at IS NOT NULL`)} AS broken_gateway_accounts,
           ${countOf("payment_link", failedFirst)} AS failed_first_payments,
           ${countOf("unknown_charge", Prisma.sql`status = 'open'`)} AS unknown_charges,
           (SELECT count(*)::int FROM balance_import i WHERE ${owned} AND ${differsFromBooks}) AS differing_balances,
           ${exists("payment_link")} AS payment_link, ${exists("tokenization")} AS tokenization,
           ${exists("subscription")} AS subscription,
           ${hasPayment} AS payment`,
  );
  if (!row) throw new Error("A SELECT without a row.");
  const { payment_link, payment, tokenization, subscription, ...attention } = row;
  return { attention, first: { payment_link, payment, tokenization, subscription } };
}

/** What the oldest unpaid period of each subscription owes. */
const debtsOf = (rows: readonly Subscription[]): Debt[] =>
  rows.flatMap((subscription) => {
    const open = subscription.payment_links.findLast(({ status }) => status === "Active");
    if (!open) return [];
    const { amount, amount_cents, currency, attempt_count, next_attempt_at } = open;
    return {
      subscription_id: subscription._id,
      email: open.email,
      package: subscription.package.name,
      payment_link_id: open._id,
      ...{ amount, amount_cents, currency, attempt_count, next_attempt_at },
    };
  });

/** The newest of each kind that `attention` counts. A kind is empty if the actor may not read its rows. */
export async function newestProblems(tx: Db, actor: Actor): Promise<Problems> {
  const now = clock.now();
  const few = { per_page: String(maxProblems) };
  const reading = <Row>(
    resource: "payments" | "subscriptions" | "refunds" | "webhook_endpoints",
    load: () => Promise<Row[]>,
  ) => (allows(actor.scopes, `${resource}:read`) ? load() : []);
  const paymentsBy = (filter: { status: "unknown" } | { mismatch: "open" }) =>
    reading(
      "payments",
      async () => (await payments.list(tx, actor, paymentListQuery.parse({ ...filter, ...few }))).rows,
    );
  const owing = (status: "past_due" | "unpaid") =>
    reading("subscriptions", async () =>
      debtsOf((await subscriptions.list(tx, actor, subscriptionListQuery.parse({ status, ...few }))).rows),
    );
  const notBegun = async () =>
    debtsOf(
      await queryRows<Subscription>(
        tx,
        Prisma.sql`
        SELECT ${subscriptions.columns(now)}
          FROM (SELECT subscription_id, created_at AS failed_at FROM payment_link
                 WHERE ${ownedBy(actor)} AND ${failedFirst} LIMIT ${maxCount}) failed
          JOIN subscription ON id = subscription_id
         ORDER BY failed_at DESC LIMIT ${maxProblems}`,
      ),
    );
  const [unknown, mismatched, first, pastDue, unpaid, refused, broken] = await Promise.all([
    paymentsBy({ status: "unknown" }),
    paymentsBy({ mismatch: "open" }),
    reading("subscriptions", notBegun),
    owing("past_due"),
    owing("unpaid"),
    reading("refunds", () =>
      queryRows<Refund>(
        tx,
        Prisma.sql`
        SELECT ${refunds.columns(now)} FROM (${failedRefunds(actor, now)}) refund
         ORDER BY coalesce(returned_at, settled_at) DESC LIMIT ${maxProblems}`,
      ),
    ),
    reading("webhook_endpoints", () =>
      queryRows<WebhookEndpoint>(
        tx,
        Prisma.sql`
        SELECT ${webhookEndpoints.columns(now)} FROM webhook_endpoint
         WHERE ${ownedBy(actor)} AND ${failing} ORDER BY webhook_endpoint.created_at DESC`,
      ),
    ),
  ]);
  return {
    _id: "problems",
    unknown_payments: unknown,
    mismatched_payments: mismatched,
    failed_first_payments: first,
    past_due_subscriptions: pastDue,
    unpaid_subscriptions: unpaid,
    failed_refunds: refused,
    failing_webhooks: broken,
    created_at: isoMicros(now),
  };
}
