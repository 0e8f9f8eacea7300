import type { CardCharges } from "@/lib/payer/card-charges";
import type { PayerTexts } from "@/messages/payer/texts";
import { dayWords, moneyWords, periodWords } from "./words";

export const amountWords = (
  t: PayerTexts,
  { amount_cents, currency }: { amount_cents: number; currency: string },
): string => moneyWords(t, amount_cents, currency);

/** "€150.00", or "€150.00 and $20.00" */
export const totalWords = (t: PayerTexts, { totals }: CardCharges): string =>
  new Intl.ListFormat(t.language).format(totals.map(({ cents, currency }) => moneyWords(t, cents, currency)));

/** "Next charge: €15.00 for Reading club on 1 December 2026." */
export const nextWords = (t: PayerTexts, { next }: CardCharges): string =>
  next
    .map(({ title, at, timezone, ...money }) =>
      t.charges.next(amountWords(t, money), title, dayWords(t, new Date(at), timezone)),
    )
    .join(" ");

interface DuesProps {
  t: PayerTexts;
  charges: CardCharges;
  /** Whether saving the card is optional: the form is for another payment. */
  isOptional?: boolean;
}

/** The owed periods that are charged once the card is saved. */
export function Dues({ t, charges, isOptional = false }: DuesProps) {
  const { due, totals } = charges;
  if (due.length === 0) return null;
  const more = totals.reduce((sum, { count }) => sum + count, 0) - due.length;
  return (
    <div className="field">
      <p>{t.charges[isOptional ? "dueIfSaved" : "dueWhenSaved"](totalWords(t, charges))}</p>
      <dl className="facts dues">
        {due.map(({ title, period_start, period_end, timezone, ...money }) => (
          <div key={`${title} ${period_start}`}>
            <dt>
              <bdi>{title}</bdi>, {periodWords(t, new Date(period_start), new Date(period_end), timezone)}
            </dt>
            <dd>{amountWords(t, money)}</dd>
          </div>
        ))}
        {more > 0 && (
          <div>
            <dt>{t.charges.more}</dt>
            <dd>{more === 1 ? t.charges.onePeriod : t.charges.periods(String(more))}</dd>
          </div>
        )}
        {due.length + more > 1 && (
          <div>
            <dt>{t.charges.total}</dt>
            <dd>{totalWords(t, charges)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
