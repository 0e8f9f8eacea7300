import type { z } from "zod";
import { customerRecord, movedCustomer } from "@/lib/resources/customers/contract";
import { dispute } from "@/lib/resources/disputes/contract";
import { gatewayAccount } from "@/lib/resources/gateway-accounts/contract";
import { packageWithCounts } from "@/lib/resources/packages/contract";
import { paymentLink } from "@/lib/resources/payment-links/contract";
import { paymentOfLink } from "@/lib/resources/payments/contract";
import { payout } from "@/lib/resources/payouts/contract";
import { refund } from "@/lib/resources/refunds/contract";
import { subscription } from "@/lib/resources/subscriptions/contract";
import { eventTokenization } from "@/lib/resources/tokenizations/contract";

export const eventTypes = {
  "payment_link.created": { summary: "A payment link was created.", data: paymentLink },
  "payment_link.updated": { summary: "A payment link was changed, activated or deactivated.", data: paymentLink },
  "payment_link.awaiting_payer": {
    summary: "A subscription's period has no card to charge, so its payer got the link.",
    data: paymentLink,
  },
  "payment_link.paid": { summary: "A payment link was paid.", data: paymentLink },
  "payment_link.expired": { summary: "A payment link expired unpaid.", data: paymentLink },
  "payment_link.deleted": { summary: "A payment link was deleted.", data: paymentLink },
  "payment.succeeded": { summary: "A payment succeeded.", data: paymentOfLink },
  "payment.failed": { summary: "An attempt to pay failed, with a `reason`.", data: paymentOfLink },
  "payment.mismatch": {
    summary: "The gateway took a payment that was settled by hand as failed.",
    data: paymentOfLink,
  },
  "payment.refunded": { summary: "All or a part of a payment was returned.", data: paymentOfLink },
  "payment.updated": { summary: "A payment's metadata or notes were changed.", data: paymentOfLink },
  "payment.reversed": {
    summary: "Staff reversed a manual payment: its link can be paid again, unless it was Inactive before.",
    data: paymentOfLink,
  },
  "refund.updated": { summary: "A refund's metadata or notes were changed.", data: refund },
  "refund.failed": { summary: "A refund failed or was sent back by the bank.", data: refund },
  "dispute.created": { summary: "A payer disputed a payment, or their bank asks about it.", data: dispute },
  "dispute.updated": { summary: "A dispute's state, deadline, money, metadata or notes changed.", data: dispute },
  "dispute.won": { summary: "A dispute was decided for you: the money comes back.", data: dispute },
  "dispute.lost": { summary: "A dispute was decided for the payer: the money is gone.", data: dispute },
  "dispute.closed": { summary: "An inquiry or a prevented dispute ended without a decision.", data: dispute },
  "payout.created": { summary: "A gateway has begun to transfer money to the bank.", data: payout },
  "payout.paid": { summary: "A payout should have arrived at the bank.", data: payout },
  "payout.failed": { summary: "A payout was cancelled, or sent back by the bank.", data: payout },
  "tokenization.created": { summary: "A tokenization was created.", data: eventTokenization },
  "tokenization.updated": {
    summary: "A tokenization's e-mail, metadata or notes were changed.",
    data: eventTokenization,
  },
  "tokenization.activated": { summary: "The payer saved a card.", data: eventTokenization },
  "tokenization.declined": {
    summary: "The bank declined a saved card for good: it is not charged again.",
    data: eventTokenization,
  },
  "tokenization.revoked": { summary: "A tokenization was revoked.", data: eventTokenization },
  "tokenization.expired": {
    summary: "A tokenization's activation page was not used in time.",
    data: eventTokenization,
  },
  "subscription.created": { summary: "A subscription was created.", data: subscription },
  "subscription.updated": { summary: "A subscription's fields were changed.", data: subscription },
  "subscription.activated": { summary: "A subscription's first period was paid.", data: subscription },
  "subscription.renewed": { summary: "A further period of a subscription was paid.", data: subscription },
  "subscription.renewal_upcoming": { summary: "A subscription will be charged in some days.", data: subscription },
  "subscription.card_expiring": {
    summary: "The saved card of a subscriber expires before the next charge.",
    data: subscription,
  },
  "subscription.price_changing": {
    summary:
      "A subscription's price will change: `price_change` says from when. The date moves if the e-mail about it is late.",
    data: subscription,
  },
  "subscription.past_due": { summary: "A period could not be charged, or is overdue.", data: subscription },
  "subscription.recovered": {
    summary: "A past-due or unpaid subscription is active again, or paused if one of its payments is disputed.",
    data: subscription,
  },
  "subscription.unpaid": { summary: "The last try has failed: no further period is opened.", data: subscription },
  "subscription.paused": { summary: "A subscription was paused.", data: subscription },
  "subscription.resumed": { summary: "A paused subscription goes on.", data: subscription },
  "subscription.canceled": { summary: "A subscription was cancelled.", data: subscription },
  "subscription.completed": { summary: "A subscription ended with its last period.", data: subscription },
  "subscription.deleted": { summary: "A subscription was deleted.", data: subscription },
  "package.created": { summary: "A package was created.", data: packageWithCounts },
  "package.updated": { summary: "A package was changed.", data: packageWithCounts },
  "package.canceled": { summary: "A package was cancelled: it takes no new subscriptions.", data: packageWithCounts },
  "package.deleted": { summary: "A package was deleted.", data: packageWithCounts },
  "customer.updated": { summary: "A customer's name, notes or metadata were changed.", data: customerRecord },
  "customer.email_changed": {
    summary: "A customer's e-mail was changed from `previous_email`. Each moved row has its own event.",
    data: movedCustomer,
  },
  "gateway_account.broken": {
    summary: "The gateway refuses the account's key: reconnect the account.",
    data: gatewayAccount,
  },
  "gateway_account.restored": { summary: "The gateway accepts the account's key again.", data: gatewayAccount },
} as const satisfies Record<string, { summary: string; data: z.ZodType }>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

export type Happening = { [T in EventType]: { type: T; data: z.input<(typeof eventTypes)[T]["data"]> } }[EventType];
