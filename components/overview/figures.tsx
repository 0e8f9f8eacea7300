import Link from "next/link";
import type { ReactNode } from "react";
import { linkLook } from "@/components/shell/detail";
import { formatMoney } from "@/lib/money";
import type { Overview, Period } from "@/lib/reports/contract";

const some = (count: number, one: string): string => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;

const nothing = { amount: 0, amount_cents: 0, count: 0 };

function sums({ currencies }: Period, currency: string) {
  const found = currencies.find((each) => each.currency === currency);
  return found ?? { collected: nothing, refunded: nothing, failed: nothing };
}

/** "+12 %", or in words where there is nothing to compare with. */
function change(now: number, before: number): string {
  if (before === 0) return now === 0 ? "as before" : "nothing before";
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return "as before";
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent).toLocaleString("en")} %`;
}

/** The period's figures in one currency, each against the period before. */
export function Figures({ report, currency, days }: { report: Overview; currency: string; days: number }) {
  const now = sums(report.period, currency);
  const before = sums(report.previous, currency);
  const open = report.open.find((each) => each.currency === currency) ?? nothing;
  const recurring = report.recurring.find((each) => each.currency === currency);
  const fee = report.period.fees.find((each) => each.currency === currency);
  const money = (cents: number) => formatMoney(cents, currency);
  const against = (key: "collected" | "refunded" | "failed"): ReactNode => (
    <>
      {change(now[key].amount_cents, before[key].amount_cents)}
      <span className="block">
        {money(before[key].amount_cents)} the {days} days before
      </span>
    </>
  );
  return (
    <dl className="grid grid-cols-1 gap-px overflow-hidden rounded-xl bg-kumo-hairline ring ring-kumo-line min-[26rem]:grid-cols-2 lg:grid-cols-5">
      <Figure
        term="Collected"
        value={money(now.collected.amount_cents)}
        count={`${some(now.collected.count, "payment")}${fee ? `, ${money(fee.amount_cents)} fees` : ""}`}
      >
        {against("collected")}
      </Figure>
      <Figure
        term="Open"
        value={money(open.amount_cents)}
        count={
          <Link href={`/payment-links?status=Active&currency=${currency}`} className={linkLook}>
            {some(open.count, "payment link")}
          </Link>
        }
      >
        As of now
      </Figure>
      <Figure
        term="Failed"
        value={money(now.failed.amount_cents)}
        count={
          <Link href={`/payments?status=failed&currency=${currency}`} className={linkLook}>
            {some(now.failed.count, "attempt")}
          </Link>
        }
      >
        {against("failed")}
      </Figure>
      <Figure term="Refunded" value={money(now.refunded.amount_cents)} count={some(now.refunded.count, "refund")}>
        {against("refunded")}
      </Figure>
      <Figure
        term="Recurring, a month"
        value={money(recurring?.amount_cents ?? 0)}
        count={
          <Link href="/subscriptions?status=active" className={linkLook}>
            {some(recurring?.subscriptions ?? 0, "subscription")}
          </Link>
        }
      >
        As of now
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
