import { groupedIban } from "@/lib/core/iban";
import { formatMoney } from "@/lib/core/money";
import { transferReference } from "@/lib/core/transfer-reference";
import type { Document } from "@/lib/payer/document";
import { epcPayload, qrCodeOf } from "@/lib/payer/epc";
import type { BankAccount, Payable } from "@/lib/payer/payable";
import { transferStyle } from "@/lib/payer/style";
import { Frame, Header } from "./frame";
import { merchantOf } from "./pay-form";

/**
 * The page with the details of a bank transfer. Separate from the pay page, which stays small and draws no QR code for card payers.
 * @param byCard whether the payer can go back to pay by card
 */
export async function transferDocument(link: Payable, bank: BankAccount, byCard: boolean): Promise<Document> {
  const { amount_cents: amountCents, currency, business_name, brand } = link;
  const merchant = merchantOf(link);
  const amount = formatMoney(amountCents, currency);
  const reference = transferReference(link.id);
  const { holder, iban, bic } = bank;
  // The EPC standard allows only euros.
  const code = currency === "EUR" ? await qrCodeOf(epcPayload({ holder, iban, bic, amountCents, reference })) : null;
  return {
    status: 200,
    title: `Pay ${amount} to ${business_name} by bank transfer`,
    brand,
    style: transferStyle,
    body: (
      <Frame wide merchant={merchant}>
        <div className="summary">
          <Header {...merchant} />
          <h1>
            <bdi>{link.title}</bdi>
          </h1>
          <p className="amount">{amount}</p>
        </div>
        <div>
          <section className="card" aria-labelledby="transfer">
            <h2 id="transfer">Pay by bank transfer</h2>
            {merchant.testmode && (
              <p className="remark">Test mode: don’t transfer any money. This is {business_name}’s real account.</p>
            )}
            {link.awaiting_transfer && <p className="remark">{business_name} is waiting for your transfer.</p>}
            <dl className="transfer">
              <div>
                <dt>Amount</dt>
                <dd className="copy">{currency === "EUR" ? amount : `${amount} (${currency})`}</dd>
              </div>
              <div>
                <dt>Account holder</dt>
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
                <dt>Payment reference</dt>
                <dd className="copy code">{reference}</dd>
              </div>
            </dl>
            <p className="hint">Give exactly this reference, so that {business_name} can match your payment.</p>
            {code && (
              <div className="scan">
                <svg
                  viewBox={`0 -.5 ${code.size} ${code.size}`}
                  role="img"
                  aria-label={`QR code for a bank transfer of ${amount} to ${holder}, with the details above`}
                >
                  <path fill="#fff" d={`M0-.5h${code.size}v${code.size}H0z`} />
                  <path stroke="#000" d={code.path} />
                </svg>
                <p>
                  <strong>Scan with your banking app</strong> to fill in the transfer.
                </p>
              </div>
            )}
            <p className="hint">
              A transfer usually takes one working day. You get a receipt once {business_name} has confirmed it.
            </p>
            {byCard && (
              <div className="actions">
                <a className="button plain" href={`/pay?id=${link.id}`}>
                  Pay by card instead
                </a>
              </div>
            )}
          </section>
        </div>
      </Frame>
    ),
  };
}
