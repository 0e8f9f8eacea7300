import { cardGroups, testCards } from "@/lib/gateways/sandbox/cards";
import type { PayerTexts } from "@/messages/payer/texts";
import { groupDigits } from "./words";

/** In English, because it is for developers. Collapsed, so that the page looks as it does in live mode. */
export function TestCards({ t }: { t: PayerTexts }) {
  return (
    <details lang={t.language === "en" ? undefined : "en"}>
      <summary>Test cards</summary>
      <p>No money moves. Any future expiry date and any security code will do.</p>
      {cardGroups.map((group, i) => (
        <details key={group} open={i === 0}>
          <summary>{group}</summary>
          <dl>
            {testCards
              .filter((card) => card.group === group)
              .map(({ number, label }) => (
                <div key={number}>
                  <dt>{groupDigits(number)}</dt>
                  <dd>{label}</dd>
                </div>
              ))}
          </dl>
        </details>
      ))}
    </details>
  );
}
