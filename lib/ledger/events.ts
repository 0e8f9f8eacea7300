import type { Tenant } from "@/lib/auth/actor";
import type { Db } from "@/lib/core/db";
import { type NewEvent, recordAll } from "@/lib/outbox/record";
import { findSubscriptions, type SubscriptionChange, subscriptionEvent } from "@/lib/periods/events";
import type { Period } from "@/lib/periods/lock";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { payments } from "@/lib/resources/payments/resource";
import { refunds } from "@/lib/resources/refunds/resource";

export interface Outcome {
  tenant: Tenant;
  payment: PaymentOfLink;
  link: PaymentLink;
  receipt: boolean;
  /** That the bank has declined the saved card for good, if it has. */
  declined: NewEvent[];
  period: Period | null;
  change: SubscriptionChange | null;
}

/** Records each payment's outcome, then what it caused. A card that was saved with the payment is recorded afterwards. */
export async function recordSettled(tx: Db, outcomes: Outcome[]): Promise<void> {
  const changed = outcomes.flatMap(({ period, change }) =>
    period && change && change.events.length > 0 ? [period.subscription_id] : [],
  );
  const subscriptions = await findSubscriptions(tx, changed);
  const groups: { tenant: Tenant; events: NewEvent[] }[] = [];
  for (const outcome of outcomes) {
    const { tenant, declined, period, change } = outcome;
    const events = [...(await paymentEvents(tx, outcome)), ...declined, ...(change?.earlier ?? [])];
    const subscription = period && subscriptions.get(period.subscription_id);
    for (const type of change?.events ?? []) if (subscription) events.push(subscriptionEvent(type, subscription));
    groups.push({ tenant, events });
  }
  await recordAll(tx, groups);
}

async function paymentEvents(tx: Db, { tenant, payment, link, receipt, change }: Outcome): Promise<NewEvent[]> {
  if (payment.status === "succeeded") {
    const mails = receipt ? [{ template: "receipt" as const, to: link.email, props: { link, payment } }] : [];
    return [
      { type: "payment.succeeded", data: payment, mails },
      { type: "payment_link.paid", data: link },
    ];
  }
  if (!change?.notifyPayer) return [{ type: "payment.failed", data: payment }];
  // Reload the link: dunning has just set its next step.
  const props = { link: await paymentLinks.get(tx, tenant, link._id), payment };
  return [{ type: "payment.failed", data: payment, mails: [{ template: "payment_failed", to: link.email, props }] }];
}

/**
 * Records a settled refund. Mails the payer about a succeeded one, if `mayMail` and `send_receipts` are on. A failed one gets its event even
 * if no money had moved, because staff wait for the outcome. It is not mailed: only the merchant knows how the payer gets the money.
 */
export async function recordRefund(
  tx: Db,
  tenant: Tenant,
  { id, paymentId, to, mayMail }: { id: string; paymentId: string; to: "succeeded" | "failed"; mayMail: boolean },
): Promise<void> {
  const refund = await refunds.get(tx, tenant, id);
  if (to === "failed") return recordAll(tx, [{ tenant, events: [{ type: "refund.failed", data: refund }] }]);
  const payment = await payments.get(tx, tenant, paymentId);
  const link = await paymentLinks.get(tx, tenant, payment.payment_link_id);
  const { send_receipts } = await tx.business.findUniqueOrThrow({
    where: { id: tenant.businessId },
    select: { send_receipts: true },
  });
  const mail = { template: "refund" as const, to: link.email, props: { link, payment, refund } };
  const mails = mayMail && send_receipts ? [mail] : [];
  await recordAll(tx, [{ tenant, events: [{ type: "payment.refunded", data: payment, mails }] }]);
}
