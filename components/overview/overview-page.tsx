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
import type { Rows as RowsOf } from "@/lib/client/result";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import type { Overview } from "@/lib/resources/reports/contract";
import { overviewQueryOptions } from "@/lib/resources/reports/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { Attention } from "./attention";
import { Checklist } from "./checklist";
import { Figures } from "./figures";
import { Forecast } from "./forecast";
import { PeriodField } from "./period-field";
import { Rates } from "./rates";
import { latestPayments, periodOf, readShown, type Shown } from "./shown";
import { isByWeeks } from "./weeks";

const Chart = onDemand(() => import("./chart").then(({ Chart }) => Chart));
const UnknownCharges = onDemand(() => import("./unknown-charges").then(({ UnknownCharges }) => UnknownCharges));

export function OverviewPage() {
  const titles = useTranslations("titles");
  const { filter, show } = useAddress(readShown);
  const zone = useTimeZone() ?? "UTC";
  const now = useNow();
  const period = periodOf(filter, now, zone);
  const report = useQuery(overviewQueryOptions(period));
  const payments = useQuery(paymentsQueryOptions(latestPayments));
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{titles("overview")}</h1>
        <div className="flex flex-wrap justify-end gap-2">
          {report.data && <Currencies report={report.data} filter={filter} show={show} />}
          <PeriodField filter={filter} show={show} period={period} />
        </div>
      </div>
      {report.isPending ? (
        <Skeleton of="single.overview" />
      ) : report.data ? (
        <Loaded report={report.data} filter={filter}>
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

/** The chosen currency, else the business's own, also if nothing was paid in it. */
const shownCurrency = (report: Overview, { currency }: Shown): string => currency ?? report.currency;

interface CurrenciesProps {
  report: Overview;
  filter: Shown;
  show: (filter: Shown, how: "replace") => void;
}

/** One currency at a time: amounts of different currencies are never added. */
function Currencies({ report, filter, show }: CurrenciesProps) {
  const t = useTranslations("overview");
  const chosen = shownCurrency(report, filter);
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
  children: ReactNode;
}

function Loaded({ report, filter, children }: LoadedProps) {
  const t = useTranslations("overview");
  const currency = shownCurrency(report, filter);
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
      <Figures report={report} currency={currency} />
      {/* Empty before the first payment. */}
      {first.payment && (
        <Panel title={t(isByWeeks(period) ? "collectedEachWeek" : "collectedEachDay", { currency })}>
          <LoadBoundary>
            <Suspense fallback={<div className="h-100" />}>
              <Chart key={`${period.from} ${period.to}`} report={report} currency={currency} />
            </Suspense>
          </LoadBoundary>
        </Panel>
      )}
      {children}
      {/* Empty before the first link. */}
      {first.payment_link && <Rates currency={currency} days={{ from: period.from, to: period.to }} />}
      {/* Last, because it comes later than the page: nothing below it moves. */}
      <Forecast currency={currency} />
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
