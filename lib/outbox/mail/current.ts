import { cardExpiresAt } from "@/lib/core/card-expiry";
import { Prisma } from "@/lib/core/db";
import { type Schedule, startAfterNotice } from "@/lib/periods/calendar";
import type { DropReason } from "@/lib/resources/emails/contract";
import { aboutLink, aboutSubscription, type PayerMails, type Template } from "@/lib/resources/emails/templates";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { noticeDays, openingAt, priceChangeOf, subscriptions } from "@/lib/resources/subscriptions/resource";

type Card = PayerMails["card_expiring"]["card"];

/** The link or subscription of such a mail, as it is now; null if it is deleted. */
export interface Present {
  link: PaymentLink | null;
  subscription: Subscription | null;
  /** The card that the subscription's next charge uses; null without a usable one. */
  card: Card | null;
  /** Of a mail that announces a price; null for other mails. */
  price: PriceState | null;
}

/** What decides whether a price can be announced now. Instants are ISO 8601. */
interface PriceState extends Schedule {
  next_period: number;
  notice_days: number;
  /** The start of the first period without a payment link, or now. */
  opening: string;
  amount_cents: number;
  /** The price that a mail has announced, with its first period. */
  next_cents: number | null;
  next_from: string | null;
  /** The price that is to be announced; null also while a worker withdraws it. */
  announced_cents: number | null;
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
       ORDER BY t.activated_at DESC LIMIT 1) END AS card,
    CASE WHEN ${email}.template = 'price_changing' THEN (
      SELECT json_build_object(
               'anchor', s.anchor, 'timezone', s.timezone, 'frequency', p.frequency, 'next_period', s.next_period,
               'notice_days', ${noticeDays(Prisma.sql`b`)}, 'opening', ${openingAt(Prisma.sql`s`, Prisma.sql`statement_timestamp()`)},
               'amount_cents', s.amount_cents, 'next_cents', s.next_amount_cents, 'next_from', s.next_amount_from,
               'announced_cents', (SELECT s.announced_amount_cents WHERE NOT EXISTS (
                 SELECT FROM package_repricing r WHERE r.package_id = s.package_id AND NOT r.announces)))
        FROM subscription s JOIN package p ON p.id = s.package_id JOIN business b ON b.id = s.business_id
       WHERE s.id = ${email}.subscription_id) END AS price`;
}

export interface Queued {
  template: Template;
  to: string;
  props: object;
  /** Whether staff send it again. */
  is_copy: boolean;
}

type Decision =
  | { send: Queued }
  /** Why it is not sent yet, for staff to read, and until when: null if that is not known. */
  | { wait: string; until: Date | null }
  | { drop: DropReason };

/** Decides what a queued mail says now, and to whom. */
export function decide(mail: Queued, present: Present, now: Date): Decision {
  if (aboutLink.includes(mail.template)) return decideLink(mail, present.link);
  if (mail.template === "price_changing") return decidePrice(mail, present, now);
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
      return { wait: "A payment of the link is in progress.", until: null }; // if it fails, the mail is still needed
    case "Paid":
      return { drop: "link_paid" };
    case "Expired":
      return { drop: "link_expired" };
    default:
      return { drop: "link_inactive" };
  }
}

/**
 * A price is announced only if periods between now and its first one cost what the customer knows already. The first one begins after
 * the whole notice period, also if the mail is late.
 */
function decidePrice(mail: Queued, { subscription, price }: Present, now: Date): Decision {
  const ended = !subscription || subscription.status === "cancel" || subscription.status === "completed";
  if (ended || !price || subscription.cancel_at_period_end) return { drop: "subscription_ended" };
  const { subscription: before } = mail.props as PayerMails["price_changing"];
  const cents = before.price_change?.amount_cents;
  const send = (told: Partial<Subscription>): Decision => ({
    send: { ...mail, to: subscription.email, props: { subscription: { ...subscription, ...told } } },
  });
  const nextFrom = price.next_from === null ? null : new Date(price.next_from);
  if (cents === undefined || price.announced_cents !== cents || subscription.package.amount_cents !== cents) {
    const isNext = nextFrom !== null && nextFrom > now && price.next_cents === cents;
    return mail.is_copy && isNext
      ? send({ price_change: priceChangeOf(cents, nextFrom, true) })
      : { drop: "price_change_withdrawn" };
  }
  const from = startAfterNotice(price, price.next_period, now, price.notice_days);
  if (nextFrom && nextFrom > new Date(price.opening) && nextFrom < from)
    // Billing may be late to open its period.
    return { wait: "The price that was announced before has to begin first.", until: nextFrom > now ? nextFrom : null };
  const amount_cents = nextFrom && nextFrom < from ? (price.next_cents ?? price.amount_cents) : price.amount_cents;
  return send({ amount_cents, price_change: priceChangeOf(cents, from, false) });
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
