import type { Dispute } from "@/lib/resources/disputes/contract";
import type { EventType } from "@/lib/resources/events/types";
import type { NotificationKind } from "@/lib/resources/notifications/types";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Payment } from "@/lib/resources/payments/contract";
import type { Refund } from "@/lib/resources/refunds/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";

export interface PayerMails {
  payment_link: { link: PaymentLink };
  receipt: { link: PaymentLink; payment: Payment };
  /** `payment` has the sums after the refund. */
  refund: { link: PaymentLink; payment: Payment; refund: Refund };
  payment_failed: { link: PaymentLink; payment: Payment };
  renewal_notice: { subscription: Subscription };
  /** The saved card expires before the next charge. */
  card_expiring: {
    subscription: Subscription;
    card: { brand: string; last4: string; exp_month: number; exp_year: number };
  };
  /** `price_change` of the subscription is set. */
  price_changing: { subscription: Subscription };
  subscription_canceled: { subscription: Subscription };
}

/** Mails to staff. Instants are ISO 8601; a `link` is an absolute URL of this site. */
export interface StaffMails {
  invitation: { inviter_name: string; role: string; link: string; expires_at: string };
  password_reset: { link: string; expires_at: string };
  email_verification: { link: string; expires_at: string };
  /** `link`: to the dispute's page. */
  dispute_opened: { dispute: Dispute; link: string };
  dispute_ended: { dispute: Dispute; link: string };
  /** `disabled_at`: when the endpoint will be disabled; null if that is not decided. `link`: to its page. */
  webhook_failing: { endpoint_url: string; failing_since: string; disabled_at: string | null; link: string };
  /** `code`: the gateway's. `permission`: whether the key only lacks a permission. `link`: to the settings. */
  account_broken: { account: string; code: string | null; permission: boolean; since: string; link: string };
  /** Events of the kinds that a member chose: the newest, and how many more. `link`: to the overview. */
  notifications: { lines: NotificationLine[]; more: number; others?: OtherNotifications[]; link: string };
  /** The figures of a day (YYYY-MM-DD). `link`: to the overview. */
  daily_digest: { day: string; money: DigestMoney[]; counts: { kind: DigestCount; count: number }[]; link: string };
  /** `link`: to the key's page. */
  api_key_expiring: { name: string; hint: string; expires_at: string; link: string };
}

export interface NotificationLine {
  kind: NotificationKind;
  text: string;
  detail: string | null;
  created_at: string;
  link: string;
}

/** The events of one type that a mail counts but does not list. `is_lower_bound`: whether there are more than `count`. */
export interface OtherNotifications {
  kind: NotificationKind;
  count: number;
  is_lower_bound: boolean;
}

export const sumOfOthers = (others: OtherNotifications[]): number => others.reduce((sum, { count }) => sum + count, 0);

/** Amounts in cents. */
export interface DigestMoney {
  currency: string;
  collected_cents: number;
  collected_count: number;
  failed_count: number;
  refunded_cents: number;
  refunded_count: number;
}

export const digestCounts = {
  disputes_opened: ["dispute.created"],
  disputes_ended: ["dispute.won", "dispute.lost", "dispute.closed"],
  subscriptions_started: ["subscription.activated"],
  subscriptions_ended: ["subscription.unpaid", "subscription.canceled", "subscription.completed"],
  payouts_paid: ["payout.paid"],
  payouts_failed: ["payout.failed"],
} as const satisfies Record<string, readonly EventType[]>;
export type DigestCount = keyof typeof digestCounts;

type Filled<Mails> = { [T in keyof Mails]: { template: T; to: string; props: Mails[T] } }[keyof Mails];

export type QueuedMail = Filled<PayerMails>;
export type StaffMail = Filled<StaffMails>;

export const templates = {
  payment_link: "payer",
  receipt: "payer",
  refund: "payer",
  payment_failed: "payer",
  renewal_notice: "payer",
  card_expiring: "payer",
  price_changing: "payer",
  subscription_canceled: "payer",
  invitation: "staff",
  password_reset: "staff",
  email_verification: "staff",
  webhook_failing: "staff",
  account_broken: "staff",
  api_key_expiring: "staff",
  notifications: "staff",
  daily_digest: "staff",
  dispute_opened: "staff",
  dispute_ended: "staff",
} as const satisfies Record<keyof PayerMails, "payer"> & Record<keyof StaffMails, "staff">;

export type Template = keyof typeof templates;
export const templateNames = Object.keys(templates) as [Template, ...Template[]];

/**
 * Mails that ask a payer for something, or announce something. They say what is true when they are sent, or are dropped
 * (lib/outbox/mail/current.ts). Other mails state a fact of the past, such as a receipt: they keep what was true then.
 */
export const aboutLink: readonly Template[] = ["payment_link", "payment_failed"];
export const aboutSubscription: readonly Template[] = ["renewal_notice", "card_expiring", "price_changing"];

const withSecret: readonly Template[] = ["invitation", "password_reset", "email_verification"];

/**
 * Whether the mail's link proves that its holder reads the mailbox. Such a mail is encrypted while it is queued, and kept
 * without the link (lib/outbox/mail/enqueue.ts, lib/outbox/mail/send.ts).
 */
export const holdsSecret = (template: Template): boolean => withSecret.includes(template);
