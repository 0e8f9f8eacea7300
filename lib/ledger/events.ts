import type { Tenant } from "@/lib/auth/actor";
import type { Db } from "@/lib/core/db";
import { record, type Told } from "@/lib/outbox/record";
import type { Moved, Period } from "@/lib/periods/after-settlement";
import { toldOf } from "@/lib/periods/events";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";

interface Outcome {
  payment: PaymentOfLink;
  /** As the payment has left it. */
  link: PaymentLink;
  /** Whether the business wants its payers to get receipts. */
  receipt: boolean;
  period: Period | null;
  moved: Moved | null;
}

/** Writes down that an attempt has succeeded or failed, in the transaction that settles it. */
export async function tellSettled(
  tx: Db,
  tenant: Tenant,
  { payment, link, receipt, period, moved }: Outcome,
): Promise<void> {
  const happened: Told[] = [];
  if (payment.status === "succeeded") {
    const mails = receipt ? [{ template: "receipt" as const, to: link.email, props: { link, payment } }] : [];
    happened.push({ type: "payment.succeeded", data: payment, mails }, { type: "payment_link.paid", data: link });
  } else if (moved?.tellPayer) {
    // Read again: dunning has said when it is tried next.
    const props = { link: await paymentLinks.get(tx, tenant, link._id), payment };
    happened.push({
      type: "payment.failed",
      data: payment,
      mails: [{ template: "payment_failed", to: link.email, props }],
    });
  } else {
    happened.push({ type: "payment.failed", data: payment });
  }
  if (period && moved) happened.push(...(await toldOf(tx, tenant, period.subscription_id, moved.events)));
  await record(tx, tenant, happened);
}
