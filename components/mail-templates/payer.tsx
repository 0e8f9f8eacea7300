import { cardWords, dayWords } from "@/components/payer/words";
import { formatMoney } from "@/lib/core/money";
import { methodNames } from "@/lib/core/payment-methods";
import { priceEach } from "@/lib/core/price-words";
import { declineReasons } from "@/lib/gateways/reasons";
import type { Letterhead } from "@/lib/outbox/mail/send";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";
import type { PayerMails } from "@/lib/resources/emails/templates";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Payment } from "@/lib/resources/payments/contract";
import { nextAmount } from "@/lib/resources/subscriptions/next-amount";
import { Action, Aside, Facts, type Letter, Paragraph, Quote, Title } from "./frame";
import { moment, taxFacts, titleIn } from "./words";

type Templates = { [T in keyof PayerMails]: (props: PayerMails[T], head: Letterhead) => Letter };

const cardFact = (card: { brand: string; last4: string } | null): readonly ["Card", string] | null => {
  const words = card && cardWords(untrusted(card.brand, 20), untrusted(card.last4, 4));
  return words ? ["Card", words] : null;
};

/** The day on which a manual payment arrived, or the moment of the charge. */
const paidOn = ({ manual, settled_at, created_at }: Payment, head: Letterhead): string =>
  manual ? dayWords(new Date(manual.paid_on), "UTC") : moment(settled_at ?? created_at, head);

/** Whether a charge of the period's saved card failed, and no retry is scheduled. */
const wantsCard = (link: PaymentLink): boolean =>
  link.subscription_id !== null && link.attempt_count > 0 && link.next_attempt_at === null;

function reasonToPay(link: PaymentLink, business: string, head: Letterhead): string {
  if (link.subscription_id === null) return `${business} has sent you a payment link.`;
  if (link.next_attempt_at !== null)
    return `Pay this period of your subscription with ${business} now, or the saved card is charged on ${moment(link.next_attempt_at, head)}.`;
  return wantsCard(link)
    ? `${business} couldn’t charge your saved card for this period of your subscription, and won’t try that card again.`
    : `${business} has no saved card to charge for this period of your subscription.`;
}

const referenceFact = (reference: string | null): readonly ["Reference", string] | null =>
  reference?.trim() ? ["Reference", untrusted(reference)] : null;

