import { type Db, Prisma, queryRows } from "@/lib/core/db";
import type { NewEvent } from "@/lib/outbox/record";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";

/** `failure` of a link whose payment was in flight when its subscription ended: the link closes if that payment fails. */
const subscriptionEnded = "subscription_ended";

/**
 * Closes the open links of a subscription that was cancelled or completed: a payment would buy the payer nothing. Staff can
 * activate a link again to collect it. The caller has locked the subscription, and records the events.
 */
export async function closeLinks(tx: Db, subscriptionId: string): Promise<NewEvent[]> {
  const links = await queryRows<PaymentLink>(
    tx,
    Prisma.sql`
    UPDATE payment_link SET next_step_at = NULL, awaiting_transfer_since = NULL, status = CASE status WHEN 'Active' THEN 'Inactive' ELSE status END,
           failure = CASE status WHEN 'Processing' THEN ${subscriptionEnded} ELSE failure END
     WHERE subscription_id = ${subscriptionId} AND status IN ('Active', 'Processing') AND deleted_at IS NULL
    RETURNING ${paymentLinks.columns()}`,
  );
  return eventsOf(links.filter(({ status }) => status === "Inactive"));
}

/**
 * Closes a link whose payment has failed, if the subscription ended during that payment. The failure may come long after
 * the end, when staff have decided about the other links.
 * @returns the event for the caller to record; none if it was not closed
 */
export async function closeFailed(tx: Db, linkId: string): Promise<NewEvent[]> {
  const closed = await queryRows<PaymentLink>(
    tx,
    Prisma.sql`
    UPDATE payment_link SET status = 'Inactive', failure = NULL, next_step_at = NULL
     WHERE id = ${linkId} AND status = 'Active' AND failure = ${subscriptionEnded}
    RETURNING ${paymentLinks.columns()}`,
  );
  return eventsOf(closed);
}

const eventsOf = (closed: PaymentLink[]): NewEvent[] => closed.map((data) => ({ type: "payment_link.updated", data }));
