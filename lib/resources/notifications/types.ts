import type { Scope } from "@/lib/auth/scopes";
import type { EventType } from "@/lib/resources/events/types";

interface Kind {
  /** A member whose role lacks this scope gets no notification of the kind. */
  scope: Scope;
  events: readonly EventType[];
  /** Needs attention: the bell shows it by default in live mode. */
  attention: boolean;
  /** The dashboard's folder of the resource, with a slash at the end; or one page for all. */
  page: string;
}

/**
 * What members can be notified of. A failing endpoint is no event: GET /notifications reads it from the endpoint's row
 * (docs/decisions/0056-notifications.md).
 */
export const notificationKinds = {
  payment_received: {
    scope: "payments:read",
    events: ["payment.succeeded"],
    attention: false,
    page: "/payments/",
  },
  payment_failed: { scope: "payments:read", events: ["payment.failed"], attention: false, page: "/payments/" },
  dispute_opened: { scope: "disputes:read", events: ["dispute.created"], attention: true, page: "/disputes/" },
  dispute_ended: {
    scope: "disputes:read",
    events: ["dispute.won", "dispute.lost", "dispute.closed"],
    attention: true,
    page: "/disputes/",
  },
  subscription_ended: {
    scope: "subscriptions:read",
    events: ["subscription.unpaid", "subscription.canceled", "subscription.completed"],
    attention: false,
    page: "/subscriptions/",
  },
  payout_paid: { scope: "payouts:read", events: ["payout.paid"], attention: false, page: "/payouts/" },
  payout_failed: { scope: "payouts:read", events: ["payout.failed"], attention: false, page: "/payouts/" },
  endpoint_failing: {
    scope: "webhook_endpoints:read",
    events: [],
    attention: true,
    page: "/developers/webhooks/",
  },
  account_broken: {
    scope: "gateway_accounts:read",
    events: ["gateway_account.broken"],
    attention: true,
    page: "/settings#gateway",
  },
} as const satisfies Record<string, Kind>;

export type NotificationKind = keyof typeof notificationKinds;
export const kindNames = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]];

/** Kinds with a mail of their own, which is sent at once. The mails of the others are sent in bundles. */
export const kindsWithOwnMail = ["dispute_opened", "dispute_ended", "endpoint_failing", "account_broken"] as const;
export type KindWithOwnMail = (typeof kindsWithOwnMail)[number];

export const isBundled = (kind: NotificationKind): boolean => !kindsWithOwnMail.includes(kind as KindWithOwnMail);

/** The dashboard's page about the notification's resource. */
export function pageOfNotification(kind: NotificationKind, resourceId: string): string {
  const { page } = notificationKinds[kind];
  return page.endsWith("/") ? page + encodeURIComponent(resourceId) : page;
}

/** Hour of day of the daily digest, in the business's time zone. */
export const digestHour = 7;
export const digestTime = `${digestHour} hours`;
