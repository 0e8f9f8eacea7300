import { formatMoney } from "@/lib/core/money";
import type { CardCharges } from "@/lib/payer/card-charges";
import { dayWords, periodWords } from "./words";

export const amountWords = ({ amount_cents, currency }: { amount_cents: number; currency: string }): string =>
  formatMoney(amount_cents, currency);

/** "€150.00", or "€150.00 and $20.00" */
export const totalWords = ({ totals }: CardCharges): string =>
  totals.map(({ cents, currency }) => formatMoney(cents, currency)).join(" and ");

/** "Next charge: €15.00 for Reading club on December 1, 2026." */
export const nextWords = ({ next }: CardCharges): string =>
  next
    .map(({ title, amount_cents, currency, at, timezone }) => {
      const day = dayWords(new Date(at), timezone);
      return `Next charge: ${formatMoney(amount_cents, currency)} for ${title} on ${day}.`;
    })
    .join(" ");

/** The owed periods that are charged once the card is saved. @param when "when you save it" */
export function Dues({ charges, when }: { charges: CardCharges; when: string }) {
  const { due, totals } = charges;
  if (due.length === 0) return null;
  const more = totals.reduce((sum, { count }) => sum + count, 0) - due.length;
  return (
    <div className="field">
      <p>
        {totalWords(charges)} will be charged to this card {when}:
      </p>
      <dl className="facts dues">
        {due.map(({ title, period_start, period_end, timezone, ...money }) => (
          <div key={`${title} ${period_start}`}>
            <dt>
              <bdi>{title}</bdi>, {periodWords(new Date(period_start), new Date(period_end), timezone)}
            </dt>
            <dd>{amountWords(money)}</dd>
          </div>
        ))}
        {more > 0 && (
          <div>
            <dt>And</dt>
            <dd>{more === 1 ? "1 more period" : `${more} more periods`}</dd>
          </div>
        )}
        {due.length + more > 1 && (
          <div>
            <dt>In total</dt>
            <dd>{totalWords(charges)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
