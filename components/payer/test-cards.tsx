import { cardGroups, testCards } from "@/lib/gateways/sandbox/cards";
import { groupDigits } from "./words";

/** Folded, so that the page looks as it does in live mode. */
export function TestCards() {
  return (
    <details>
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
