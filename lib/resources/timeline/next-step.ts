import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { formatMoney } from "@/lib/core/money";
import { iso } from "@/lib/http/list";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { nextAmount } from "@/lib/resources/subscriptions/next-amount";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import type { TimelineEntry } from "./contract";

function next(type: string, at: string, text: string, detail: string | null, linkId: string | null): TimelineEntry {
  return {
    _id: `next_${type}`,
    kind: "next",
    type,
    text,
    detail,
    actor: { type: "system", id: null, name: null },
    about_id: null,
    title: null,
    payment_id: null,
    webhook_endpoint_id: null,
    payment_link_id: linkId,
    created_at: at,
  };
}

export async function nextOfPaymentLink(tx: Db, link: PaymentLink): Promise<TimelineEntry[]> {
  if (link.status !== "Active" && link.status !== "Inactive") return [];
  const expires = link.expires_at;
  const expiry = expires === null ? [] : [next("expiry", expires, "Expires", null, link._id)];
  return latestFirst([...expiry, ...(await nextStep(tx, link))]);
}

async function nextStep(tx: Db, link: PaymentLink): Promise<TimelineEntry[]> {
  if (link.subscription_id === null || link.status !== "Active") return [];
  const money = formatMoney(link.amount_cents, link.currency);
  if (link.next_attempt_at !== null)
    return [next("charge", link.next_attempt_at, `${money} charged to the saved card`, null, link._id)];
  const [row] = await queryRows<{ at: string | null; last: boolean; end: string }>(
    tx,
    Prisma.sql`
    SELECT ${iso("l.next_step_at")} AS at, CASE WHEN s.status = 'created' OR s.cancel_at_period_end THEN 'cancel' ELSE b.dunning_end END AS end,
           l.next_step_at >= l.failed_at + (SELECT coalesce(max(day), 0) FROM unnest(b.dunning_days) AS day) * interval '1 day' AS last
      FROM payment_link l JOIN business b ON b.id = l.business_id JOIN subscription s ON s.id = l.subscription_id
     WHERE l.id = ${link._id}`,
  );
  if (!row || row.at === null) return [];
  const text = row.last
    ? `If ${money} is unpaid by then, the subscription becomes ${row.end === "cancel" ? "cancelled" : "unpaid"}`
    : `Payer reminded to pay ${money}`;
  return [next("dunning", row.at, text, "Until then the payer can pay the link or save another card.", link._id)];
}

export async function nextOfSubscription(tx: Db, subscription: Subscription): Promise<TimelineEntry[]> {
  const { next_charge_at: at, cancel_at_period_end: ends, current_period_start: begun, status } = subscription;
  const { currency, name } = subscription.package;
  const period =
    at === null
      ? []
      : ends && (begun !== null || status !== "created")
        ? [next("end", at, "Ends with the period", null, null)]
        : [
            next(
              "period",
              at,
              `Next period: ${formatMoney(nextAmount(subscription), currency)} for ${name}`,
              null,
              null,
            ),
          ];
  const open = [...subscription.payment_links].reverse().find(({ status }) => status === "Active");
  const step = open ? await nextStep(tx, open) : [];
  return latestFirst([...period, ...step]);
}

export function nextOfTokenization({
  status,
  expires_at,
}: Pick<Tokenization, "status" | "expires_at">): TimelineEntry[] {
  if (status !== "pending") return [];
  return latestFirst([next("expiry", expires_at, "Activation page expires", null, null)]);
}

/** Overdue steps are shown as due now. */
function latestFirst(entries: TimelineEntry[]): TimelineEntry[] {
  const now = clock.now().toISOString();
  const ahead = entries.map((entry) =>
    entry.created_at < now ? { ...entry, created_at: `${now.slice(0, -1)}000Z` } : entry,
  );
  return ahead.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}
