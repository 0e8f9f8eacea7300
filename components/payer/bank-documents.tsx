import type { ReactNode } from "react";
import { formatMoney } from "@/lib/core/money";
import type { Challenge } from "@/lib/gateways/sandbox/challenge";
import type { Document } from "@/lib/payer/document";
import { bankStyle } from "@/lib/payer/style";

function Bank({ children }: { children: ReactNode }) {
  return (
    <main>
      <div className="bank">
        <span>Sandbox Bank</span>
        <span>Not a real bank</span>
      </div>
      {children}
    </main>
  );
}

export function bankDocument(ref: string, challenge: Challenge): Document {
  const { open, returnPath, amountCents, currency, merchant, last4 } = challenge;
  const title = open ? "Do you confirm this payment?" : "You already answered this request";
  return {
    status: open ? 200 : 410,
    title: `${title} - Sandbox Bank`,
    style: bankStyle,
    form: open,
    body: (
      <Bank>
        <h1>{title}</h1>
        <p className="soft">A test of 3-D Secure. No money moves.</p>
        <dl>
          <div>
            <dt>Amount</dt>
            <dd>{formatMoney(amountCents, currency)}</dd>
          </div>
          <div>
            <dt>To</dt>
            <dd>{merchant}</dd>
          </div>
          <div>
            <dt>Card</dt>
            <dd>ending in {last4}</dd>
          </div>
        </dl>
        {open ? (
          <form method="post" action={`/sandbox/3ds/${ref}`}>
            <button className="button" type="submit" name="answer" value="approve">
              Approve
            </button>
            <button className="button plain" type="submit" name="answer" value="reject">
              Reject
            </button>
          </form>
        ) : (
          <a className="button" href={returnPath}>
            Back to payment
          </a>
        )}
      </Bank>
    ),
  };
}

export function bankUnknownDocument(): Document {
  const title = "Request not found";
  const body = (
    <Bank>
      <h1>{title}</h1>
      <p>Please go back to the payment and try again.</p>
    </Bank>
  );
  return { status: 404, title: `${title} - Sandbox Bank`, style: bankStyle, body };
}
