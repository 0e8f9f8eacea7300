import { useRef } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { cardExpiry, useCardName } from "@/components/tokenizations/words";
import { linkClass, Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { Moment } from "@/components/ui/moment";
import { useInViewOrIdle } from "@/components/ui/use-in-view-or-idle";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/core/money";
import { useForecast } from "@/lib/resources/reports/queries";
import type { Forecast as Data } from "@/lib/resources/subscriptions/forecast-contract";
import { FigureTable } from "./figure-table";

/**
 * What subscriptions will charge in one currency, by month, and which cards will have expired. Its call loads zod and contracts, which
 * would block a phone's first seconds, so it waits until it is in view, or the browser is idle.
 */
export function Forecast({ currency }: { currency: string }) {
  const t = useTranslations("overview.forecast");
  const format = useFormatter();
  const place = useRef<HTMLDivElement>(null);
  const forecast = useForecast(useInViewOrIdle(place));
  if (forecast.isPending) return <div ref={place} data-coming />;
  if (forecast.isError) return <LoadFailure of="single.forecast" query={forecast} />;
  const { months, totals, at_risk, as_of } = forecast.data;
  if (!months || !totals || !at_risk)
    return (
      <Panel title={t("title", { currency })}>
        <p className="px-4 py-5 text-base text-kumo-subtle">{t("calculating")}</p>
      </Panel>
    );
  if (months.length === 0) return null;
  const own = totals.find((total) => total.currency === currency);
  const others = totals.filter((total) => total.currency !== currency);
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2 lg:items-start">
      <Panel title={t("title", { currency })}>
        <div className="px-4 py-2">
          {own ? (
            <FigureTable
              caption={t("caption", { currency })}
              columns={[t("month"), t("charges"), t("amount")]}
              rows={months
                .filter((each) => each.currency === currency)
                .map(({ month, count, amount_cents }) => ({
                  key: month,
                  cells: [
                    format.dateTime(new Date(month), { month: "long", year: "numeric", timeZone: "UTC" }),
                    format.number(count),
                    formatMoney(amount_cents, currency),
                  ],
                }))}
              totals={[
                {
                  key: currency,
                  cells: [t("together"), format.number(own.count), formatMoney(own.amount_cents, currency)],
                },
              ]}
            />
          ) : (
            <p className="py-3 text-base text-kumo-subtle">{t("none", { currency })}</p>
          )}
          {others.length > 0 && (
            <p className="pt-1 pb-2 text-sm text-kumo-subtle">
              {t("others", {
                amounts: format.list(others.map((total) => formatMoney(total.amount_cents, total.currency))),
              })}
            </p>
          )}
          {as_of && (
            <p className="pt-1 pb-2 text-sm text-kumo-subtle">{t.rich("asOf", { time: () => <When at={as_of} /> })}</p>
          )}
        </div>
      </Panel>
      <AtRisk rows={at_risk} />
    </div>
  );
}

const shown = 6;

type Risk = NonNullable<Data["at_risk"]>[number];

const charged = ({ charge_at }: Risk) => ({ when: () => <Moment at={charge_at} /> });

function AtRisk({ rows }: { rows: Risk[] }) {
  const t = useTranslations("overview.atRisk");
  const cardName = useCardName();
  return (
    <Panel title={t("title", { count: rows.length })}>
      {rows.length === 0 && <p className="px-4 py-5 text-base text-kumo-subtle">{t("empty")}</p>}
      <ul>
        {rows.slice(0, shown).map((row) => (
          <li
            key={row.subscription_id}
            className="flex items-start justify-between gap-4 border-b border-kumo-hairline px-4 py-3 last:border-0"
          >
            <div className="min-w-0">
              <Link
                href={`/subscriptions/${row.subscription_id}`}
                className={`block truncate text-base text-kumo-strong pointer-coarse:relative pointer-coarse:-my-3 pointer-coarse:py-3 ${linkClass}`}
              >
                {row.email}
              </Link>
              <p className="text-sm text-kumo-subtle">
                {row.card
                  ? t.rich("expires", { ...charged(row), card: cardName(row.card), expiry: cardExpiry(row.card) })
                  : t.rich("noCard", charged(row))}
              </p>
            </div>
            <span className="shrink-0 text-right text-base tabular-nums">
              {formatMoney(row.amount_cents, row.currency)}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > shown && (
        <p className="px-4 pb-3 text-sm text-kumo-subtle">{t("more", { count: rows.length - shown })}</p>
      )}
    </Panel>
  );
}
