import type { CardCharges } from "@/lib/payer/card-charges";
import type { CardErrors } from "@/lib/payer/card-form";
import type { Payable } from "@/lib/payer/payable";
import type { PayerTexts } from "@/messages/payer/texts";
import { Dues, nextWords } from "./card-charges";
import { CardFields, type EnteredFields, ErrorSummary } from "./card-fields";
import { Frame, Header, type Merchant } from "./frame";
import { Icon } from "./icon";
import { TestCards } from "./test-cards";

/** The link's part of the form, as text. */
export type PayFormLink = {
  id: string;
  title: string;
  description: string | null;
  /** With its currency, as people read it. */
  amount: string;
  /** A line that names the tax that the amount includes; null without a tax. */
  tax: string | null;
  amount_cents: string;
  currency: string;
  tax_basis_points: string | null;
  /** The address of the details for a bank transfer; null if the payer can only pay by card. */
  transfer_path: string | null;
};

/** The offer to save the card for the next periods of a subscription. */
export interface SavingOffer {
  /** What will be charged to the card besides this payment. */
  charges: CardCharges;
  chosen: boolean;
}

interface PayFormState {
  cardForm: boolean;
  /** Whether the merchant waits for a bank transfer. */
  awaiting: boolean;
  saving?: SavingOffer | null;
  errors?: CardErrors;
  entered?: EnteredFields;
  alert?: { title: string; text: string };
}

/** Of the document; see `formDocument`. */
export type PayFormProps = PayFormState & { link: Payable };

export const merchantOf = (link: Payable): Merchant => ({
  business: link.business_name,
  testmode: !link.livemode,
  brand: link.brand,
});

/** The form posts the amount and tax that the payer saw, so that changed ones are not charged. */
export function PayForm({
  t,
  link,
  merchant,
  cardForm,
  awaiting,
  saving,
  errors = {},
  entered,
  alert,
}: PayFormState & { t: PayerTexts; link: PayFormLink; merchant: Merchant }) {
  const { amount } = link;
  return (
    <Frame t={t} wide merchant={merchant}>
      <div className="summary">
        <Header t={t} {...merchant} />
        <h1>
          <bdi>{link.title}</bdi>
        </h1>
        <p className="amount">{amount}</p>
        {link.tax && <p className="text">{link.tax}</p>}
        {link.description && (
          <p className="text">
            <bdi>{link.description}</bdi>
          </p>
        )}
      </div>
      <div>
        <form className="card" method="post" action={`/pay?id=${link.id}`}>
          {alert && (
            <div className="alert" role="alert">
              <h2>{alert.title}</h2>
              <p>{alert.text}</p>
            </div>
          )}
          {awaiting && (
            <div className="alert wait">
              <h2>{t.pay.awaiting(merchant.business)}</h2>
              <p>{t.pay.awaitingText}</p>
            </div>
          )}
          <ErrorSummary t={t} errors={errors} />
          <h2>{t.pay.byCard}</h2>
          <input type="hidden" name="amount_cents" value={link.amount_cents} />
          <input type="hidden" name="currency" value={link.currency} />
          <input type="hidden" name="tax_basis_points" value={link.tax_basis_points ?? ""} />
          {cardForm && <CardFields t={t} errors={errors} entered={entered} />}
          {saving && <SaveCard t={t} {...saving} />}
          <button className="button" type="submit" name="action" value="pay">
            {cardForm ? t.pay.button(amount) : t.pay.buttonToGateway(amount)}
          </button>
          <p className="safe">
            <Icon shape="lock" size={18} />
            <span>
              {!cardForm && t.pay.safeAtGateway}
              {cardForm && !saving && t.pay.safe}
              {cardForm && saving && t.pay.safeWhenSaving}
            </span>
          </p>
          {link.transfer_path && (
            <a className="button plain other" href={link.transfer_path}>
              {t.pay.byTransfer}
            </a>
          )}
        </form>
        {merchant.testmode && cardForm && <TestCards t={t} />}
      </div>
    </Frame>
  );
}

function SaveCard({ t, charges, chosen }: SavingOffer & { t: PayerTexts }) {
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          name="save_card"
          value="1"
          defaultChecked={chosen}
          aria-describedby="save-card-charges"
        />
        {t.pay.saveCard}
      </label>
      <div id="save-card-charges">
        {charges.next.length > 0 && <p>{nextWords(t, charges)}</p>}
        <Dues t={t} charges={charges} isOptional />
      </div>
    </div>
  );
}
