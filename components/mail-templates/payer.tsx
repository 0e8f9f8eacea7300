import { cardWords, dayWords } from "@/components/payer/words";
import { formatMoney } from "@/lib/core/money";
import { priceEach } from "@/lib/core/price-words";
import { declineReasons } from "@/lib/gateways/reasons";
import type { Letterhead } from "@/lib/outbox/mail/send";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";
import type { PayerMails } from "@/lib/resources/emails/templates";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Payment } from "@/lib/resources/payments/contract";
import { nextAmount } from "@/lib/resources/subscriptions/next-amount";
import type { PayerMailTexts } from "@/messages/payer/mail-texts";
import { Action, Aside, Facts, type Letter, Paragraph, Quote, Title } from "./frame";
import { mailMoney, moment, refundedTaxFact, taxFacts, titleIn } from "./words";

type Templates = {
  [T in keyof PayerMails]: (props: PayerMails[T], head: Letterhead, t: PayerMailTexts) => Letter;
};

const cardFact = (
  t: PayerMailTexts,
  card: { brand: string; last4: string } | null,
): readonly [string, string] | null => {
  const words = card && cardWords(t, untrusted(card.brand, 20), untrusted(card.last4, 4));
  return words ? [t.mails.facts.card, words] : null;
};

/** The day on which a manual payment arrived, or the moment of the charge. */
const paidOn = (t: PayerMailTexts, { manual, settled_at, created_at }: Payment, head: Letterhead): string =>
  manual ? dayWords(t, new Date(manual.paid_on), "UTC") : moment(settled_at ?? created_at, head, t);

/** Whether a charge of the period's saved card failed, no retry is scheduled, and no transfer is awaited. */
const wantsCard = (link: PaymentLink): boolean =>
  link.subscription_id !== null &&
  link.attempt_count > 0 &&
  link.next_attempt_at === null &&
  link.awaiting_transfer_since === null;

function reasonToPay(t: PayerMailTexts, link: PaymentLink, business: string, head: Letterhead): string {
  const { paymentLink: words } = t.mails;
  if (link.subscription_id === null) return words.sent(business);
  if (link.next_attempt_at !== null) return words.payNow(business, moment(link.next_attempt_at, head, t));
  return wantsCard(link) ? words.cardDeclined(business) : words.period(business);
}

const referenceFact = (t: PayerMailTexts, reference: string | null): readonly [string, string] | null =>
  reference?.trim() ? [t.mails.facts.reference, untrusted(reference)] : null;

