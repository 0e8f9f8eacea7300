import { formatMoney } from "@/lib/core/money";
import { methodNames } from "@/lib/core/payment-methods";
import type { ActionResult } from "@/lib/gateways/gateway";
import { type DeclineReason, declineReasons } from "@/lib/gateways/reasons";
import { type Document, safeUrl } from "@/lib/payer/document";
import { bankAccountOf, type Payable } from "@/lib/payer/payable";
import type { Merchant } from "./frame";
import { Notice, type NoticeProps } from "./notice";
import { merchantOf, PayForm, type PayFormLink, type PayFormProps, type SavingOffer } from "./pay-form";
import { cardWords, dayWords, taxWords } from "./words";

// The link's states as pages. No page shows the payer's e-mail: anyone with the link can open it.

const amountOf = (link: Payable) => formatMoney(link.amount_cents, link.currency);

function facts(link: Payable): NonNullable<NoticeProps["facts"]> {
  const card = cardWords(link.card_brand, link.card_last4);
  const paidOn = link.paid_on
    ? dayWords(new Date(link.paid_on), "UTC")
    : link.paid_at && dayWords(link.paid_at, link.business_timezone);
  return [
    ["Amount", amountOf(link)],
    ["For", link.title],
    ["Paid to", link.business_name],
    ...(paidOn ? [["Date", paidOn] as const] : []),
    ...(card ? [["Card", card] as const] : []),
    ...(link.method ? [["Paid with", methodNames[link.method]] as const] : []),
  ];
}

function ReceiptLink({ link }: { link: Payable }) {
  if (!link.receipt_token) return null;
  return (
    <a className="quiet" href={`/receipt/${link.receipt_token}`}>
      Receipt
    </a>
  );
}

/** What the pay form of a link offers. */
export const offerOf = (link: Payable, cardForm: boolean, saving: SavingOffer | null = null): PayFormProps => ({
  link,
  cardForm,
  saving,
  transfer: bankAccountOf(link) !== null,
  awaiting: link.awaiting_transfer,
});

export function formDocument(props: PayFormProps, status = 200): Document {
  const { link, ...state } = props;
  const { id, title, description, currency } = link;
  const amount = amountOf(link);
  const merchant = merchantOf(link);
  const shown = {
    id,
    title,
    description,
    amount,
    tax: taxWords(link),
    amount_cents: String(link.amount_cents),
    currency,
  };
  const wrong = status === 200 ? "" : "Please check: ";
  // Only the form that most payers open first is worth a template.
  const fresh = !state.errors && !state.entered && !state.alert && !state.saving;
  const render = (link: PayFormLink) => <PayForm {...state} link={link} merchant={merchant} />;
  const { cardForm, transfer, awaiting } = state;
  const key = JSON.stringify([merchant, cardForm, transfer, awaiting]);
  const body = fresh ? { key, values: shown, render } : render(shown);
  return { status, title: `${wrong}Pay ${amount} to ${link.business_name}`, brand: link.brand, form: true, body };
}

export function declinedDocument(props: PayFormProps, reason: DeclineReason): Document {
  const words = declineReasons[reason].text;
  const text = words.includes("Nothing was charged") ? words : `${words} You have not been charged.`;
  return formDocument({ ...props, alert: { title: "Payment failed", text } }, 402);
}

/** 409: the amount changed after the payer opened the form. */
export function changedDocument(props: PayFormProps): Document {
  const text = `It is now ${amountOf(props.link)}. You have not been charged. Please check the amount before you pay.`;
  return formDocument({ ...props, alert: { title: "The amount has changed", text } }, 409);
}

/** @param again 409: a second payment was refused. The page redirects to the thank-you page. */
export function paidDocument(link: Payable, again = false): Document {
  const url = safeUrl(link.redirect_url);
  return {
    status: again ? 409 : 200,
    title: `Paid: ${link.title}`,
    brand: link.brand,
    refresh: again ? { seconds: 3, url: `/thank-you?id=${link.id}` } : undefined,
    body: (
      <Notice
        merchant={merchantOf(link)}
        tone="good"
        icon="check"
        title="Already paid"
        text={[again ? "You have not been charged a second time." : "There’s nothing left to pay."]}
        facts={facts(link)}
      >
        {again ? (
          <a className="button" href={`/thank-you?id=${link.id}`}>
            Continue
          </a>
        ) : (
          url && (
            <a className="button plain" href={url} rel="noreferrer">
              Go to {link.business_name}
            </a>
          )
        )}
        <ReceiptLink link={link} />
      </Notice>
    ),
  };
}

/** Reloads itself, at longer intervals the older the attempt is. */
export function inFlightDocument(link: Payable, status: 200 | 409 = 200): Document {
  const age = link.attempt_age ?? 300;
  // The payer has an open page at the bank or the gateway, which cannot be reached to say where it is.
  const opened = link.attempt_status === "requires_action";
  return {
    status,
    title: "Checking your payment",
    brand: link.brand,
    refresh: { seconds: age < 30 ? 2 : age < 300 ? 5 : 30, url: `/pay?id=${link.id}&wait=1` },
    body: (
      <Notice
        merchant={merchantOf(link)}
        live
        icon="spinner"
        title="We are checking your payment"
        text={[
          opened
            ? `You started a payment of ${amountOf(link)} to ${link.business_name}. We can’t check its status at the moment.`
            : `Your payment of ${amountOf(link)} to ${link.business_name} is processing.`,
          "Please don’t pay again. This page updates by itself.",
        ]}
      />
    ),
  };
}

