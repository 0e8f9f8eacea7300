"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { paymentColumns } from "@/components/payments/columns";
import { Panel } from "@/components/ui/detail";
import { Part } from "@/components/ui/detail-part";
import { NativeSelect } from "@/components/ui/field";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { useAddress } from "@/components/ui/list/use-address";
import { LoadBoundary, onDemand } from "@/components/ui/on-demand";
import type { Rows as RowsOf } from "@/lib/client/call";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import type { Overview } from "@/lib/resources/reports/contract";
import { overviewQueryOptions } from "@/lib/resources/reports/queries";
import { useOwnCurrency } from "@/lib/resources/settings/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { Attention } from "./attention";
import { Chart } from "./chart";
import { Checklist } from "./checklist";
import { Figures } from "./figures";
import { Forecast } from "./forecast";
import { latestPayments, lengthOf, lengths, periodOf, readShown, type Shown } from "./shown";
import { isByWeeks } from "./weeks";

const UnknownCharges = onDemand(() => import("./unknown-charges").then(({ UnknownCharges }) => UnknownCharges));

export function OverviewPage() {
  const t = useTranslations("overview");
  const titles = useTranslations("titles");
  const { filter, show } = useAddress(readShown);
  const zone = useTimeZone() ?? "UTC";
  const now = useNow();
  const days = lengthOf(filter);
  const report = useQuery(overviewQueryOptions(periodOf(filter, now, zone)));
  const payments = useQuery(paymentsQueryOptions(latestPayments));
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{titles("overview")}</h1>
        <div className="flex gap-2">
          {report.data && <Currencies report={report.data} filter={filter} show={show} />}
          <NativeSelect
            aria-label={t("period")}
            value={String(days)}
            onChange={({ target }) => show({ ...filter, days: target.value }, "replace")}
          >
            {lengths.map((length) => (
              <option key={length} value={length}>
                {t("lastDays", { days: length })}
              </option>
            ))}
          </NativeSelect>
        </div>
      </div>
      {report.isPending ? (
        <Skeleton of="single.overview" />
      ) : report.data ? (
        <Loaded report={report.data} filter={filter} days={days}>
          <LatestPayments payments={payments} />
        </Loaded>
      ) : (
        <LoadFailure of="single.overview" query={report} />
      )}
    </>
  );
}

function currenciesOf({ period, previous, open, recurring }: Overview): string[] {
  const counts = new Map<string, number>();
  for (const { currency, collected } of period.currencies) counts.set(currency, 1 + collected.count);
  for (const { currency } of [...previous.currencies, ...(open ?? []), ...(recurring ?? [])])
    counts.set(currency, counts.get(currency) ?? 0);
  return [...counts].sort(([, a], [, b]) => b - a).map(([currency]) => currency);
}

/** The chosen currency, else the business's own if it was used, else the most used. */
function useShownCurrency(report: Overview, { currency }: Shown): string {
  const own = useOwnCurrency() ?? "EUR";
  const used = currenciesOf(report);
  return currency ?? (used.includes(own) ? own : (used[0] ?? own));
}

interface CurrenciesProps {
  report: Overview;
  filter: Shown;
  show: (filter: Shown, how: "replace") => void;
}

/** One currency at a time: amounts of different currencies are never added. */
function Currencies({ report, filter, show }: CurrenciesProps) {
  const t = useTranslations("overview");
  const chosen = useShownCurrency(report, filter);
  const all = [...new Set([...currenciesOf(report), chosen])];
  if (all.length < 2) return null;
  return (
    <NativeSelect
      aria-label={t("currency")}
      value={chosen}
      onChange={({ target }) => show({ ...filter, currency: target.value }, "replace")}
    >
      {all.map((code) => (
        <option key={code} value={code}>
          {code}
        </option>
      ))}
    </NativeSelect>
  );
}

interface LoadedProps {
  report: Overview;
  filter: Shown;
  days: number;
  children: ReactNode;
}

function Loaded({ report, filter, days, children }: LoadedProps) {
  const t = useTranslations("overview");
  const currency = useShownCurrency(report, filter);
  const { first, period } = report;
  return (
    <div className="grid grid-cols-1 gap-6">
      {!first.payment && <Checklist first={first} />}
      <Attention attention={report.attention} />
      {report.attention.unknown_charges > 0 && (
        <LoadBoundary>
          <Suspense fallback={null}>
            <UnknownCharges />
          </Suspense>
        </LoadBoundary>
      )}
      <Figures report={report} currency={currency} days={days} />
      {/* Empty before the first payment. */}
      {first.payment && (
        <Panel title={t(isByWeeks(period) ? "collectedEachWeek" : "collectedEachDay", { currency })}>
          <Chart
            currency={currency}
            from={period.from}
            to={period.to}
            days={report.days.filter((day) => day.currency === currency)}
          />
        </Panel>
      )}
      {children}
      {/* Last, because it comes later than the page: nothing below it moves. */}
      <Forecast />
    </div>
  );
}

function LatestPayments({ payments }: { payments: UseQueryResult<RowsOf<PaymentOfLink>> }) {
  const t = useTranslations("overview.latest");
  const captions = useTranslations("payments.list.caption");
  return (
    <Part
      title={t("title")}
      of="payments"
      none={t("empty")}
      loading={t("loading")}
      caption={captions("-created_at")}
      all={{ href: "/payments", label: t("all"), always: true }}
      query={payments}
      columns={paymentColumns}
    />
  );
}
