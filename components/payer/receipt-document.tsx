import type { Document } from "@/lib/payer/document";
import { type Receipt, receiptSums } from "@/lib/payer/receipt";
import { receiptStyle } from "@/lib/payer/style";
import { type PayerTexts, payerTexts } from "@/messages/payer/texts";
import { Frame, Header } from "./frame";
import { cardWords, dateFormat, dayWords, moneyWords, taxLines, taxWords } from "./words";

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
  /** Below the sums. */
  remarks: string[];
};

/**
 * The receipt's texts, for the page and the PDF.
 * @param format formats an amount in cents; the PDF replaces currency signs that its typeface lacks
 */
export function receiptWords(receipt: Receipt, format: typeof moneyWords = moneyWords): ReceiptWords {
  const t = payerTexts[receipt.language];
  const words = t.receipt;
  const { currency, business_timezone: timezone, refunds } = receipt;
  const money = (cents: number) => format(t, cents, currency);
  const { refunded, pending, left } = receiptSums(receipt);
  const amount = money(receipt.amount_cents);
  const { method, paid_on, reversed_at } = receipt;
  const paidWith = method ? t.methods[method] : cardWords(t, receipt.card_brand, receipt.card_last4);
  const paidOn = paid_on ? { value: dayWords(t, new Date(paid_on), "UTC") } : momentWords(t, receipt.paid_at, timezone);
  return {
    amount,
    currency: amount.includes(currency) ? null : currency,
    testmode: receipt.livemode ? null : words.testMode,
    reversed: reversed_at && words.reversed(dayWords(t, reversed_at, timezone)),
    refunded: left <= 0 ? words.refundedInFull : null,
    facts: [
      ...(receipt.seller_details
        ? [{ name: words.seller, value: receipt.business_name, detail: receipt.seller_details }]
        : []),
      { name: t.facts.for, value: receipt.title, detail: receipt.description },
      ...(receipt.reference ? [{ name: words.reference, value: receipt.reference }] : []),
      ...taxLines(t, receipt).map(({ name, cents }) => ({ name, value: money(cents) })),
      { name: words.paidOn, ...paidOn },
      ...(paidWith ? [{ name: t.facts.paidWith, value: paidWith }] : []),
      { name: words.number, value: receipt.payment_id },
    ],
    refunds: refunds.map(({ status, amount_cents, at }) => ({
      date: dayWords(t, at, timezone),
      state: words[status],
      amount: money(amount_cents),
    })),
    sums:
      refunds.length === 0
        ? []
        : [
            { name: words.paid, value: amount },
            { name: words.refunded, value: refunded === 0 ? money(0) : `\u2212${money(refunded)}` },
            { name: words.net, value: money(left) },
          ],
    remarks: [
      refunds.length > 0 && left > 0 && taxWords(t, { ...receipt, amount_cents: left }, format),
      pending > 0 && words.pendingText,
    ].filter((remark) => typeof remark === "string"),
  };
}

/** "21 November 2026 at 14:05", "Central European Standard Time (Europe/Berlin)" */
function momentWords(t: PayerTexts, at: Date, timeZone: string): { value: string; detail: string } {
  const value = dateFormat(t, { dateStyle: "long", timeStyle: "short", timeZone }).format(at);
  const parts = dateFormat(t, { timeZone, timeZoneName: "long" }).formatToParts(at);
  const zone = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return { value, detail: zone === "" || zone === timeZone ? timeZone : `${zone} (${timeZone})` };
}

export function receiptDocument(receipt: Receipt): Document {
  const words = receiptWords(receipt);
  const { brand, language } = receipt;
  const t = payerTexts[language];
  const merchant = { business: receipt.business_name, testmode: !receipt.livemode, brand };
  return {
    status: 200,
    language,
    title: t.receipt.title(receipt.business_name),
    brand,
    style: receiptStyle,
    body: (
      <Frame t={t} merchant={merchant}>
        <Header t={t} {...merchant} />
        <div className="card receipt">
          <h1>{t.receipt.heading}</h1>
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
          {words.refunds.length > 0 && <Refunds t={t} {...words} />}
          <div className="actions">
            <a className="button" href={`/receipt/${receipt.token}/pdf`} download>
              {t.receipt.download}
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

type RefundsProps = Pick<ReceiptWords, "refunds" | "sums" | "remarks"> & { t: PayerTexts };

function Refunds({ t, refunds, sums, remarks }: RefundsProps) {
  return (
    <>
      <h2 id="refunds">{t.receipt.refunds}</h2>
      <table aria-labelledby="refunds">
        <thead>
          <tr>
            <th scope="col">{t.receipt.date}</th>
            <th scope="col">{t.receipt.state}</th>
            <th scope="col">{t.receipt.amount}</th>
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
      {remarks.map((remark) => (
        <p key={remark} className="detail">
          {remark}
        </p>
      ))}
    </>
  );
}
