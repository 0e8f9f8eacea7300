import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Payment, PaymentLink } from "@/lib/generated/prisma/client";
import { markPaid } from "@/lib/ledger/manual";
import { payAt } from "./checkout";
import { insertPayment, insertRefund } from "./paid";
import { asOwner } from "./postgres";
import { makeLink, type Staff } from "./staff";
import { recountSums } from "./sums";

/** A link that its payer paid on its page with the sandbox's card. */
export async function makePaidLink(staff: Staff, over: Partial<PaymentLink> = {}): Promise<PaymentLink> {
  const link = await makeLink(staff.businessId, over);
  await payAt(`/pay?id=${link.id}`);
  return db.paymentLink.findUniqueOrThrow({ where: { id: link.id } });
}

/** Rows of a payment that settled days ago. The gateway does not know it. */
export async function makePastPayment(staff: Staff, daysAgo: number, over: Partial<PaymentLink> = {}): Promise<void> {
  const settled_at = new Date(Date.now() - daysAgo * 86_400_000);
  const { id: _id } = await makeLink(staff.businessId, { ...over, created_at: settled_at });
  const id = await insertPayment({ _id });
  await db.payment.update({
    where: { id },
    data: { settled_at, created_at: settled_at, card_brand: "visa", card_last4: "4242" },
  });
  await recountSums({ query: asOwner }, staff.businessId);
}

/** A paid link with a refund of one unit, which settled then. */
export async function makePastRefund(staff: Staff, daysAgo: number, over: Partial<PaymentLink> = {}): Promise<void> {
  const settled_at = new Date(Date.now() - daysAgo * 86_400_000);
  const { id: _id } = await makeLink(staff.businessId, { ...over, created_at: settled_at });
  const id = await insertRefund({ _id });
  await db.refund.update({ where: { id }, data: { settled_at, created_at: settled_at } });
  await recountSums({ query: asOwner }, staff.businessId);
}

export async function makeAttempt(link: PaymentLink, over: Partial<Payment>): Promise<Payment> {
  const { business_id, livemode, amount_cents, currency, id: payment_link_id } = link;
  const id = newId("pay");
  const ofLink = { business_id, livemode, payment_link_id, amount_cents, currency };
  const attempt = await db.payment.create({
    data: { ...ofLink, id, gateway: "sandbox", gateway_key: id, card_brand: "visa", card_last4: "0002", ...over },
  });
  if (attempt.settled_at) await recountSums({ query: asOwner }, business_id);
  return attempt;
}

/** A link's payment that staff recorded by hand, with its rows as `markPaid` writes them. */
export async function makeManualPayment(staff: Staff, over: Partial<PaymentLink> = {}): Promise<{ id: string }> {
  const link = await makeLink(staff.businessId, over);
  const { business_id, livemode } = link;
  const tenant = { businessId: business_id, livemode };
  const paid_on = new Date().toISOString().slice(0, 10);
  const input = { method: "cheque" as const, paid_on, reference: "Cheque 400123", note: null };
  const id = await transaction(db, (tx) => markPaid(tx, tenant, { ...link, _id: link.id }, input));
  return { id: id ?? "" };
}
