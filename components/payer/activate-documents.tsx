import type { PageLanguage } from "@/lib/core/payer-languages";
import type { DeclineReason } from "@/lib/gateways/reasons";
import type { Activatable } from "@/lib/ledger/save-card";
import type { AfterSave, CardCharges, CardPayment } from "@/lib/payer/card-charges";
import type { CardErrors } from "@/lib/payer/card-form";
import { type Document, safeUrl } from "@/lib/payer/document";
import { type PayerTexts, payerTexts } from "@/messages/payer/texts";
import { amountWords, Dues, nextWords, totalWords } from "./card-charges";
import { CardFields, type EnteredFields, ErrorSummary } from "./card-fields";
import { Frame, Header, type Merchant } from "./frame";
import { Icon } from "./icon";
import { Notice } from "./notice";
import { TestCards } from "./test-cards";
import { cardWords } from "./words";

/** A tokenization with the language of its page. */
export type LocalizedActivatable = Activatable & { language: PageLanguage };

type FormProps = {
  tokenization: LocalizedActivatable;
  charges: CardCharges;
  cardForm: boolean;
  errors?: CardErrors;
  entered?: EnteredFields;
  declined?: DeclineReason;
};

export const merchantOf = ({ business, business_id, livemode }: Activatable): Merchant => ({
  business: business.name,
  testmode: !livemode,
  brand: { ...business, business_id },
});

/** 200; 422 with field errors; 402 if the bank declined the card. */
export function activateFormDocument(props: FormProps, status = 200): Document {
  const { business, language } = props.tokenization;
  const title = payerTexts[language].activate.title(business.name);
  const { brand } = merchantOf(props.tokenization);
  return { status, language, title, brand, form: true, body: <ActivateForm {...props} /> };
}

function ActivateForm({ tokenization, charges, cardForm, errors = {}, entered, declined }: FormProps) {
  const t = payerTexts[tokenization.language];
  return (
    <Frame t={t} wide merchant={merchantOf(tokenization)}>
      <div className="summary">
        <Header t={t} {...merchantOf(tokenization)} />
        <h1 className="lead">
          <bdi>{tokenization.title}</bdi>
        </h1>
        <p className="text">
          <bdi>{tokenization.description}</bdi>
        </p>
      </div>
      <div>
        <form className="card" method="post" action={`/activate/${tokenization.token}`}>
          {declined && (
            <div className="alert" role="alert">
              <h2>{t.activate.declined}</h2>
              <p>{{ ...t.declines, ...t.activate.declines }[declined]}</p>
            </div>
          )}
          <ErrorSummary t={t} errors={errors} />
          <h2>{t.activate.heading}</h2>
          <Dues t={t} charges={charges} />
          {cardForm && <CardFields t={t} errors={errors} entered={entered} />}
          <button className="button" type="submit">
            {buttonWords(t, cardForm, charges)}
          </button>
          <p className="safe">
            <Icon shape="lock" size={18} />
            <span>
              {charges.due.length === 0 && `${t.activate.nothingNow} `}
              {charges.next.length === 0 ? t.activate.later(tokenization.business.name) : nextWords(t, charges)}
            </span>
          </p>
        </form>
        {!tokenization.livemode && cardForm && <TestCards t={t} />}
      </div>
    </Frame>
  );
}

function buttonWords(t: PayerTexts, cardForm: boolean, charges: CardCharges): string {
  if (charges.due.length === 0) return cardForm ? t.activate.button : t.activate.buttonToGateway;
  const total = totalWords(t, charges);
  return cardForm ? t.activate.buttonAndPay(total) : t.activate.buttonToGatewayAndPay(total);
}

/** @param charges what saving the card charges at once */
export function leavingToSaveDocument(tokenization: LocalizedActivatable, url: string, charges: CardCharges): Document {
  const { language } = tokenization;
  const t = payerTexts[language];
  const charged = charges.due.length === 0 ? t.activate.nothing : t.activate.willBeCharged(totalWords(t, charges));
  return {
    status: 200,
    language,
    title: t.activate.opening,
    brand: merchantOf(tokenization).brand,
    refresh: { seconds: 0, url },
    body: (
      <Notice
        t={t}
        merchant={merchantOf(tokenization)}
        live
        icon="lock"
        title={t.activate.opening}
        text={[`${t.activate.openingText(tokenization.business.name)} ${charged}`]}
      >
        <a className="button" href={url} rel="noreferrer">
          {t.continue}
        </a>
      </Notice>
    ),
  };
}

/** A declined payment is owed again, but the card is not charged for it in a moment. */
const wasDeclined = ({ payments }: AfterSave): boolean => payments.some(({ status }) => status === "failed");

function chargedWords(t: PayerTexts, business: string, saved: AfterSave): string {
  const { charges, payments } = saved;
  if (charges.due.length > 0 && !wasDeclined(saved)) return t.activate.inAMoment(totalWords(t, charges));
  if (charges.due.length > 0) return t.activate.someDeclined(business);
  // What was declined and is not owed any more was paid in another way, or closed.
  return payments.every(({ status }) => status === "failed") ? t.activate.nothingCharged : t.activate.wereCharged;
}

function stateWords(t: PayerTexts, payment: CardPayment): string {
  const amount = amountWords(t, payment);
  if (payment.status === "succeeded") return t.activate.charged(amount);
  return payment.status === "failed" ? t.activate.notCharged(amount) : t.activate.charging(amount);
}

/** @param saved set if the payer has just saved the card: redirects to the merchant, if a URL is given */
export function activeDocument(tokenization: LocalizedActivatable, saved: AfterSave | null): Document {
  const { language } = tokenization;
  const t = payerTexts[language];
  const url = safeUrl(tokenization.redirect_url);
  const business = tokenization.business.name;
  const card = cardWords(t, tokenization.card_brand, tokenization.card_last4);
  const leaving = saved !== null && url !== null;
  const charged = saved === null ? [t.canClose] : [chargedWords(t, business, saved)];
  const paid = saved?.payments.map((payment) => [payment.title, stateWords(t, payment)] as const);
  const due = saved === null || wasDeclined(saved) ? [] : saved.charges.due;
  return {
    status: 200,
    language,
    title: t.activate.saved,
    brand: merchantOf(tokenization).brand,
    refresh: leaving ? { seconds: 0, url } : undefined,
    body: (
      <Notice
        t={t}
        merchant={merchantOf(tokenization)}
        live={saved !== null}
        tone="good"
        icon="check"
        title={t.activate.savedHeading}
        text={leaving ? [...charged, t.takingBack(business)] : charged}
        facts={[
          [t.facts.for, tokenization.title],
          ...(card ? [[t.facts.card, card] as const] : []),
          ...(paid ?? []),
          ...due.map((charge) => [charge.title, amountWords(t, charge)] as const),
        ]}
      >
        {url && (
          <a className={leaving ? "button" : "button plain"} href={url} rel="noreferrer">
            {leaving ? t.continue : t.goTo(business)}
          </a>
        )}
      </Notice>
    ),
  };
}

export function closedTokenDocument(tokenization: LocalizedActivatable, state: "expired" | "revoked"): Document {
  const { language } = tokenization;
  const t = payerTexts[language];
  const title = t.activate[state];
  const text = t.activate.closedText(tokenization.business.name);
  const icon = state === "expired" ? "clock" : "cross";
  return {
    status: 410,
    language,
    title,
    brand: merchantOf(tokenization).brand,
    body: <Notice t={t} merchant={merchantOf(tokenization)} tone="note" icon={icon} title={title} text={[text]} />,
  };
}
