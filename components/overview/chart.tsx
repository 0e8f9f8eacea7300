import { useRouter } from "next/navigation";
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { linkClass } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { formatMoney } from "@/lib/core/money";
import type { Overview } from "@/lib/resources/reports/contract";
import { type Bar, barsOf, roundUp } from "./bars";
import { FigureTable } from "./figure-table";
import { settledPayments } from "./shown";

const width = 900;
const height = 220;
/** Keeps the bars of a day or two from filling the chart. */
const maxBarWidth = 120;

function useDayWords({ from, to }: { from: string; to: string }) {
  const format = useFormatter();
  const year = from.slice(0, 4) === to.slice(0, 4) ? undefined : "numeric";
  const words = (day: string): string =>
    format.dateTime(new Date(day), { day: "numeric", month: "short", year, timeZone: "UTC" });
  const label = ({ from, to }: Pick<Bar, "from" | "to">): string =>
    from === to ? words(from) : `${words(from)} – ${words(to)}`;
  return { words, label };
}

/** What was collected and refunded each day or week, beside the period before. Each bar leads to its payments. */
export function Chart({ report, currency }: { report: Overview; currency: string }) {
  const t = useTranslations("overview.chart");
  const { period, previous } = report;
  const { words, label } = useDayWords({ from: previous.from, to: period.to });
  const ofCurrency = (days: Overview["days"]) => days.filter((day) => day.currency === currency);
  const bars = barsOf({ ...period, days: ofCurrency(report.days) });
  const earlier = barsOf({ ...previous, days: ofCurrency(report.previous_days) });
  const money = (cents: number) => formatMoney(cents, currency);
  const total = bars.reduce((sum, { collected }) => sum + collected, 0);
  const best = bars.reduce((most, bar) => (bar.collected > most.collected ? bar : most), bars[0] as Bar);
  const summary =
    total === 0
      ? t("summaryEmpty")
      : t("summary", { total: money(total), count: bars.length, most: money(best.collected), day: label(best) });
  const wordsOf = (bar: Bar, index: number): string => {
    const values = { day: label(bar), collected: money(bar.collected), count: bar.count };
    const before = earlier[index];
    return [
      bar.refunded > 0 ? t("barRefunded", { ...values, refunded: money(bar.refunded) }) : t("bar", values),
      ...(before ? [t("barBefore", { collected: money(before.collected), day: label(before) })] : []),
    ].join(" ");
  };
  return (
    <div className="px-4 py-4">
      <Bars bars={bars} earlier={earlier} summary={summary} wordsOf={wordsOf} money={money} currency={currency} />
      <div className="mt-1 flex justify-between text-xs text-kumo-subtle" aria-hidden>
        <span className="only:mx-auto">{words(period.from)}</span>
        {period.from !== period.to && <span>{words(period.to)}</span>}
      </div>
      <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-kumo-subtle">
        <Key mark="size-2.5 rounded-sm bg-(--ink-brand)">{t("collected")}</Key>
        <Key mark="size-2.5 rounded-sm bg-(--ink-warning)">{t("refunded")}</Key>
        <Key mark="h-0.5 w-3.5 bg-kumo-contrast">{t("collectedBefore")}</Key>
      </p>
      <details className="mt-3">
        <summary className="w-fit rounded text-sm text-kumo-subtle pointer-coarse:py-3 underline decoration-kumo-line underline-offset-4">
          {t("showTable")}
        </summary>
        <div className="mt-2">
          <FigureTable
            caption={t("caption")}
            columns={[t("when"), t("collected"), t("refunded"), t("previous")]}
            rows={bars
              .map((bar, index) => ({ bar, before: earlier[index]?.collected ?? 0 }))
              .filter(({ bar, before }) => bar.collected !== 0 || bar.refunded !== 0 || before !== 0)
              .map(({ bar, before }) => ({
                key: bar.from,
                cells: [
                  <Link key="day" href={settledPayments("succeeded", currency, bar)} className={linkClass}>
                    {label(bar)}
                  </Link>,
                  money(bar.collected),
                  money(bar.refunded),
                  money(before),
                ],
              }))}
          />
        </div>
      </details>
    </div>
  );
}

interface BarsProps {
  bars: Bar[];
  earlier: Bar[];
  summary: string;
  wordsOf: (bar: Bar, index: number) => string;
  money: (cents: number) => string;
  currency: string;
}