export const payerTemplates: Templates = {
  payment_link({ link }, head) {
    const amount = formatMoney(link.amount_cents, link.currency);
    const business = untrusted(head.business_name, 100);
    return {
      subject: `${amount} to pay: ${titleIn(link.title)}`,
      preview: `${business} asks you to pay ${amount}.`,
      body: (
        <>
          <Title>Please pay {amount}</Title>
          <Paragraph>{reasonToPay(link, business, head)}</Paragraph>
          <Facts
            facts={[
              ["For", untrusted(link.title)],
              ["Amount", `${amount} (${link.currency})`],
              referenceFact(link.reference),
              link.expires_at === null ? null : ["Pay before", moment(link.expires_at, head)],
            ]}
          />
          <Quote words={link.description} />
          <Action label={wantsCard(link) ? "Use another card" : `Pay ${amount}`} link={link.payment_url} />
          <Aside>
            {link.subscription_id === null
              ? "Didn’t expect this? You can ignore this e-mail. Nothing is charged automatically."
              : "After you have paid, you can save a card for the next payments."}
          </Aside>
        </>
      ),
    };
  },

  receipt({ link, payment }, head) {
    const amount = formatMoney(payment.amount_cents, payment.currency);
    const taxed = taxFacts(link, payment);
    const business = untrusted(head.business_name, 100);
    return {
      subject: `Receipt: ${amount} for ${titleIn(link.title)}`,
      preview: `You paid ${amount} to ${business}.`,
      body: (
        <>
          <Title>Thank you for your payment</Title>
          <Paragraph>
            {business} has received {amount}.
          </Paragraph>
          <Facts
            facts={[
              ["For", untrusted(link.title)],
              ...(taxed.length > 0 ? taxed : [["Amount", `${amount} (${payment.currency})`] as const]),
              ["Paid on", paidOn(payment, head)],
              payment.manual ? ["Paid with", methodNames[payment.manual.method]] : cardFact(payment.card),
              referenceFact(link.reference),
              ["Receipt number", payment._id],
            ]}
          />
          <Quote words={head.brand.thank_you_text} />
          {payment.receipt_url && <Action label="View receipt" link={payment.receipt_url} />}
        </>
      ),
    };
  },

  refund({ link, payment, refund }, head) {
    const amount = formatMoney(refund.amount_cents, refund.currency);
    const paid = formatMoney(payment.amount_cents, payment.currency);
    const net = formatMoney(payment.amount_cents - Math.round(payment.refunded_amount * 100), payment.currency);
    const business = untrusted(head.business_name, 100);
    return {
      subject: `Refund: ${amount} for ${titleIn(link.title)}`,
      preview: `${business} has returned ${amount}${payment.manual ? "" : " to your card"}.`,
      body: (
        <>
          <Title>Your refund of {amount} is on its way</Title>
          <Paragraph>
            {payment.manual
              ? `${business} has returned ${amount} to you.`
              : `${business} has returned ${amount} to the card that you paid with. Your bank shows it in 5 to 10 days.`}
          </Paragraph>
          <Facts
            facts={[
              ["For", untrusted(link.title)],
              ["Refund", `${amount} (${refund.currency})`],
              ["Refunded on", moment(refund.settled_at ?? refund.created_at, head)],
              cardFact(payment.card),
              ["Paid", paid],
              ["Net paid", net],
              referenceFact(link.reference),
              ["Refund number", refund._id],
            ]}
          />
          {payment.receipt_url && <Action label="View receipt" link={payment.receipt_url} />}
          <Aside>Not there after 10 days? Contact {business} with the refund number.</Aside>
        </>
      ),
    };
  },

  payment_failed({ link, payment }, head) {
    const isHard = payment.reason !== null && declineReasons[payment.reason].hard;
    const confirms = payment.reason === "authentication_required" ? "Confirm and pay" : "Pay";
    const amount = formatMoney(payment.amount_cents, payment.currency);
    const business = untrusted(head.business_name, 100);
    const reason = payment.reason === null ? null : declineReasons[payment.reason].text;
    return {
      subject: `Payment failed: ${amount} for ${titleIn(link.title)}`,
      preview: `${business} couldn’t charge your card ${amount}.`,
      body: (
        <>
          <Title>Your payment of {amount} failed</Title>
          <Paragraph>{business} couldn’t charge your saved card. You have not been charged.</Paragraph>
          {reason && <Paragraph>{reason}</Paragraph>}
          <Facts
            facts={[
              ["For", untrusted(link.title)],
              ["Amount", `${amount} (${payment.currency})`],
              cardFact(payment.card),
              ["Attempted on", moment(payment.settled_at ?? payment.created_at, head)],
              link.next_attempt_at === null ? null : ["Next attempt", moment(link.next_attempt_at, head)],
            ]}
          />
          <Action
            label={isHard ? "Use another card" : `${confirms} ${formatMoney(link.amount_cents, link.currency)} now`}
            link={link.payment_url}
          />
          <Aside>
            {isHard
              ? "We won’t charge this card again. Pay with another card; then you can save it for the next payments."
              : link.next_attempt_at === null
                ? "We won’t retry this card. You can pay with any card."
                : `Pay now with any card, or do nothing: we’ll try the card again on ${moment(link.next_attempt_at, head)}.`}
          </Aside>
        </>
      ),
    };
  },

  renewal_notice({ subscription }, head) {
    const { next_charge_at } = subscription;
    const pkg = { ...subscription.package, amount_cents: nextAmount(subscription) };
    const amount = formatMoney(pkg.amount_cents, pkg.currency);
    const business = untrusted(head.business_name, 100);
    const day = next_charge_at === null ? null : dayWords(new Date(next_charge_at), head.timezone);
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

  card_expiring({ subscription, card }, head) {
    const { next_charge_at } = subscription;
    const pkg = { ...subscription.package, amount_cents: nextAmount(subscription) };
    const business = untrusted(head.business_name, 100);
    const name = cardWords(untrusted(card.brand, 20), untrusted(card.last4, 4)) ?? "Your card";
    const day = next_charge_at === null ? null : dayWords(new Date(next_charge_at), head.timezone);
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

  price_changing({ subscription }, head) {
    const { package: pkg, amount_cents, price_change } = subscription;
    const business = untrusted(head.business_name, 100);
    const day = price_change && dayWords(new Date(price_change.from), head.timezone);
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
