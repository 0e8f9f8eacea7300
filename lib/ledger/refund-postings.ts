import { clock } from "@/lib/core/clock";
import { type Db, db } from "@/lib/core/db";
import { type Booked, manualGateway } from "@/lib/gateways/gateway";

type Paid = {
  id: string;
  business_id: number;
  livemode: boolean;
  payment_link_id: string;
  gateway: string;
  currency: string;
};

interface Movement {
  id: string;
  cents: number;
  /** Cents to add to `refunded_cents`; negative for a returned refund. */
  toRefunded: number;
  booked: Booked | null;
}

export async function postRefund(tx: Db, movement: Movement, payment: Paid, now: Date): Promise<void> {
  const { id: refund_id, cents, toRefunded, booked } = movement;
  await tx.paymentLink.update({
    where: { id: payment.payment_link_id },
    data: { refunded_cents: { increment: toRefunded } },
  });
  const account = payment.gateway === manualGateway ? "manual" : "gateway";
  const out = { debit: "refunds", credit: account };
  const back = { debit: account, credit: "refunds" };
  const { business_id, livemode, id: payment_id, currency } = payment;
  const common = { business_id, livemode, payment_id, refund_id, created_at: now };
  const moved =
    toRefunded > 0
      ? { ...common, kind: "refund", ...out, amount_cents: cents, currency }
      : { ...common, kind: "refund_returned", ...back, amount_cents: cents, currency };
  const exchanged = exchangeOf(toRefunded > 0, cents, currency.trim(), booked);
  await tx.posting.createMany({ data: [moved, ...exchanged.map((posting) => ({ ...common, ...posting }))] });
}

/**
 * The postings that move a refund from the gateway's balance in the refund's currency to the currency in which the gateway booked it.
 * None if they are the same.
 * @param leaves whether the money leaves the gateway; false for a returned refund
 */
function exchangeOf(leaves: boolean, cents: number, currency: string, booked: Booked | null) {
  if (!booked || booked.currency === currency || booked.grossCents === 0) return [];
  const into = { kind: "exchange_in", debit: "gateway", credit: "exchange" };
  const from = { kind: "exchange_out", debit: "exchange", credit: "gateway" };
  return [
    { ...(leaves ? into : from), amount_cents: cents, currency },
    { ...(leaves ? from : into), amount_cents: booked.grossCents, currency: booked.currency },
  ];
}

/** Records the exchange of a refund that the gateway booked later. Writes nothing twice. */
export async function recordBookedRefund(
  { id: refund_id, payment_id }: { id: string; payment_id: string },
  booked: Booked,
  returned: boolean,
): Promise<void> {
  const kind = returned ? "refund_returned" : "refund";
  const found = await db.posting.findFirst({ where: { payment_id, refund_id, kind } });
  if (!found) return;
  const { business_id, livemode, currency } = found;
  const common = { business_id, livemode, payment_id, refund_id, created_at: clock.now() };
  const postings = exchangeOf(!returned, Number(found.amount_cents), currency.trim(), booked);
  const data = postings.map((posting) => ({ ...common, ...posting }));
  await db.posting.createMany({ data, skipDuplicates: true });
}
