import { groupedIban } from "@/lib/core/iban";
import { transferReference } from "@/lib/core/transfer-reference";
import type { Document } from "@/lib/payer/document";
import { epcPayload, qrCodeOf } from "@/lib/payer/epc";
import { type BankAccount, formPath, type Payable } from "@/lib/payer/payable";
import { transferStyle } from "@/lib/payer/style";
import { payerTexts } from "@/messages/payer/texts";
import { Frame, Header } from "./frame";
import { merchantOf } from "./pay-form";
import { moneyWords } from "./words";

/**
 * The page with the details of a bank transfer. Separate from the pay page, which stays small and draws no QR code for card payers.
 * @param byCard whether the payer can go back to pay by card
 */
export async function transferDocument(link: Payable, bank: BankAccount, byCard: boolean): Promise<Document> {
  const { amount_cents: amountCents, currency, business_name, brand, language } = link;
  const t = payerTexts[language];
  const merchant = merchantOf(link);
  const amount = moneyWords(t, amountCents, currency);
  const reference = transferReference(link.id);
  const { holder, iban, bic } = bank;
  // The EPC standard allows only euros.
  const code = currency === "EUR" ? await qrCodeOf(epcPayload({ holder, iban, bic, amountCents, reference })) : null;
  return {
    status: 200,
    language,
    title: t.transfer.title(amount, business_name),
    brand,
    style: transferStyle,
    body: (
      <Frame t={t} wide merchant={merchant}>
        <div className="summary">
          <Header t={t} {...merchant} />
          <h1>
            <bdi>{link.title}</bdi>
          </h1>
          <p className="amount">{amount}</p>
        </div>
        <div>
          <section className="card" aria-labelledby="transfer">
            <h2 id="transfer">{t.transfer.heading}</h2>
            {merchant.testmode && <p className="remark">{t.transfer.testMode(business_name)}</p>}
            {link.awaiting_transfer && <p className="remark">{t.transfer.awaiting(business_name)}</p>}
            <dl className="transfer">
              <div>
                <dt>{t.transfer.amount}</dt>
                <dd className="copy">{currency === "EUR" ? amount : `${amount} (${currency})`}</dd>
              </div>
              <div>
                <dt>{t.transfer.holder}</dt>
                <dd className="copy">
                  <bdi>{holder}</bdi>
                </dd>
              </div>
              <div>
                <dt>IBAN</dt>
                <dd className="copy code">{groupedIban(iban)}</dd>
              </div>
              {bic && (
                <div>
                  <dt>BIC</dt>
                  <dd className="copy code">{bic}</dd>
                </div>
              )}
              <div>
                <dt>{t.transfer.reference}</dt>
                <dd className="copy code">{reference}</dd>
              </div>
            </dl>
            <p className="hint">{t.transfer.referenceHint(business_name)}</p>
            {code && (
              <div className="scan">
                <svg
                  viewBox={`0 -.5 ${code.size} ${code.size}`}
                  role="img"
                  aria-label={t.transfer.qrCodeLabel(amount, holder)}
                >
                  <path fill="#fff" d={`M0-.5h${code.size}v${code.size}H0z`} />
                  <path stroke="#000" d={code.path} />
                </svg>
                <p>
                  <strong>{t.transfer.scan}</strong> {t.transfer.toFillIn}
                </p>
              </div>
            )}
            <p className="hint">{t.transfer.duration(business_name)}</p>
            {byCard && (
              <div className="actions">
                <a className="button plain" href={formPath(link)}>
                  {t.transfer.byCard}
                </a>
              </div>
            )}
          </section>
        </div>
      </Frame>
    ),
  };
}
