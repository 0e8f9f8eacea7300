import { cardGroups, testCards } from "@/lib/gateways/sandbox/cards";
import type { PayerTexts } from "@/messages/payer/texts";
import { groupDigits } from "./words";

/** The cards are in English, because they are for developers. Collapsed, so that the page looks as it does in live mode. */
export function TestCards({ t }: { t: PayerTexts }) {
  return (
    <details>
      <summary>{t.testCards.title}</summary>
      <p>{t.testCards.text}</p>
      {cardGroups.map((group, i) => (
        <details key={group} lang={t.language.startsWith("en") ? undefined : "en"} open={i === 0}>
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
