import type { Tenant } from "../auth/actor";
import type { Moved, Period } from "../billing/settled";
import { toldOf } from "../billing/tell";
import type { SqlTransaction } from "../db";
import { record, type Told } from "../events/record";
import { getPaymentLink } from "../payment-links/read";
import { getPayment } from "./read";

interface Outcome {
  paid: boolean;
  /** Whether the business wants its payers to get receipts. */
  receipt: boolean;
  period: Period | null;
  moved: Moved | null;
}

/** Writes down that an attempt has succeeded or failed, in the transaction that settles it. */
export async function tellSettled(
  tx: SqlTransaction,
  tenant: Tenant,
  { id, linkId }: { id: string; linkId: string },
  { paid, receipt, period, moved }: Outcome,
): Promise<void> {
  const payment = await getPayment(tx, tenant, id);
  const happened: Told[] = [];
  if (paid) {
    const link = await getPaymentLink(tx, tenant, linkId);
    const mails = receipt ? [{ template: "receipt" as const, to: link.email, props: { link, payment } }] : [];
    happened.push({ type: "payment.succeeded", data: payment, mails }, { type: "payment_link.paid", data: link });
  } else if (moved?.tellPayer) {
    const link = await getPaymentLink(tx, tenant, linkId);
    const mails = [{ template: "payment_failed" as const, to: link.email, props: { link, payment } }];
    happened.push({ type: "payment.failed", data: payment, mails });
  } else {
    happened.push({ type: "payment.failed", data: payment });
  }
  if (period && moved) happened.push(...(await toldOf(tx, tenant, period.subscription_id, moved.events)));
  await record(tx, tenant, happened);
}
