import type { z } from "zod";
import { packageWithCounts } from "@/lib/resources/packages/contract";
import { paymentLink } from "@/lib/resources/payment-links/contract";
import { paymentOfLink } from "@/lib/resources/payments/contract";
import { refund } from "@/lib/resources/refunds/contract";
import { subscription } from "@/lib/resources/subscriptions/contract";
import { toldTokenization } from "@/lib/resources/tokenizations/contract";

/** Everything that can happen: its type, when, and what the event's `data` is. The list is closed. */
export const eventTypes = {
  "payment_link.created": { says: "A payment link was created.", data: paymentLink },
  "payment_link.updated": { says: "A payment link was changed, activated or deactivated.", data: paymentLink },
  "payment_link.awaiting_payer": {
    says: "A subscription's period has no card to be charged: its payer was asked to pay the link.",
    data: paymentLink,
  },
  "payment_link.paid": { says: "A payment link was paid.", data: paymentLink },
  "payment_link.expired": { says: "A payment link expired unpaid.", data: paymentLink },
  "payment_link.deleted": { says: "A payment link was deleted.", data: paymentLink },
  "payment.succeeded": { says: "A payment succeeded.", data: paymentOfLink },
  "payment.failed": { says: "An attempt to pay failed; `reason` says why.", data: paymentOfLink },
  "payment.refunded": { says: "All or a part of a payment was returned.", data: paymentOfLink },
  "refund.failed": { says: "A refund failed or was sent back by the bank.", data: refund },
  "tokenization.created": { says: "A tokenization was created.", data: toldTokenization },
  "tokenization.activated": { says: "The payer saved a card.", data: toldTokenization },
  "tokenization.revoked": { says: "A tokenization was revoked.", data: toldTokenization },
  "tokenization.expired": { says: "A tokenization's activation page was not used in time.", data: toldTokenization },
  "subscription.created": { says: "A subscription was created.", data: subscription },
  "subscription.updated": { says: "A subscription's fields were changed.", data: subscription },
  "subscription.activated": { says: "A subscription's first period was paid.", data: subscription },
  "subscription.renewed": { says: "A further period of a subscription was paid.", data: subscription },
  "subscription.renewal_upcoming": { says: "A subscription will be charged in some days.", data: subscription },
  "subscription.card_expiring": {
    says: "The saved card of a subscriber expires before the next charge.",
    data: subscription,
  },
  "subscription.past_due": { says: "A period could not be charged, or is overdue.", data: subscription },
  "subscription.recovered": { says: "Everything that had failed is paid: active again.", data: subscription },
  "subscription.unpaid": { says: "The last try has failed: no further period is opened.", data: subscription },
  "subscription.paused": { says: "A subscription was paused.", data: subscription },
  "subscription.resumed": { says: "A paused subscription goes on.", data: subscription },
  "subscription.canceled": { says: "A subscription was cancelled.", data: subscription },
  "subscription.completed": { says: "A subscription ended with its last period.", data: subscription },
  "subscription.deleted": { says: "A subscription was deleted.", data: subscription },
  "package.created": { says: "A package was created.", data: packageWithCounts },
  "package.updated": { says: "A package was changed.", data: packageWithCounts },
  "package.canceled": { says: "A package was cancelled: it takes no new subscriptions.", data: packageWithCounts },
  "package.deleted": { says: "A package was deleted.", data: packageWithCounts },
} as const satisfies Record<string, { says: string; data: z.ZodType }>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** Something that has happened, to be told. */
export type Happening = { [T in EventType]: { type: T; data: z.input<(typeof eventTypes)[T]["data"]> } }[EventType];
