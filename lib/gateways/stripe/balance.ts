import type Stripe from "stripe";
import type { EntriesOf, GatewayPage, KnownEntry, KnownPayout } from "@/lib/gateways/balance";
import { fromStripeAmount } from "./amounts";

const pageRows = 100;

export async function balance(stripe: Stripe): Promise<{ amountCents: number; currency: string }[]> {
  const { available, pending } = await stripe.balance.retrieve();
  const held = new Map<string, number>();
  for (const { amount, currency } of [...available, ...pending]) {
    const code = currency.toUpperCase();
    held.set(code, (held.get(code) ?? 0) + fromStripeAmount(amount, currency));
  }
  return [...held].map(([currency, amountCents]) => ({ amountCents, currency }));
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

export async function balanceEntries(
  stripe: Stripe,
  of: EntriesOf,
  cursor: string | null,
): Promise<GatewayPage<KnownEntry>> {
  const { data, has_more } = await stripe.balanceTransactions.list({
    ...("payoutRef" in of
      ? { payout: of.payoutRef }
      : { created: { gte: seconds(of.from), ...(of.before ? { lt: seconds(of.before) } : {}) } }),
    limit: pageRows,
    expand: ["data.source"],
    ...(cursor ? { starting_after: cursor } : {}),
  });
  return { rows: data.map(entryOf), next: has_more ? (data.at(-1)?.id ?? null) : null };
}

export async function payouts(stripe: Stripe, since: Date, cursor: string | null): Promise<GatewayPage<KnownPayout>> {
  const { data, has_more } = await stripe.payouts.list({
    created: { gte: seconds(since) },
    limit: pageRows,
    ...(cursor ? { starting_after: cursor } : {}),
  });
  return { rows: data.map(payoutOf), next: has_more ? (data.at(-1)?.id ?? null) : null };
}

/** Stripe's reporting categories. All others are adjustments. */
const types: Record<string, KnownEntry["type"]> = {
  charge: "charge",
  refund: "refund",
  refund_failure: "refund_failure",
  dispute: "dispute",
  dispute_reversal: "dispute_reversal",
  fee: "fee",
  network_cost: "fee",
  payout: "payout",
  payout_reversal: "payout_failure",
};

function entryOf(transaction: Stripe.BalanceTransaction): KnownEntry {
  const { id: ref, amount, fee, currency, created, reporting_category } = transaction;
  return {
    ref,
    type: types[reporting_category] ?? "adjustment",
    amountCents: fromStripeAmount(amount, currency),
    feeCents: fromStripeAmount(fee, currency),
    currency: currency.toUpperCase(),
    ...aboutOf(transaction.source),
    createdAt: new Date(created * 1000),
  };
}

const idOf = (field: string | { id: string } | null | undefined): string | null =>
  typeof field === "string" ? field : (field?.id ?? null);

/** What an entry is about. Our reference of a charge is its payment intent's. */
function aboutOf(
  source: Stripe.BalanceTransaction["source"],
): Pick<KnownEntry, "sourceRef" | "chargeRef" | "gatewayKey"> {
  if (!source || typeof source === "string") return { sourceRef: source, chargeRef: null, gatewayKey: null };
  const sourceRef = source.id;
  if (source.object === "charge")
    return { sourceRef, chargeRef: idOf(source.payment_intent), gatewayKey: source.metadata.paydesk_payment ?? null };
  if (source.object === "refund" || source.object === "dispute")
    return { sourceRef, chargeRef: idOf(source.payment_intent), gatewayKey: source.metadata?.paydesk_payment || null };
  return { sourceRef, chargeRef: null, gatewayKey: null };
}

function payoutOf(payout: Stripe.Payout): KnownPayout {
  const { id: ref, amount, currency, status, arrival_date, automatic, created, trace_id } = payout;
  const known = ["pending", "in_transit", "paid", "failed", "canceled"] as const;
  return {
    ref,
    amountCents: fromStripeAmount(amount, currency),
    currency: currency.toUpperCase(),
    status: known.find((name) => name === status) ?? "pending",
    arrivalDate: new Date(arrival_date * 1000).toISOString().slice(0, 10),
    bankReference: trace_id?.value || null,
    entries: !automatic ? "none" : payout.reconciliation_status === "in_progress" ? "in_progress" : "ready",
    createdAt: new Date(created * 1000),
  };
}
