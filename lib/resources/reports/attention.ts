import type { z } from "zod";
import { type Actor, tenantOf } from "@/lib/auth/actor";
import { allows, type Resource } from "@/lib/auth/scopes";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { shownIso } from "@/lib/http/list";
import { differsFromBooks } from "@/lib/ledger/balance-differences";
import { ownedBy } from "@/lib/resources/define";
import { newestMails } from "@/lib/resources/payment-links/funnel";
import { paymentListQuery } from "@/lib/resources/payments/contract";
import { openMismatch, payments } from "@/lib/resources/payments/resource";
import { refundListQuery } from "@/lib/resources/refunds/contract";
import { refunds, unresolved } from "@/lib/resources/refunds/resource";
import { type Subscription, subscriptionListQuery } from "@/lib/resources/subscriptions/contract";
import { failedFirst, subscriptions, untoldPrice } from "@/lib/resources/subscriptions/resource";
import { webhookEndpointListQuery } from "@/lib/resources/webhook-endpoints/contract";
import { failing, webhookEndpoints } from "@/lib/resources/webhook-endpoints/resource";
import type { Overview } from "./contract";
import { type Debt, maxProblems, type Problems } from "./problems-contract";
import { untoldPricesOf } from "./untold-prices";

const maxCount = 1000;

/** How many problems of each kind need attention, and what a new business has done yet. */
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
           ${countOf("refund", unresolved(now))} AS failed_refunds,
           ${countOf("webhook_endpoint", Prisma.sql`deleted_at IS NULL AND ${failing}`)} AS failing_webhooks,
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

/** The oldest period of each subscription that is not paid. There may be none: staff can close its link. */
async function debtsOf(tx: Db, actor: Actor, { rows }: { rows: readonly Subscription[] }): Promise<Debt[]> {
  const unpaid = rows.flatMap((subscription) => {
    const open = subscription.payment_links.findLast(({ status }) => status === "Active" || status === "Processing");
    return open ? [{ subscription, open }] : [];
  });
  const links = allows(actor.scopes, "payment_links:read") ? unpaid.map(({ open }) => open._id) : [];
  const mails = await newestMails(tx, links);
  return unpaid.map(({ subscription, open }) => {
    const { status, amount, amount_cents, currency, attempt_count, next_attempt_at, updated_at } = open;
    return {
      subscription_id: subscription._id,
      email: open.email,
      package: subscription.package.name,
      payment_link_id: open._id,
      ...{
        status: status as Debt["status"],
        amount,
        amount_cents,
        currency,
        attempt_count,
        next_attempt_at,
        updated_at,
      },
      mail: mails.get(open._id) ?? null,
    };
  });
}

/**
 * The newest of each kind that `attention` counts. A kind is empty if the actor may not read its rows. One query after another: a process
 * of pages has few connections.
 */
export async function newestProblems(tx: Db, actor: Actor): Promise<Problems> {
  const few = { per_page: String(maxProblems) };
  const ifReadable = async <Row>(resource: Resource, load: () => Promise<Row[]>): Promise<Row[]> =>
    allows(actor.scopes, `${resource}:read`) ? load() : [];
  const paymentsBy = (filter: z.input<typeof paymentListQuery>) =>
    ifReadable(
      "payments",
      async () => (await payments.list(tx, actor, paymentListQuery.parse({ ...filter, ...few }))).rows,
    );
  const subscriptionsBy = (filter: z.input<typeof subscriptionListQuery>) =>
    subscriptions.list(tx, actor, subscriptionListQuery.parse({ ...filter, ...few }));
  const debtsBy = (filter: z.input<typeof subscriptionListQuery>) =>
    ifReadable("subscriptions", async () => debtsOf(tx, actor, await subscriptionsBy(filter)));
  return {
    _id: "problems",
    unknown_payments: await paymentsBy({ status: "unknown" }),
    mismatched_payments: await paymentsBy({ mismatch: "open" }),
    untold_prices: await ifReadable("subscriptions", async () =>
      untoldPricesOf(tx, actor, await subscriptionsBy({ untold_price: "true" })),
    ),
    failed_first_payments: await debtsBy({ first_payment_failed: "true" }),
    past_due_subscriptions: await debtsBy({ status: "past_due" }),
    unpaid_subscriptions: await debtsBy({ status: "unpaid" }),
    failed_refunds: await ifReadable(
      "refunds",
      async () => (await refunds.list(tx, actor, refundListQuery.parse({ unresolved: "true", ...few }))).rows,
    ),
    failing_webhooks: await ifReadable(
      "webhook_endpoints",
      async () =>
        (await webhookEndpoints.list(tx, actor, webhookEndpointListQuery.parse({ failing: "true", ...few }))).rows,
    ),
    created_at: isoMicros(clock.now()),
  };
}