export function actionDocument(link: Payable, { at, url }: ActionResult): Document {
  const amount = `${amountOf(link)} to ${link.business_name}`;
  const words =
    at === "bank"
      ? {
          title: "Confirm with your bank",
          text: `Your bank asks you to confirm the payment of ${amount}.`,
          on: "Continue to your bank",
          back: "Use another card",
        }
      : {
          title: "Your payment isn’t finished",
          text: `You started a payment of ${amount}. You have not been charged yet.`,
          on: "Continue to payment",
          back: "Start over",
        };
  return {
    status: 200,
    title: words.title,
    brand: link.brand,
    form: true,
    body: (
      <Notice
        merchant={merchantOf(link)}
        tone="note"
        icon={at === "bank" ? "bank" : "clock"}
        title={words.title}
        text={[words.text]}
      >
        <a className="button" href={url} rel="noreferrer">
          {words.on}
        </a>
        <form method="post" action={`/pay?id=${link.id}`}>
          <button className="button plain" type="submit" name="action" value="cancel">
            {words.back}
          </button>
        </form>
      </Notice>
    ),
  };
}

export function leavingDocument(link: Payable, url: string): Document {
  return {
    status: 200,
    title: "Opening the secure payment page",
    brand: link.brand,
    refresh: { seconds: 0, url },
    body: (
      <Notice
        merchant={merchantOf(link)}
        live
        icon="lock"
        title="Opening the secure payment page"
        text={[`You’ll pay ${amountOf(link)} to ${link.business_name} there.`]}
      >
        <a className="button" href={url} rel="noreferrer">
          Continue
        </a>
      </Notice>
    ),
  };
}

/** 410. Only the business can reopen the link. */
export function closedDocument(link: Payable, state: "Expired" | "Inactive" | "Deleted"): Document {
  const { subscription_status: subscription } = link;
  if (state === "Inactive" && (subscription === "cancel" || subscription === "completed")) return endedDocument(link);
  const words = {
    Expired: { icon: "clock", title: "This payment link has expired" },
    Inactive: { icon: "pause", title: "This payment link is not active" },
    Deleted: { icon: "cross", title: "This payment link is no longer available" },
  } as const;
  const { icon, title } = words[state];
  const text = `You can’t pay with this link. Please ask ${link.business_name} for a new one.`;
  const { brand } = link;
  return {
    status: 410,
    title,
    brand,
    body: <Notice merchant={merchantOf(link)} tone="note" icon={icon} title={title} text={[text]} />,
  };
}

function endedDocument(link: Payable): Document {
  const title = "This subscription has ended";
  const how = link.subscription_status === "cancel" ? "was cancelled" : "is over";
  const text = [
    `Your subscription with ${link.business_name} ${how}. This payment is no longer due.`,
    `To pay it anyway, or to subscribe again, contact ${link.business_name}.`,
  ];
  const { brand } = link;
  return {
    status: 410,
    title,
    brand,
    body: <Notice merchant={merchantOf(link)} tone="note" icon="pause" title={title} text={text} />,
  };
}

/** 503: live mode without a gateway account. */
export function noGatewayDocument(merchant: Merchant): Document {
  const title = "Payments are not available yet";
  const text = [`${merchant.business} can’t take payments here yet.`, "You have not been charged."];
  return {
    status: 503,
    title,
    brand: merchant.brand,
    body: <Notice merchant={merchant} tone="note" icon="pause" title={title} text={text} />,
  };
}

/** @param offersSaving whether the payer can save a card for the next periods of the subscription */
export function thanksDocument(link: Payable, offersSaving = false): Document {
  const url = safeUrl(link.redirect_url);
  return {
    status: 200,
    title: "Thank you",
    brand: link.brand,
    refresh: url && !offersSaving ? { seconds: 0, url } : undefined,
    form: offersSaving,
    body: (
      <Notice
        merchant={merchantOf(link)}
        live
        tone="good"
        icon="check"
        title="Thank you"
        text={[
          `Your payment has been received.${url && !offersSaving ? ` Taking you back to ${link.business_name} now.` : ""}`,
          ...(offersSaving ? ["No card is saved for future payments. Save one, and they’re charged to it."] : []),
        ]}
        words={link.brand.thank_you_text}
        facts={facts(link)}
      >
        {offersSaving && (
          <form method="post" action={`/thank-you?id=${link.id}`}>
            <button className="button" type="submit">
              Save a card
            </button>
          </form>
        )}
        {url && (
          <a className={offersSaving ? "button plain" : "button"} href={url} rel="noreferrer">
            Continue
          </a>
        )}
        <ReceiptLink link={link} />
      </Notice>
    ),
  };
}
