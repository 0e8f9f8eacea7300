import type { Tenant } from "@/lib/auth/actor";
import type { Db } from "@/lib/core/db";
import { type NewEvent, record } from "@/lib/outbox/record";
import type { Period, SubscriptionChange } from "@/lib/periods/after-settlement";
import { subscriptionEventsOf } from "@/lib/periods/events";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";

interface Outcome {
  payment: PaymentOfLink;
  link: PaymentLink;
  receipt: boolean;
  period: Period | null;
  change: SubscriptionChange | null;
}

export async function recordSettled(
  tx: Db,
  tenant: Tenant,
  { payment, link, receipt, period, change }: Outcome,
): Promise<void> {
  const events: NewEvent[] = [];
  if (payment.status === "succeeded") {
    const mails = receipt ? [{ template: "receipt" as const, to: link.email, props: { link, payment } }] : [];
    events.push({ type: "payment.succeeded", data: payment, mails }, { type: "payment_link.paid", data: link });
  } else if (change?.notifyPayer) {
    // Reload the link: dunning has just set its next step.
    const props = { link: await paymentLinks.get(tx, tenant, link._id), payment };
    events.push({
      type: "payment.failed",
      data: payment,
      mails: [{ template: "payment_failed", to: link.email, props }],
    });
  } else {
    events.push({ type: "payment.failed", data: payment });
  }
  if (period && change) events.push(...(await subscriptionEventsOf(tx, tenant, period.subscription_id, change.events)));
  await record(tx, tenant, events);
}
