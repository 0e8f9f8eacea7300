import {
  type Charge,
  type GatewayRefund,
  holdsMoney,
  type Link,
  type Lost,
  type Payment,
  type Refund,
  setPaid,
} from "./shop";

const outcomes = {
  pending: { status: "pending", later: "succeeded" },
  returned: { status: "succeeded", later: "failed" },
  succeeded: { status: "succeeded", later: null },
  refused: { status: "failed", later: null },
} as const;

/**
 * The gateway gets a refund. It refuses one of disputed money, even if the ledger does not know the dispute yet: the ledger then
 * looks the dispute up.
 */
export function perform(payment: Payment, charge: Charge, refund: Refund): void {
  const disputed = holdsMoney(charge.dispute?.status);
  const outcome = disputed ? outcomes.refused : outcomes[charge.refundsAre];
  const there: GatewayRefund = { key: refund.id, cents: refund.cents, ...outcome };
  // The gateway's own books have no refund that it refused.
  if (outcome !== outcomes.refused) charge.refunds.push(there);
  Object.assign(refund, { there, status: there.status });
  if (disputed) payment.dispute = charge.dispute?.status ?? null;
}

/** The ledger looks a link's payment up. */
export function learn(link: Link, about: "payment" | "dispute"): void {
  learnAttempt(link);
  const { payment } = link;
  if (!payment?.charge) return;
  if (about === "payment") learnRefunds(payment, payment.charge);
  else payment.dispute = payment.charge.dispute?.status ?? null;
}

export function learnRefunds(payment: Payment, charge: Charge): void {
  payment.feeKnown = true;
  for (const refund of payment.refunds) if (refund.there) refund.status = refund.there.status;
  for (const refund of payment.refunds) if (!refund.there && refund.old) perform(payment, charge, refund);
}

export function learnAttempt(link: Link): void {
  if (!link.attempt) return;
  const { charge, old } = link.attempt;
  // What the gateway does not know is cancelled there once its request is no longer in flight.
  if (charge.status === "absent" && old) charge.status = "failed";
  if (charge.status === "succeeded") setPaid(link, charge);
  if (charge.status === "failed") Object.assign(link, { status: "Active", attempt: null });
}

/** The gateway decides. */
export function decided(charges: Charge[]): void {
  for (const charge of charges)
    for (const one of [charge, charge.dispute, ...charge.refunds])
      if (one?.later) Object.assign(one, { status: one.later, later: null });
}

/** The ledger closes at the gateway an attempt that staff recorded as failed. */
export function learnLost(one: Lost, about: "payment" | "dispute" = "payment"): void {
  const { charge } = one;
  one.closed = charge.status !== "undecided" || charge.waitsForPayer === true;
  if (charge.status === "succeeded") one.mismatch ??= "open";
  if (charge.status === "absent" || (charge.status === "undecided" && charge.waitsForPayer)) charge.status = "failed";
  if (one.mismatch && about === "dispute") one.dispute = charge.dispute?.status ?? null;
}
