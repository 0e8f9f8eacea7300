import { customerRecordExample } from "@/lib/resources/customers/contract";
import { disputeEndpoints } from "@/lib/resources/disputes/contract";
import { gatewayAccountExample } from "@/lib/resources/gateway-accounts/contract";
import { packageEndpoints } from "@/lib/resources/packages/contract";
import { paymentLinkExample } from "@/lib/resources/payment-links/contract";
import { paymentEndpoints, reversedExample } from "@/lib/resources/payments/contract";
import { payoutExample } from "@/lib/resources/payouts/contract";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { type EndedReason, type Subscription, subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { type Event, eventExample } from "./contract";
import type { EventType, Happening } from "./types";

const link = paymentLinkExample;
const paidAt = "2026-11-21T09:31:01.000000Z";
const payment = { ...paymentEndpoints.get.example.data, payout_id: null };
/** A payment that moved no money. */
const failed = { ...payment, status: "failed", fee: null, receipt_url: null, net_amount: null } as const;
const dispute = disputeEndpoints.get.example.data;
const refund = refundEndpoints.get.example.data;
const { token, activation_url, ...tokenization } = tokenizationEndpoints.get.example.data;
const pkg = packageEndpoints.get.example.data;
const pending = { ...tokenization, status: "pending", activated_at: null, card: null } as const;
const period = {
  ...link,
  subscription_id: subscriptionEndpoints.get.example.data._id,
  period_start: "2026-12-21T09:30:00.000000Z",
  period_end: "2027-01-21T09:30:00.000000Z",
};
const created: Subscription = subscriptionEndpoints.get.example.data;
const active: Subscription = {
  ...created,
  status: "active",
  payment_links: [{ ...period, status: "Paid", paid: true, paid_at: period.period_start }],
  current_period_start: period.period_start,
  current_period_end: period.period_end,
  next_charge_at: period.period_end,
};
const owing = { ...active, payment_links: [period] };

const ended = (ended_reason: EndedReason) => ({ next_charge_at: null, ended_at: paidAt, ended_reason });

type Data<T extends EventType> = Extract<Happening, { type: T }>["data"];

/** An example of each type's `data`, for the documentation and for samples. */
const dataExamples: { [T in EventType]: Data<T> } = {
  "payment_link.created": link,
  "payment_link.updated": { ...link, title: "Order 1001, changed" },
  "payment_link.awaiting_payer": period,
  "payment_link.paid": { ...link, status: "Paid", paid: true, paid_at: paidAt },
  "payment_link.expired": { ...link, status: "Expired", expires_at: paidAt },
  "payment_link.deleted": link,
  "payment.succeeded": payment,
  "payment.failed": { ...failed, reason: "insufficient_funds" },
  "payment.mismatch": {
    ...failed,
    reason: "processing_error",
    ...{ settled_by: "Anna Schmidt", settled_reason: "Not in Stripe's dashboard", mismatch_at: paidAt },
  },
  "payment.refunded": { ...payment, refunded_amount: 2.5 },
  "payment.updated": { ...payment, metadata: { order_id: "1001" } },
  "payment.reversed": reversedExample,
  "refund.updated": { ...refund, metadata: { order_id: "1001" } },
  "refund.failed": { ...refund, status: "failed", failure_reason: "declined" },
  "dispute.created": dispute,
  "dispute.updated": { ...dispute, status: "under_review" },
  "dispute.won": { ...dispute, status: "won", returned: dispute.withdrawn, closed_at: "2026-12-20T09:31:00.000000Z" },
  "dispute.lost": { ...dispute, status: "lost", closed_at: "2026-12-20T09:31:00.000000Z" },
  "dispute.closed": {
    ...dispute,
    status: "inquiry_closed",
    withdrawn: null,
    fee: null,
    closed_at: "2026-12-20T09:31:00.000000Z",
  },
  "payout.created": { ...payoutExample, status: "in_transit", bank_reference: null, totals: [] },
  "payout.paid": payoutExample,
  "payout.failed": { ...payoutExample, status: "failed" },
  "tokenization.created": pending,
  "tokenization.updated": { ...tokenization, metadata: { order_id: "1001" } },
  "tokenization.activated": tokenization,
  "tokenization.declined": { ...tokenization, declined_at: paidAt, decline_reason: "expired_card" },
  "tokenization.revoked": { ...tokenization, status: "revoked" },
  "tokenization.expired": { ...pending, status: "expired" },
  "subscription.created": created,
  "subscription.updated": { ...active, phone_no: "+4915550100" },
  "subscription.activated": active,
  "subscription.renewed": active,
  "subscription.renewal_upcoming": active,
  "subscription.card_expiring": active,
  "subscription.price_changing": {
    ...active,
    price_change: { amount: 17, amount_cents: 1700, from: period.period_end, told: false },
  },
  "subscription.past_due": { ...owing, status: "past_due" },
  "subscription.recovered": active,
  "subscription.unpaid": { ...owing, ...ended("unpaid"), status: "unpaid" },
  "subscription.paused": { ...active, status: "paused", next_charge_at: null },
  "subscription.resumed": active,
  "subscription.canceled": { ...active, ...ended("canceled_by_staff"), status: "cancel" },
  "subscription.completed": { ...active, ...ended("period_end"), status: "completed" },
  "subscription.deleted": { ...active, ...ended("canceled_by_staff"), status: "cancel" },
  "package.created": pkg,
  "package.updated": { ...pkg, name: "Reading circle" },
  "package.canceled": { ...pkg, status: "cancel" },
  "package.deleted": pkg,
  "customer.updated": customerRecordExample,
  "customer.email_changed": {
    ...customerRecordExample,
    email: "ada@lovelace.example",
    previous_email: customerRecordExample.email,
  },
  "gateway_account.broken": {
    ...gatewayAccountExample,
    broken_at: paidAt,
    broken_code: "api_key_expired",
    refused_calls: ["key"],
  },
  "gateway_account.restored": gatewayAccountExample,
};

export function exampleOf(type: EventType): Event {
  const data = dataExamples[type];
  return { ...eventExample, type, resource_id: data._id, data };
}
