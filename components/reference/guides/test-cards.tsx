import { groupDigits } from "@/components/payer/words";
import type { GuideProps } from "./guide-props";

export function TestCards({ testCards }: GuideProps) {
  const groups = [...new Set(testCards.map(({ group }) => group))];
  return (
    <>
      <p>
        In test mode, payments go to a sandbox that moves no money, until you connect a gateway account. The sandbox
        accepts only these numbers, with any future expiry date and any security code: three digits, or four for
        American Express.
      </p>
      {groups.map((group) => (
        <table key={group}>
          <caption>{group}</caption>
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">What happens</th>
            </tr>
          </thead>
          <tbody>
            {testCards
              .filter((card) => card.group === group)
              .map(({ number, label }) => (
                <tr key={number} id={`card.${number}`}>
                  <th scope="row">
                    <code>{groupDigits(number)}</code>
                  </th>
                  <td>{label}</td>
                </tr>
              ))}
          </tbody>
        </table>
      ))}
    </>
  );
}
