import { type DeclineReason, declineReasons } from "@/lib/gateways/reasons";
import type { Activatable } from "@/lib/ledger/save-card";
import type { AfterSave, CardCharges } from "@/lib/payer/card-charges";
import type { CardErrors } from "@/lib/payer/card-form";
import { type Document, safeUrl } from "@/lib/payer/document";
import { amountWords, Dues, nextWords, totalWords } from "./card-charges";
import { CardFields, type EnteredFields, ErrorSummary } from "./card-fields";
import { Frame, Header, type Merchant } from "./frame";
import { Icon } from "./icon";
import { Notice } from "./notice";
import { TestCards } from "./test-cards";
import { cardWords } from "./words";

type FormProps = {
  tokenization: Activatable;
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
  const title = `Save your card with ${props.tokenization.business.name}`;
  const { brand } = merchantOf(props.tokenization);
  return { status, title, brand, form: true, body: <ActivateForm {...props} /> };
}

function ActivateForm({ tokenization, charges, cardForm, errors = {}, entered, declined }: FormProps) {
  const business = tokenization.business.name;
  return (
    <Frame wide merchant={merchantOf(tokenization)}>
      <div className="summary">
        <Header {...merchantOf(tokenization)} />
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
              <h2>The card was not saved</h2>
              <p>{declineReasons[declined].text}</p>
            </div>
          )}
          <ErrorSummary errors={errors} />
          <h2>Save your card</h2>
          <Dues charges={charges} when="when you save it" />
          {cardForm && <CardFields errors={errors} entered={entered} />}
          <button className="button" type="submit">
            {buttonWords(cardForm, charges)}
          </button>
          <p className="safe">
            <Icon shape="lock" size={18} />
            <span>
              {charges.due.length === 0 && "Nothing is charged now. "}
              {charges.next.length === 0
                ? `${business} may charge this card later for what you agreed with them.`
                : nextWords(charges)}
            </span>
          </p>
        </form>
        {!tokenization.livemode && cardForm && <TestCards />}
      </div>
    </Frame>
  );
}

function buttonWords(cardForm: boolean, charges: CardCharges): string {
  const what = charges.due.length === 0 ? "" : ` and pay ${totalWords(charges)}`;
  return cardForm ? `Save card${what}` : `Continue to save your card${what}`;
}

/** @param charges what saving the card charges at once */
export function leavingToSaveDocument(tokenization: Activatable, url: string, charges: CardCharges): Document {
  const charged =
    charges.due.length === 0
      ? "Nothing is charged."
      : `${totalWords(charges)} will be charged to it when you have saved it.`;
  return {
    status: 200,
    title: "Opening the secure card page",
    brand: merchantOf(tokenization).brand,
    refresh: { seconds: 0, url },
    body: (
      <Notice
        merchant={merchantOf(tokenization)}
        live
        icon="lock"
        title="Opening the secure card page"
        text={[`You’ll save your card for ${tokenization.business.name} there. ${charged}`]}
      >
        <a className="button" href={url} rel="noreferrer">
          Continue
        </a>
      </Notice>
    ),
  };
}

const states: Record<string, string> = { succeeded: "charged", failed: "not charged: declined" };

function chargedWords({ charges, payments }: AfterSave): string {
  if (charges.due.length > 0) return `${totalWords(charges)} will be charged to it in a moment.`;
  if (payments.length > 0) return "These payments were charged to it:";
  return "Nothing was charged. You can close this page now.";
}

/** @param saved set if the payer has just saved the card: redirects to the merchant, if a URL is given */
export function activeDocument(tokenization: Activatable, saved: AfterSave | null): Document {
  const url = safeUrl(tokenization.redirect_url);
  const business = tokenization.business.name;
  const card = cardWords(tokenization.card_brand, tokenization.card_last4);
  const leaving = saved !== null && url !== null;
  const charged = saved === null ? ["You can close this page now."] : [chargedWords(saved)];
  const paid = saved?.payments.map(
    (payment) => [payment.title, `${amountWords(payment)} ${states[payment.status] ?? "is being charged"}`] as const,
  );
  const due = saved?.charges.due.map((charge) => [charge.title, amountWords(charge)] as const);
  return {
    status: 200,
    title: "Card saved",
    brand: merchantOf(tokenization).brand,
    refresh: leaving ? { seconds: 0, url } : undefined,
    body: (
      <Notice
        merchant={merchantOf(tokenization)}
        live={saved !== null}
        tone="good"
        icon="check"
        title="Your card is saved"
        text={leaving ? [...charged, `Taking you back to ${business} now.`] : charged}
        facts={[
          ["For", tokenization.title],
          ...(card ? [["Card", card] as const] : []),
          ...(paid ?? []),
          ...(due ?? []),
        ]}
      >
        {url && (
          <a className={leaving ? "button" : "button plain"} href={url} rel="noreferrer">
            {leaving ? "Continue" : `Go to ${business}`}
          </a>
        )}
      </Notice>
    ),
  };
}

export function closedTokenDocument(tokenization: Activatable, state: "expired" | "revoked"): Document {
  const title = state === "expired" ? "This link has expired" : "This link is no longer valid";
  const text = `You can’t save a card with it. Please ask ${tokenization.business.name} for a new link.`;
  const icon = state === "expired" ? "clock" : "cross";
  return {
    status: 410,
    title,
    brand: merchantOf(tokenization).brand,
    body: <Notice merchant={merchantOf(tokenization)} tone="note" icon={icon} title={title} text={[text]} />,
  };
}
