import { formatMoney } from "@/lib/core/money";
import { methodNames } from "@/lib/core/payment-methods";
import type { Document } from "@/lib/payer/document";
import { type Receipt, type ReceiptRefund, receiptSums } from "@/lib/payer/receipt";
import { receiptStyle } from "@/lib/payer/style";
import { Frame, Header } from "./frame";
import { cardWords, dayWords, taxLines } from "./words";

export type ReceiptFact = { name: string; value: string; detail?: string | null };

export type ReceiptWords = {
  amount: string;
  /** Null if the formatted amount contains the code. */
  currency: string | null;
  testmode: string | null;
  reversed: string | null;
  refunded: string | null;
  facts: ReceiptFact[];
  refunds: { date: string; state: string; amount: string }[];
  sums: { name: string; value: string }[];
  pending: string | null;
};

const refundStates: Record<ReceiptRefund["status"], string> = { succeeded: "Refunded", pending: "Refund pending" };

/**
 * The receipt's texts, for the page and the PDF.
 * @param format formats an amount in cents
 */
export function receiptWords(
  receipt: Receipt,
  format: (cents: number, currency: string) => string = formatMoney,
): ReceiptWords {
  const { currency, business_timezone: timezone, refunds } = receipt;
  const money = (cents: number) => format(cents, currency);
  const { refunded, pending, left } = receiptSums(receipt);
  const amount = money(receipt.amount_cents);
  const { method, paid_on, reversed_at } = receipt;
  const paidWith = method ? methodNames[method] : cardWords(receipt.card_brand, receipt.card_last4);
  const paidOn = paid_on ? { value: dayWords(new Date(paid_on), "UTC") } : momentWords(receipt.paid_at, timezone);
  return {
    amount,
    currency: amount.includes(currency) ? null : currency,
    testmode: receipt.livemode ? null : "Test payment, no money moved",
    reversed:
      reversed_at && `This payment was reversed on ${dayWords(reversed_at, timezone)} and no longer counts as paid`,
    refunded: left <= 0 ? "This payment has been refunded in full" : null,
    facts: [
      { name: "For", value: receipt.title, detail: receipt.description },
      ...(receipt.reference ? [{ name: "Reference", value: receipt.reference }] : []),
      ...taxLines(receipt).map(({ name, cents }) => ({ name, value: money(cents) })),
      { name: "Paid on", ...paidOn },
      ...(paidWith ? [{ name: "Paid with", value: paidWith }] : []),
      { name: "Receipt number", value: receipt.payment_id },
    ],
    refunds: refunds.map(({ status, amount_cents, at }) => ({
      date: dayWords(at, timezone),
      state: refundStates[status],
      amount: money(amount_cents),
    })),
    sums:
      refunds.length === 0
        ? []
        : [
            { name: "Paid", value: amount },
            { name: "Refunded", value: refunded === 0 ? money(0) : `\u2212${money(refunded)}` },
            { name: "Net paid", value: money(left) },
          ],
    pending: pending > 0 ? "A pending refund is deducted once it completes." : null,
  };
}

/** "November 21, 2026 at 2:05 PM", "Central European Standard Time (Europe/Berlin)" */
function momentWords(at: Date, timeZone: string): { value: string; detail: string } {
  const value = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone }).format(at);
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "long" }).formatToParts(at);
  const zone = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return { value, detail: zone === "" || zone === timeZone ? timeZone : `${zone} (${timeZone})` };
}

export function receiptDocument(receipt: Receipt): Document {
  const words = receiptWords(receipt);
  const { brand } = receipt;
  const merchant = { business: receipt.business_name, testmode: !receipt.livemode, brand };
  return {
    status: 200,
    title: `Receipt from ${receipt.business_name}`,
    brand,
    style: receiptStyle,
    body: (
      <Frame merchant={merchant}>
        <Header {...merchant} />
        <div className="card receipt">
          <h1>Receipt</h1>
          <p className="amount">
            {words.amount}
            {words.currency && (
              <>
                {" "}
                <span className="code">{words.currency}</span>
              </>
            )}
          </p>
          {words.reversed && <p className="remark">{words.reversed}</p>}
          {words.refunded && <p className="remark">{words.refunded}</p>}
          {words.testmode && <p className="remark">{words.testmode}</p>}
          <Facts facts={words.facts} />
          {words.refunds.length > 0 && <Refunds {...words} />}
          <div className="actions">
            <a className="button" href={`/receipt/${receipt.token}/pdf`} download>
              Download PDF
            </a>
          </div>
        </div>
      </Frame>
    ),
  };
}

// `bdi`: right-to-left text does not reorder the text beside it.
function Facts({ facts }: Pick<ReceiptWords, "facts">) {
  return (
    <dl className="facts">
      {facts.map(({ name, value, detail }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
            {detail && (
              <p className="detail">
                <bdi>{detail}</bdi>
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Refunds({ refunds, sums, pending }: Pick<ReceiptWords, "refunds" | "sums" | "pending">) {
  return (
    <>
      <h2 id="refunds">Refunds</h2>
      <table aria-labelledby="refunds">
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">State</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {refunds.map(({ date, state, amount }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two refunds may be alike in all that is shown; nothing is reordered.
            <tr key={index}>
              <td>{date}</td>
              <td>{state}</td>
              <td>{amount}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="sums">
        {sums.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {pending && <p className="detail">{pending}</p>}
    </>
  );
}
