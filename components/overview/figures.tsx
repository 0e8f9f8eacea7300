import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/core/money";
import type { Overview, Period } from "@/lib/resources/reports/contract";
import { daysIn, exportsOf, settledPayments, settledRefunds } from "./shown";

const nothing = { amount: 0, amount_cents: 0, count: 0 };
const none = {
  ...{ collected: nothing, refunded: nothing, failed: nothing, disputed: nothing, net: nothing },
  success_rate: null,
};

const sums = ({ currencies }: Period, currency: string) =>
  currencies.find((each) => each.currency === currency) ?? none;

/** Text for how a figure differs from the one of the period before. */
function useComparison(period: Period) {
  const t = useTranslations("overview.figures");
  const days = daysIn(period);
  return (now: number, before: number, amount: string): ReactNode => {
    const percent = Math.round(((now - before) / Math.abs(before)) * 100);
    const change =
      before !== 0 &&
      (percent === 0 ? t("asBefore") : t(percent > 0 ? "more" : "less", { percent: Math.abs(percent) }));
    return (
      <>
        {change}
        <span className="block">{t("before", { amount, days })}</span>
      </>
    );
  };
}

/** The figures of one currency. Each links to the list of what it counts, or to the exports whose rows add up to it. */
export function Figures({ report, currency }: { report: Overview; currency: string }) {
  const t = useTranslations("overview.figures");
  const format = useFormatter();
  const { period, previous } = report;
  const compare = useComparison(period);
  const now = sums(period, currency);
  const before = sums(previous, currency);
  const open = report.open?.find((each) => each.currency === currency) ?? nothing;
  const recurring = report.recurring?.find((each) => each.currency === currency);
  const fee = period.fees.find((each) => each.currency === currency);
  const churn = period.churn.find((each) => each.currency === currency);
  const churnBefore = previous.churn.find((each) => each.currency === currency);
  const money = (cents: number) => formatMoney(cents, currency);
  /** From the counts: the report's rate is rounded already. */
  const succeeded = ({ collected, failed }: typeof now) =>
    collected.count + failed.count > 0 ? collected.count / (collected.count + failed.count) : null;
  const share = (rate: number | null | undefined) =>
    typeof rate === "number" ? format.number(rate, { style: "percent", maximumFractionDigits: 1 }) : "–";
  const rateBefore = (rate: number | null | undefined): ReactNode =>
    typeof rate === "number"
      ? t("rateBefore", { rate: share(rate), days: daysIn(period) })
      : t("nothingBefore", { days: daysIn(period) });
  const asOf = (at: string | null): ReactNode =>
    at === null ? t("now") : t.rich("asOf", { time: () => <When at={at} /> });
  const against = (key: "collected" | "refunded" | "disputed" | "net"): ReactNode =>
    compare(now[key].amount_cents, before[key].amount_cents, money(before[key].amount_cents));
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl bg-kumo-hairline ring ring-kumo-line lg:grid-cols-4">
      <Figure
        term={t("collected")}
        value={money(now.collected.amount_cents)}
        count={t("payments", { count: now.collected.count })}
        href={settledPayments("succeeded", currency, period)}
      >
        {against("collected")}
      </Figure>
      <Figure
        term={t("net")}
        value={money(now.net.amount_cents)}
        count={t("exported", { what: fee ? t("fees", { fees: money(fee.amount_cents) }) : t("noFees") })}
        href={exportsOf(period)}
      >
        {against("net")}
      </Figure>
      <Figure
        term={t("refunded")}
        value={money(now.refunded.amount_cents)}
        count={t("refunds", { count: now.refunded.count })}
        href={settledRefunds(currency, period)}
      >
        {against("refunded")}
      </Figure>
      <Figure
        term={t("disputed")}
        value={money(now.disputed.amount_cents)}
        count={t("exported", { what: t("disputes", { count: now.disputed.count }) })}
        href={exportsOf(period)}
      >
        {against("disputed")}
      </Figure>
      <Figure
        term={t("successRate")}
        value={share(succeeded(now))}
        count={t("attempts", { count: now.failed.count })}
        href={settledPayments("failed", currency, period)}
      >
        {rateBefore(succeeded(before))}
      </Figure>
      <Figure
        term={t("open")}
        value={report.open ? money(open.amount_cents) : t("counting")}
        count={report.open ? t("paymentLinks", { count: open.count }) : t("activePaymentLinks")}
        href={`/payment-links?status=Active&periods=shown&currency=${currency}`}
      >
        {report.open && asOf(report.open_as_of)}
      </Figure>
      <Figure
        term={t("recurring")}
        value={report.recurring ? money(recurring?.amount_cents ?? 0) : t("calculating")}
        count={
          report.recurring ? t("subscriptions", { count: recurring?.subscriptions ?? 0 }) : t("activeSubscriptions")
        }
        href={`/subscriptions?recurring=true&currency=${currency}`}
      >
        {report.recurring && asOf(report.recurring_as_of)}
      </Figure>
      <Figure
        term={t("churn")}
        value={share(churn?.rate)}
        count={t("ended", { ended: churn?.ended ?? 0, started: churn?.started ?? 0 })}
        href={`/subscriptions?churned=true&currency=${currency}&ended_from=${period.from}&ended_to=${period.to}`}
      >
        {rateBefore(churnBefore?.rate)}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  term: string;
  value: string;
  count: string;
  /** The list of what the figure counts, or the exports that add up to it. */
  href: string;
  children: ReactNode;
}

function Figure({ term, value, count, href, children }: FigureProps) {
  return (
    <div className="relative min-w-0 bg-kumo-base px-3 py-3 hover:bg-kumo-tint has-focus-visible:bg-kumo-tint sm:px-4 sm:py-4">
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-1 text-xl font-semibold tracking-tight text-kumo-strong tabular-nums wrap-anywhere">{value}</dd>
      <dd className="mt-0.5 text-sm text-kumo-default tabular-nums">
        {/* The whole tile is the link. */}
        <Link
          href={href}
          className="underline decoration-kumo-line underline-offset-4 after:absolute after:inset-0 hover:decoration-current"
        >
          {count}
        </Link>
      </dd>
      <dd className="mt-2 text-sm text-pretty text-kumo-subtle tabular-nums">{children}</dd>
    </div>
  );
}
