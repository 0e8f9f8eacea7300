import { type DeclineReason, declineReasons } from "@/lib/gateways/gateway";
import type { Activatable } from "@/lib/ledger/save-card";
import type { CardErrors } from "@/lib/payer/card-form";
import { type Document, safeUrl } from "@/lib/payer/document";
import { CardFields, type EnteredFields, ErrorSummary } from "./card-fields";
import { Frame, Header, type Merchant } from "./frame";
import { Icon } from "./icon";
import { Notice } from "./notice";
import { TestCards } from "./test-cards";
import { cardWords } from "./words";

type FormProps = {
  tokenization: Activatable;
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

function ActivateForm({ tokenization, cardForm, errors = {}, entered, declined }: FormProps) {
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
          {cardForm && <CardFields errors={errors} entered={entered} />}
          <button className="button" type="submit">
            {cardForm ? "Save card" : "Continue to save your card"}
          </button>
          <p className="safe">
            <Icon shape="lock" size={18} />
            <span>Nothing is charged now. {business} may charge this card later for what you agreed with them.</span>
          </p>
        </form>
        {!tokenization.livemode && cardForm && <TestCards />}
      </div>
    </Frame>
  );
}

export function leavingToSaveDocument(tokenization: Activatable, url: string): Document {
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
        text={[`You’ll save your card for ${tokenization.business.name} there. Nothing is charged.`]}
      >
        <a className="button" href={url} rel="noreferrer">
          Continue
        </a>
      </Notice>
    ),
  };
}

/** @param leave the payer has just saved the card: redirects to the merchant, if a URL is given */
export function activeDocument(tokenization: Activatable, leave: boolean): Document {
  const url = safeUrl(tokenization.redirect_url);
  const business = tokenization.business.name;
  const card = cardWords(tokenization.card_brand, tokenization.card_last4);
  const leaving = leave && url !== null;
  return {
    status: 200,
    title: "Card saved",
    brand: merchantOf(tokenization).brand,
    refresh: leaving ? { seconds: 0, url } : undefined,
    body: (
      <Notice
        merchant={merchantOf(tokenization)}
        live={leave}
        tone="good"
        icon="check"
        title="Your card is saved"
        text={[leaving ? `Taking you back to ${business} now.` : "Nothing was charged. You can close this page now."]}
        facts={[["For", tokenization.title], ...(card ? [["Card", card] as const] : [])]}
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
