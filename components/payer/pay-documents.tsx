import type { ActionResult } from "@/lib/gateways/gateway";
import type { DeclineReason } from "@/lib/gateways/reasons";
import { changeSince, type Shown } from "@/lib/payer/card-form";
import { type Document, safeUrl } from "@/lib/payer/document";
import { type Payable, payPath, transferPath } from "@/lib/payer/payable";
import { type PayerTexts, payerTexts } from "@/messages/payer/texts";
import type { Merchant } from "./frame";
import { Notice, type NoticeProps } from "./notice";
import { merchantOf, PayForm, type PayFormLink, type PayFormProps, type SavingOffer } from "./pay-form";
import { cardWords, dayWords, moneyWords, taxIn, taxWords } from "./words";

// The link's states as pages. No page shows the payer's e-mail: anyone with the link can open it.

export const textsOf = (link: Payable) => payerTexts[link.language];

const amountOf = (link: Payable) => moneyWords(textsOf(link), link.amount_cents, link.currency);

type Facts = NonNullable<NoticeProps["facts"]>;

/** What the link asks for. */
export function requestFacts(t: PayerTexts, link: Payable): Facts {
  const tax = taxIn(t, link);
  return [
    [t.facts.amount, amountOf(link)],
    ...(tax ? [[t.tax.line(tax.percent), moneyWords(t, tax.cents, link.currency)] as const] : []),
    [t.facts.for, link.title],
  ];
}

function facts(t: PayerTexts, link: Payable): Facts {
  const card = cardWords(t, link.card_brand, link.card_last4);
  const paidOn = link.paid_on
    ? dayWords(t, new Date(link.paid_on), "UTC")
    : link.paid_at && dayWords(t, link.paid_at, link.business_timezone);
  return [
    ...requestFacts(t, link),
    [t.facts.paidTo, link.business_name],
    ...(paidOn ? [[t.facts.date, paidOn] as const] : []),
    ...(card ? [[t.facts.card, card] as const] : []),
    ...(link.method ? [[t.facts.paidWith, t.methods[link.method]] as const] : []),
  ];
}

/** The fields that all documents of a link share. */
export const pageOf = ({ language, brand }: Payable) => ({ language, brand });

function ReceiptLink({ link }: { link: Payable }) {
  if (!link.receipt_token) return null;
  return (
    <a className="quiet" href={`/receipt/${link.receipt_token}`}>
      {textsOf(link).paid.receipt}
    </a>
  );
}

/** What the pay form of a link offers. */
export const offerOf = (link: Payable, cardForm: boolean, saving: SavingOffer | null = null): PayFormProps => ({
  link,
  cardForm,
  saving,
  awaiting: link.awaiting_transfer,
});

export function formDocument(props: PayFormProps, status = 200): Document {
  const { link, ...state } = props;
  const { id, title, description, currency, language } = link;
  const t = payerTexts[language];
  const amount = amountOf(link);
  const merchant = merchantOf(link);
  const shown = {
    id,
    title,
    description,
    amount,
    tax: taxWords(t, link),
    amount_cents: String(link.amount_cents),
    currency,
    tax_basis_points: link.tax_basis_points === null ? null : String(link.tax_basis_points),
    transfer_path: transferPath(link),
  };
  const heading = t.pay.title(amount, link.business_name);
  // Only the form that most payers open first is worth a template.
  const fresh = !state.errors && !state.entered && !state.alert && !state.saving;
  const render = (link: PayFormLink) => <PayForm t={t} {...state} link={link} merchant={merchant} />;
  const { cardForm, awaiting } = state;
  const key = JSON.stringify([language, merchant, cardForm, awaiting]);
  const body = fresh ? { key, values: shown, render } : render(shown);
  return {
    status,
    ...pageOf(link),
    title: status === 200 ? heading : t.pay.titleWithErrors(heading),
    form: true,
    body,
  };
}

export function declinedDocument(props: PayFormProps, reason: DeclineReason): Document {
  const t = textsOf(props.link);
  // That text already says that nothing was charged.
  const text = reason === "gateway_refused" ? t.declines[reason] : `${t.declines[reason]} ${t.notCharged}`;
  return formDocument({ ...props, alert: { title: t.pay.failed, text } }, 402);
}

/**
 * 409: the amount or its tax changed after the payer opened the form.
 * @param shown null if the form names no amount
 */
export function changedDocument(props: PayFormProps, shown: Shown | null): Document {
  const { pay } = textsOf(props.link);
  const isTax = shown !== null && changeSince(shown, props.link) === "tax";
  const text = (isTax ? pay.changedTaxText : pay.changedText)(amountOf(props.link));
  return formDocument({ ...props, alert: { title: pay.changed, text } }, 409);
}

/**
 * @param again 409: a second payment was refused. The page redirects to the thank-you page; at once, so that a browser replaces it in
 * its history: going back to a posted form fails ("Confirm Form Resubmission").
 */