/** A slider over the bars: the pointer or the arrow keys show a bar's values, a click or Enter opens its payments. */
function Bars({ bars, earlier, summary, wordsOf, money, currency }: BarsProps) {
  const t = useTranslations("overview.chart");
  const router = useRouter();
  const last = bars.length - 1;
  const [shown, setShown] = useState<number | null>(null);
  const [at, setAt] = useState(last);
  /** Whether the first touch of a bar only shows it. The next one opens it. */
  const showsOnly = useRef(false);
  const bar = shown === null ? undefined : bars[shown];
  const hint = (
    <>
      <span className="pointer-coarse:hidden">{t("hint")}</span>
      <span className="hidden pointer-coarse:inline">{t("touchHint")}</span>
    </>
  );

  const show = (index: number) => {
    setAt(index);
    setShown(index);
  };
  const indexAt = ({ clientX, currentTarget }: PointerEvent | MouseEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)));
  };
  const open = (index: number) => {
    const chosen = bars[index];
    if (chosen) router.push(settledPayments("succeeded", currency, chosen));
  };

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Enter") open(at);
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    show(Math.min(last, Math.max(0, to)));
  }

  return (
    <>
      <p className="min-h-10 text-sm text-kumo-default tabular-nums" aria-hidden>
        {bar && shown !== null ? wordsOf(bar, shown) : hint}
      </p>
      <div className="relative mt-1">
        <Drawing bars={bars} earlier={earlier} shown={shown} summary={summary} money={money} />
        <div
          role="slider"
          tabIndex={0}
          aria-label={t("days")}
          aria-valuemin={1}
          aria-valuemax={bars.length}
          aria-valuenow={at + 1}
          aria-valuetext={wordsOf(bars[at] as Bar, at)}
          className="absolute inset-0 cursor-pointer touch-pan-y rounded-sm"
          onKeyDown={onKeyDown}
          onFocus={() => setShown(at)}
          onBlur={() => setShown(null)}
          onPointerDown={(event) => {
            showsOnly.current = event.pointerType === "touch" && indexAt(event) !== shown;
          }}
          onPointerMove={(event) => show(indexAt(event))}
          onPointerLeave={({ pointerType }) => pointerType !== "touch" && setShown(null)}
          onClick={(event) => {
            const index = indexAt(event);
            show(index);
            if (!showsOnly.current) open(index);
          }}
        />
      </div>
    </>
  );
}

interface DrawingProps {
  bars: Bar[];
  earlier: Bar[];
  shown: number | null;
  summary: string;
  money: (cents: number) => string;
}

function Drawing({ bars, earlier, shown, summary, money }: DrawingProps) {
  const top = roundUp(Math.max(...[...bars, ...earlier].map(({ collected }) => collected)));
  // The sum is negative if banks returned more than was refunded. Then there is no bar.
  const bottom = Math.max(0, ...bars.map(({ refunded }) => refunded));
  const scale = height / (top + bottom);
  const line = top * scale;
  const step = width / bars.length;
  const barWidth = Math.min(step * 0.76, maxBarWidth);
  const gap = (step - barWidth) / 2;
  return (
    <>
      <p className="text-xs text-kumo-subtle tabular-nums" aria-hidden>
        {money(top)}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
        className="mt-1 h-52 w-full border-t border-dashed border-kumo-hairline"
      >
        {bars.map((bar, i) => (
          <g key={bar.from}>
            {i === shown && <rect x={i * step} width={step} height={height} fill="var(--color-kumo-tint)" />}
            <rect
              x={i * step + gap}
              y={line - Math.max(bar.collected, 0) * scale}
              width={barWidth}
              height={Math.max(bar.collected, 0) * scale}
              fill="var(--ink-brand)"
            />
            <rect
              x={i * step + gap}
              y={line}
              width={barWidth}
              height={Math.max(bar.refunded, 0) * scale}
              fill="var(--ink-warning)"
            />
            <Before
              bar={earlier[i]}
              middle={(i + 0.5) * step}
              width={barWidth * 1.2}
              y={(cents) => line - cents * scale}
            />
          </g>
        ))}
        <line x1={0} x2={width} y1={line} y2={line} stroke="var(--color-kumo-line)" vectorEffect="non-scaling-stroke" />
      </svg>
    </>
  );
}

interface BeforeProps {
  bar?: Bar;
  middle: number;
  width: number;
  y: (cents: number) => number;
}

/** A line across the bar, at what the same day of the period before collected. */
function Before({ bar, middle, width, y }: BeforeProps) {
  if (!bar || bar.collected <= 0) return null;
  const at = y(bar.collected);
  return (
    <line
      x1={middle - width / 2}
      x2={middle + width / 2}
      y1={at}
      y2={at}
      stroke="var(--color-kumo-contrast)"
      strokeWidth={2}
      vectorEffect="non-scaling-stroke"
    />
  );
}

function Key({ mark, children }: { mark: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={mark} aria-hidden />
      {children}
    </span>
  );
}
