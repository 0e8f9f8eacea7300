import { cardExpiresAt } from "@/lib/core/card-expiry";
import { Prisma } from "@/lib/core/db";
import type { DropReason } from "@/lib/resources/emails/contract";
import { aboutLink, aboutSubscription, type PayerMails, type Template } from "@/lib/resources/emails/templates";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";

type Card = PayerMails["card_expiring"]["card"];

/** The link or subscription of such a mail, as it is now; null if it is deleted. */
export interface Present {
  link: PaymentLink | null;
  subscription: Subscription | null;
  /** The card that the subscription's next charge uses; null without a usable one. */
  card: Card | null;
}

/**
 * The columns of `Present` for a row of `email`.
 * @param email the row's alias
 */
export function presentOf(email: Prisma.Sql): Prisma.Sql {
  const own = Prisma.sql`business_id = ${email}.business_id AND livemode = ${email}.livemode`;
  const isAbout = (names: readonly Template[]) => Prisma.sql`${email}.template = ANY(${names}::text[])`;
  return Prisma.sql`
    CASE WHEN ${isAbout(aboutLink)} THEN (
      SELECT to_json(l) FROM (SELECT ${paymentLinks.columns()} FROM payment_link
                               WHERE payment_link.id = ${email}.payment_link_id AND deleted_at IS NULL AND ${own}) AS l) END AS link,
    CASE WHEN ${isAbout(aboutSubscription)} THEN (
      SELECT to_json(s) FROM (SELECT ${subscriptions.columns()} FROM subscription
                               WHERE subscription.id = ${email}.subscription_id AND deleted_at IS NULL AND ${own}) AS s) END AS subscription,
    CASE WHEN ${isAbout(aboutSubscription)} THEN (
      SELECT json_build_object('brand', t.card_brand, 'last4', t.card_last4, 'exp_month', t.card_exp_month, 'exp_year', t.card_exp_year)
        FROM tokenization t JOIN subscription s ON s.id = ${email}.subscription_id
       WHERE t.business_id = s.business_id AND t.livemode = s.livemode AND t.status = 'active' AND t.declined_at IS NULL
         AND t.card_last4 IS NOT NULL
         AND lower(t.email COLLATE "C") = lower(s.email COLLATE "C")
       ORDER BY t.activated_at DESC LIMIT 1) END AS card`;
}

export interface Queued {
  template: Template;
  to: string;
  props: object;
}

type Decision =
  | { send: Queued }
  /** A payment of the link is in progress: if it fails, the mail is still needed. */
  | { wait: true }
  | { drop: DropReason };

/** Decides what a queued mail says now, and to whom. */
export function decide(mail: Queued, present: Present, now: Date): Decision {
  if (aboutLink.includes(mail.template)) return decideLink(mail, present.link);
  if (aboutSubscription.includes(mail.template)) return decideCharge(mail, present, now);
  return { send: mail };
}

function decideLink(mail: Queued, link: PaymentLink | null): Decision {
  switch (link?.status) {
    case undefined:
      return { drop: "link_deleted" };
    case "Active":
      return { send: { ...mail, to: link.email, props: { ...mail.props, link } } };
    case "Processing":
      return { wait: true };
    case "Paid":
      return { drop: "link_paid" };
    case "Expired":
      return { drop: "link_expired" };
    default:
      return { drop: "link_inactive" };
  }
}

function decideCharge(mail: Queued, { subscription, card }: Present, now: Date): Decision {
  const { subscription: before } = mail.props as PayerMails["renewal_notice"];
  if (subscription?.status === "paused") return { drop: "subscription_paused" };
  const charge = subscription?.next_charge_at;
  if (!charge || subscription.cancel_at_period_end) return { drop: "subscription_ended" };
  // The announced charge was due while the mail waited. A later charge has a mail of its own.
  if (before.next_charge_at && Date.parse(before.next_charge_at) <= now.getTime()) return { drop: "charge_passed" };
  if (!card) return { drop: "card_missing" };
  const { to, props } = { to: subscription.email, props: { ...mail.props, subscription } };
  if (mail.template === "renewal_notice") return { send: { ...mail, to, props } };
  const expires = cardExpiresAt(card.exp_year, card.exp_month) <= Date.parse(charge);
  return expires ? { send: { ...mail, to, props: { ...props, card } } } : { drop: "card_replaced" };
}