/** Mails about a link are in its language, and mails about a subscription in English. */
export const payerTemplates: Templates = {
  payment_link({ link }, head, t) {
    const { facts, paymentLink: words, useAnotherCard } = t.mails;
    const amount = mailMoney(t, link.amount_cents, link.currency);
    const business = untrusted(head.business_name, 100);
    return {
      subject: words.subject(amount, titleIn(link.title)),
      preview: words.preview(business, amount),
      body: (
        <>
          <Title>{words.heading(amount)}</Title>
          <Paragraph>{reasonToPay(t, link, business, head)}</Paragraph>
          <Facts
            t={t}
            facts={[
              [facts.for, untrusted(link.title)],
              [facts.amount, `${amount} (${link.currency})`],
              referenceFact(t, link.reference),
              link.expires_at === null ? null : [words.payBefore, moment(link.expires_at, head, t)],
            ]}
          />
          <Quote words={link.description} />
          <Action t={t} label={wantsCard(link) ? useAnotherCard : words.pay(amount)} link={link.payment_url} />
          {link.subscription_id === null && <Aside>{words.unexpected}</Aside>}
          {wantsCard(link) && <Aside>{words.canSaveCard}</Aside>}
        </>
      ),
    };
  },

  receipt({ link, payment }, head, t) {
    const { facts, receipt: words } = t.mails;
    const amount = mailMoney(t, payment.amount_cents, payment.currency);
    const taxed = taxFacts(t, link, payment);
    const business = untrusted(head.business_name, 100);
    return {
      subject: words.subject(amount, titleIn(link.title)),
      preview: words.preview(amount, business),
      body: (
        <>
          <Title>{words.heading}</Title>
          <Paragraph>{words.text(business, amount)}</Paragraph>
          <Facts
            t={t}
            facts={[
              [facts.for, untrusted(link.title)],
              ...(taxed.length > 0 ? taxed : [[facts.amount, `${amount} (${payment.currency})`] as const]),
              [facts.paidOn, paidOn(t, payment, head)],
              payment.manual ? [facts.paidWith, t.methods[payment.manual.method]] : cardFact(t, payment.card),
              referenceFact(t, link.reference),
              [facts.receiptNumber, payment._id],
            ]}
          />
          <Quote words={head.brand.thank_you_text} />
          {payment.receipt_url && <Action t={t} label={t.mails.viewReceipt} link={payment.receipt_url} />}
        </>
      ),
    };
  },

  refund({ link, payment, refund }, head, t) {
    const { facts, refund: words } = t.mails;
    const amount = mailMoney(t, refund.amount_cents, refund.currency);
    const paid = mailMoney(t, payment.amount_cents, payment.currency);
    const restCents = payment.amount_cents - Math.round(payment.refunded_amount * 100);
    const net = mailMoney(t, restCents, payment.currency);
    const business = untrusted(head.business_name, 100);
    const [preview, text] = payment.manual ? [words.preview, words.text] : [words.previewToCard, words.textToCard];
    return {
      subject: words.subject(amount, titleIn(link.title)),
      preview: preview(business, amount),
      body: (
        <>
          <Title>{(payment.manual ? words.headingByHand : words.heading)(amount)}</Title>
          <Paragraph>{text(business, amount)}</Paragraph>
          <Facts
            t={t}
            facts={[
              [facts.for, untrusted(link.title)],
              [words.refund, `${amount} (${refund.currency})`],
              refundedTaxFact(t, link, refund, restCents),
              [words.refundedOn, moment(refund.settled_at ?? refund.created_at, head, t)],
              cardFact(t, payment.card),
              [words.paid, paid],
              [words.net, net],
              referenceFact(t, link.reference),
              [words.number, refund._id],
            ]}
          />
          {payment.receipt_url && <Action t={t} label={t.mails.viewReceipt} link={payment.receipt_url} />}
          {!payment.manual && <Aside>{words.missing(business)}</Aside>}
        </>
      ),
    };
  },

  payment_failed({ link, payment }, head, t) {
    const { facts, paymentFailed: words, useAnotherCard } = t.mails;
    const isHard = payment.reason !== null && declineReasons[payment.reason].hard;
    const confirms = payment.reason === "authentication_required";
    const amount = mailMoney(t, payment.amount_cents, payment.currency);
    const toPay = mailMoney(t, link.amount_cents, link.currency);
    const next = link.next_attempt_at === null ? null : moment(link.next_attempt_at, head, t);
    const business = untrusted(head.business_name, 100);
    return {
      subject: words.subject(amount, titleIn(link.title)),
      preview: words.preview(business, amount),
      body: (
        <>
          <Title>{words.heading(amount)}</Title>
          <Paragraph>{words.text(business)}</Paragraph>
          {payment.reason && <Paragraph>{t.declines[payment.reason]}</Paragraph>}
          <Facts
            t={t}
            facts={[
              [facts.for, untrusted(link.title)],
              [facts.amount, `${amount} (${payment.currency})`],
              cardFact(t, payment.card),
              [words.attemptedOn, moment(payment.settled_at ?? payment.created_at, head, t)],
              next === null ? null : [words.nextAttempt, next],
            ]}
          />
          <Action
            t={t}
            label={isHard ? useAnotherCard : confirms ? words.confirmNow(toPay) : words.payNow(toPay)}
            link={link.payment_url}
          />
          <Aside>{isHard ? words.hard : next === null ? words.noRetry : words.retry(next)}</Aside>
        </>
      ),
    };
  },

  renewal_notice({ subscription }, head, t) {
    const { next_charge_at } = subscription;
    const pkg = { ...subscription.package, amount_cents: nextAmount(subscription) };
    const amount = formatMoney(pkg.amount_cents, pkg.currency);
    const business = untrusted(head.business_name, 100);
    const day = next_charge_at === null ? null : dayWords(t, new Date(next_charge_at), head.timezone);
    // Also announces the first charge.
    const renews = subscription.status === "created" ? "starts" : "renews";
    return {
      subject: `${titleIn(pkg.name)} ${renews} ${day === null ? "soon" : `on ${day}`}`,
      preview: `${business} will charge ${amount}${day === null ? "" : ` on ${day}`}.`,
      body: (
        <>
          <Title>
            Your subscription {renews} {day === null ? "soon" : `on ${day}`}
          </Title>
          <Paragraph>
            {business} will charge {amount}. You don’t need to do anything.
          </Paragraph>
          <Facts
            facts={[
              ["Subscription", untrusted(pkg.name)],
              ["Price", `${priceEach(pkg)} (${pkg.currency})`],
              day === null ? null : [subscription.status === "created" ? "First charge" : "Next charge", day],
            ]}
          />
          <Aside>To change or cancel, contact {business} before that day.</Aside>
        </>
      ),
    };
  },

  card_expiring({ subscription, card }, head, t) {
    const { next_charge_at } = subscription;
    const pkg = { ...subscription.package, amount_cents: nextAmount(subscription) };
    const business = untrusted(head.business_name, 100);
    const name = cardWords(t, untrusted(card.brand, 20), untrusted(card.last4, 4)) ?? "Your card";
    const day = next_charge_at === null ? null : dayWords(t, new Date(next_charge_at), head.timezone);
    const until = `${String(card.exp_month).padStart(2, "0")}/${String(card.exp_year).slice(-2)}`;
    return {
      subject: `Your card for ${titleIn(pkg.name)} expires soon`,
      preview: `${name} expires ${until}, before the next charge.`,
      body: (
        <>
          <Title>Your card expires before the next charge</Title>
          <Paragraph>
            The card for your subscription with {business} expires before the next charge, so the charge may fail.
          </Paragraph>
          <Facts
            facts={[
              ["Card", name],
              ["Expires", until],
              ["Subscription", untrusted(pkg.name)],
              ["Price", `${priceEach(pkg)} (${pkg.currency})`],
              day === null ? null : ["Next charge", day],
            ]}
          />
          <Aside>
            Ask {business} for a link to save another card. If the charge fails, we’ll e-mail you a payment link.
          </Aside>
        </>
      ),
    };
  },

  price_changing({ subscription }, head, t) {
    const { package: pkg, amount_cents, price_change } = subscription;
    const business = untrusted(head.business_name, 100);
    const day = price_change && dayWords(t, new Date(price_change.from), head.timezone);
    const priceOf = (cents: number) => `${priceEach({ ...pkg, amount_cents: cents })} (${pkg.currency})`;
    return {
      subject: `The price of ${titleIn(pkg.name)} changes`,
      preview: `${business} changes the price of your subscription${day ? ` from ${day} on` : ""}.`,
      body: (
        <>
          <Title>The price of your subscription changes{day ? ` on ${day}` : ""}</Title>
          <Paragraph>
            Until then, nothing changes. The first payment at the new price is{" "}
            {day ? `on ${day}` : "for the next period"}.
          </Paragraph>
          <Facts
            facts={[
              ["Subscription", untrusted(pkg.name)],
              ["Price until then", priceOf(amount_cents)],
              price_change && ["New price", priceOf(price_change.amount_cents)],
              day ? ["From", day] : null,
            ]}
          />
          <Aside>To cancel, contact {business} before that day.</Aside>
        </>
      ),
    };
  },

  subscription_canceled({ subscription }, head) {
    const pkg = { ...subscription.package, amount_cents: subscription.amount_cents };
    const business = untrusted(head.business_name, 100);
    return {
      subject: `${titleIn(pkg.name)} is cancelled`,
      preview: `${business} won’t charge you for it any more.`,
      body: (
        <>
          <Title>Your subscription is cancelled</Title>
          <Paragraph>{business} won’t charge you for it any more. Past payments are not refunded.</Paragraph>
          <Facts
            facts={[
              ["Subscription", untrusted(pkg.name)],
              ["Price", `${priceEach(pkg)} (${pkg.currency})`],
            ]}
          />
          <Aside>Didn’t want this? Contact {business}.</Aside>
        </>
      ),
    };
  },
};
