import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { linkClass } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { When } from "@/components/ui/when";
import { formatMoney } from "@/lib/core/money";
import type { Overview, Period } from "@/lib/resources/reports/contract";
import type { TextsOf } from "@/messages/texts-of";

const nothing = { amount: 0, amount_cents: 0, count: 0 };

function sums({ currencies }: Period, currency: string) {
  const found = currencies.find((each) => each.currency === currency);
  return found ?? { collected: nothing, refunded: nothing, failed: nothing };
}

/** "+12 %", or a text if there is nothing to compare with. */
function change(t: TextsOf<"overview.figures">, now: number, before: number): string {
  if (before === 0) return t(now === 0 ? "asBefore" : "nothingBefore");
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return t("asBefore");
  return t(percent > 0 ? "more" : "less", { percent: Math.abs(percent) });
}

export function Figures({ report, currency, days }: { report: Overview; currency: string; days: number }) {
  const t = useTranslations("overview.figures");
  const now = sums(report.period, currency);
  const before = sums(report.previous, currency);
  const open = report.open?.find((each) => each.currency === currency) ?? nothing;
  const recurring = report.recurring?.find((each) => each.currency === currency);
  const fee = report.period.fees.find((each) => each.currency === currency);
  const money = (cents: number) => formatMoney(cents, currency);
  const asOf = (at: string | null): ReactNode =>
    at === null ? t("now") : t.rich("asOf", { time: () => <When at={at} /> });
  const against = (key: "collected" | "refunded" | "failed"): ReactNode => (
    <>
      {change(t, now[key].amount_cents, before[key].amount_cents)}
      <span className="block">{t("before", { amount: money(before[key].amount_cents), days: String(days) })}</span>
    </>
  );
  return (
    <dl className="grid grid-cols-1 gap-px overflow-hidden rounded-xl bg-kumo-hairline ring ring-kumo-line min-[26rem]:grid-cols-2 lg:grid-cols-5">
      <Figure
        term={t("collected")}
        value={money(now.collected.amount_cents)}
        count={
          fee
            ? t("paymentsWithFees", { count: now.collected.count, fees: money(fee.amount_cents) })
            : t("payments", { count: now.collected.count })
        }
      >
        {against("collected")}
      </Figure>
      <Figure
        term={t("open")}
        value={report.open ? money(open.amount_cents) : t("counting")}
        count={
          <Link href={`/payment-links?status=Active&periods=shown&currency=${currency}`} className={linkClass}>
            {report.open ? t("paymentLinks", { count: open.count }) : t("activePaymentLinks")}
          </Link>
        }
      >
        {report.open && asOf(report.open_as_of)}
      </Figure>
      <Figure
        term={t("failed")}
        value={money(now.failed.amount_cents)}
        count={
          <Link href={`/payments?status=failed&currency=${currency}`} className={linkClass}>
            {t("attempts", { count: now.failed.count })}
          </Link>
        }
      >
        {against("failed")}
      </Figure>
      <Figure
        term={t("refunded")}
        value={money(now.refunded.amount_cents)}
        count={t("refunds", { count: now.refunded.count })}
      >
        {against("refunded")}
      </Figure>
      <Figure
        term={t("recurring")}
        value={report.recurring ? money(recurring?.amount_cents ?? 0) : t("calculating")}
        count={
          <Link href="/subscriptions?status=active" className={linkClass}>
            {report.recurring ? t("subscriptions", { count: recurring?.subscriptions ?? 0 }) : t("activeSubscriptions")}
          </Link>
        }
      >
        {report.recurring && asOf(report.recurring_as_of)}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  term: string;
  value: string;
  count: ReactNode;
  children: ReactNode;
}

function Figure({ term, value, count, children }: FigureProps) {
  return (
    <div className="min-w-0 bg-kumo-base px-4 py-4 min-[26rem]:last:odd:col-span-2 lg:last:odd:col-span-1">
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-1 text-xl font-semibold tracking-tight text-kumo-strong tabular-nums wrap-anywhere">{value}</dd>
      <dd className="mt-0.5 text-sm text-kumo-default tabular-nums">{count}</dd>
      <dd className="mt-2 text-sm text-kumo-subtle tabular-nums">{children}</dd>
    </div>
  );
}
