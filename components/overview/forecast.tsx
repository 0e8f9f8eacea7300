"use client";

import Link from "next/link";
import { linkLook, Panel } from "@/components/shell/detail";
import { LoadFailure } from "@/components/shell/list/list-frame";
import { Moment } from "@/components/shell/moment";
import { cardExpiry, cardName } from "@/components/tokenizations/words";
import { formatMoney } from "@/lib/money";
import { useForecast } from "@/lib/reports/queries";
import type { Forecast as Data } from "@/lib/subscriptions/contract";

const months = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

interface Month {
  key: string;
  month: string;
  currency: string;
  cents: number;
  count: number;
}

/** The forecast's days by calendar month. */
function monthsOf(days: Data["days"]): Month[] {
  const sums = new Map<string, Month>();
  for (const { date, currency, amount_cents, count } of days) {
    const key = `${date.slice(0, 7)} ${currency}`;
    const known = sums.get(key) ?? { key, month: months.format(new Date(date)), currency, cents: 0, count: 0 };
    sums.set(key, { ...known, cents: known.cents + amount_cents, count: known.count + count });
  }
  return [...sums.values()];
}

/** What subscriptions will charge in the next 90 days, and the cards that will not do. */
export function Forecast() {
  const forecast = useForecast();
  if (forecast.isPending) return null;
  if (forecast.isError) return <LoadFailure what="forecast" query={forecast} />;
  const { days, totals, at_risk } = forecast.data;
  if (days.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-start">
      <Panel title="The next 90 days of subscriptions">
        <div className="px-4 py-2">
          <table className="w-full text-base">
            <caption className="sr-only">What subscriptions will charge, by month</caption>
            <thead>
              <tr className="text-left text-sm text-kumo-subtle">
                <th scope="col" className="py-2 font-medium">
                  Month
                </th>
                <th scope="col" className="py-2 text-right font-medium">
                  Charges
                </th>
                <th scope="col" className="py-2 text-right font-medium">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {monthsOf(days).map(({ key, month, currency, cents, count }) => (
                <tr key={key} className="border-t border-kumo-hairline">
                  <th scope="row" className="py-2 text-left font-normal">
                    {month}
                  </th>
                  <td className="py-2 text-right tabular-nums">{count.toLocaleString("en")}</td>
                  <td className="py-2 text-right tabular-nums">{formatMoney(cents, currency)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              {totals.map(({ currency, amount_cents, count }) => (
                <tr key={currency} className="border-t border-kumo-line font-semibold">
                  <th scope="row" className="py-2 text-left">
                    Together
                  </th>
                  <td className="py-2 text-right tabular-nums">{count.toLocaleString("en")}</td>
                  <td className="py-2 text-right tabular-nums">{formatMoney(amount_cents, currency)}</td>
                </tr>
              ))}
            </tfoot>
          </table>
        </div>
      </Panel>
      <AtRisk rows={at_risk} />
    </div>
  );
}

const shown = 6;

function AtRisk({ rows }: { rows: Data["at_risk"] }) {
  return (
    <Panel
      title={rows.length > 0 ? `Cards at risk (${rows.length >= 100 ? "100 or more" : rows.length})` : "Cards at risk"}
    >
      {rows.length === 0 && (
        <p className="px-4 py-5 text-base text-kumo-subtle">
          Every charge to come will find a card that is still good.
        </p>
      )}
      <ul>
        {rows.slice(0, shown).map((row) => (
          <li
            key={row.subscription_id}
            className="flex items-start justify-between gap-4 border-b border-kumo-hairline px-4 py-3 last:border-0"
          >
            <div className="min-w-0">
              <Link
                href={`/subscriptions/${row.subscription_id}`}
                className={`block truncate text-base text-kumo-strong ${linkLook}`}
              >
                {row.email}
              </Link>
              <p className="text-sm text-kumo-subtle">
                {row.card ? `${cardName(row.card)} expires ${cardExpiry(row.card)}` : "No card saved"}, charged{" "}
                <Moment at={row.charge_at} />
              </p>
            </div>
            <span className="shrink-0 text-right text-base tabular-nums">
              {formatMoney(row.amount_cents, row.currency)}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > shown && (
        <p className="px-4 pb-3 text-sm text-kumo-subtle">And {rows.length - shown} more, later.</p>
      )}
    </Panel>
  );
}