export function paidDocument(link: Payable, again = false): Document {
  const url = safeUrl(link.redirect_url);
  const t = textsOf(link);
  return {
    status: again ? 409 : 200,
    ...pageOf(link),
    title: t.paid.title(link.title),
    refresh: again ? { seconds: 0, url: `/thank-you?id=${link.id}&again=1` } : undefined,
    body: (
      <Notice
        t={t}
        merchant={merchantOf(link)}
        tone="good"
        icon="check"
        title={t.paid.heading}
        text={[again ? t.paid.notAgain : t.paid.nothingLeft]}
        facts={facts(t, link)}
      >
        {again ? (
          <a className="button" href={`/thank-you?id=${link.id}&again=1`}>
            {t.continue}
          </a>
        ) : (
          url && (
            <a className="button plain" href={url} rel="noreferrer">
              {t.goTo(link.business_name)}
            </a>
          )
        )}
        <ReceiptLink link={link} />
      </Notice>
    ),
  };
}

/**
 * Reloads itself, at longer intervals the older the attempt is.
 * @param status 409: a second payment was refused. The page redirects at once, for the reason that `paidDocument` has.
 */
export function inFlightDocument(link: Payable, status: 200 | 409 = 200): Document {
  const age = link.attempt_age ?? 300;
  const interval = age < 30 ? 2 : age < 300 ? 5 : 30;
  // The payer has an open page at the bank or the gateway, which cannot be reached to say where it is.
  const opened = link.attempt_status === "requires_action";
  const t = textsOf(link);
  return {
    status,
    ...pageOf(link),
    title: t.inFlight.title,
    refresh: { seconds: status === 409 ? 0 : interval, url: payPath(link, { wait: "1" }) },
    body: (
      <Notice
        t={t}
        merchant={merchantOf(link)}
        live
        icon="spinner"
        title={t.inFlight.heading}
        text={[t.inFlight[opened ? "opened" : "processing"](amountOf(link), link.business_name), t.inFlight.wait]}
      />
    ),
  };
}

export function actionDocument(link: Payable, { at, url }: ActionResult): Document {
  const t = textsOf(link);
  const words = at === "bank" ? t.bank : t.unfinished;
  return {
    status: 200,
    ...pageOf(link),
    title: words.title,
    form: true,
    body: (
      <Notice
        t={t}
        merchant={merchantOf(link)}
        tone="note"
        icon={at === "bank" ? "bank" : "clock"}
        title={words.title}
        text={[words.text(amountOf(link), link.business_name)]}
        facts={[[t.facts.for, link.title]]}
      >
        <a className="button" href={url} rel="noreferrer">
          {words.proceed}
        </a>
        <form method="post" action={payPath(link, { wait: "1" })}>
          <button className="button plain" type="submit" name="action" value="cancel">
            {words.back}
          </button>
        </form>
      </Notice>
    ),
  };
}

export function leavingDocument(link: Payable, url: string): Document {
  const t = textsOf(link);
  return {
    status: 200,
    ...pageOf(link),
    title: t.opening.title,
    refresh: { seconds: 0, url },
    body: (
      <Notice
        t={t}
        merchant={merchantOf(link)}
        live
        icon="lock"
        title={t.opening.title}
        text={[t.opening.text(amountOf(link), link.business_name)]}
      >
        <a className="button" href={url} rel="noreferrer">
          {t.continue}
        </a>
      </Notice>
    ),
  };
}

/**
 * 503: live mode without a gateway account.
 * @param words of the page that the payer opened, to pay or to save a card
 */
export function noGatewayDocument(
  t: PayerTexts,
  merchant: Merchant,
  words: Pick<PayerTexts["closed"], "noGateway" | "noGatewayText"> = t.closed,
): Document {
  const title = words.noGateway;
  const text = [words.noGatewayText(merchant.business), t.notCharged];
  return {
    status: 503,
    language: t.language,
    title,
    brand: merchant.brand,
    body: <Notice t={t} merchant={merchant} tone="note" icon="pause" title={title} text={text} />,
  };
}

/**
 * @param offersSaving whether the payer can save a card for the next periods of the subscription
 * @param again whether a second payment was refused; the page says so before it leads back to the merchant
 */
export function thanksDocument(link: Payable, offersSaving = false, again = false): Document {
  const url = safeUrl(link.redirect_url);
  const t = textsOf(link);
  const leaving = url && !offersSaving ? ` ${t.takingBack(link.business_name)}` : "";
  return {
    status: 200,
    ...pageOf(link),
    title: t.thanks,
    refresh: url && !offersSaving ? { seconds: again ? 3 : 0, url } : undefined,
    form: offersSaving,
    body: (
      <Notice
        t={t}
        merchant={merchantOf(link)}
        live
        tone="good"
        icon="check"
        title={t.thanks}
        text={[
          `${t.paid.received}${leaving}`,
          ...(again ? [t.paid.notAgain] : []),
          ...(offersSaving ? [t.paid.noCard] : []),
        ]}
        words={link.brand.thank_you_text}
        facts={facts(t, link)}
      >
        {offersSaving && (
          <form method="post" action={`/thank-you?id=${link.id}`}>
            <button className="button" type="submit">
              {t.paid.saveCard}
            </button>
          </form>
        )}
        {url && (
          <a className={offersSaving ? "button plain" : "button"} href={url} rel="noreferrer">
            {t.continue}
          </a>
        )}
        <ReceiptLink link={link} />
      </Notice>
    ),
  };
}
