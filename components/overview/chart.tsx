import { useFormatter, useTranslations } from "use-intl";
import { formatMoney } from "@/lib/core/money";
import type { Overview } from "@/lib/resources/reports/contract";
import { FigureTable } from "./figure-table";
import { isByWeeks } from "./weeks";

interface ChartProps {
  currency: string;
  from: string;
  to: string;
  days: Overview["days"];
}

interface Bar {
  /** Different days in a bar for a week. */
  from: string;
  to: string;
  collected: number;
  refunded: number;
}

const width = 900;
const height = 220;

function useDayWords({ from, to }: Pick<ChartProps, "from" | "to">) {
  const format = useFormatter();
  const year = from.slice(0, 4) === to.slice(0, 4) ? undefined : "numeric";
  const words = (day: string): string =>
    format.dateTime(new Date(day), { day: "numeric", month: "short", year, timeZone: "UTC" });
  const label = ({ from, to }: Bar): string => (from === to ? words(from) : `${words(from)} – ${words(to)}`);
  return { words, label };
}

/** A bar for each day, also without payments; in long periods for each week. The last bar is a whole week. */
function barsOf({ from, to, days }: ChartProps): Bar[] {
  const known = new Map(days.map((day) => [day.date, day]));
  const all: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    all.push(new Date(at).toISOString().slice(0, 10));
  const size = isByWeeks({ from, to }) ? 7 : 1;
  const bars: Bar[] = [];
  for (let end = all.length % size || size; end <= all.length; end += size) {
    const group = all.slice(Math.max(end - size, 0), end);
    const sum = (key: "collected_cents" | "refunded_cents") =>
      group.reduce((total, day) => total + (known.get(day)?.[key] ?? 0), 0);
    bars.push({
      from: group[0] ?? from,
      to: group.at(-1) ?? to,
      collected: sum("collected_cents"),
      refunded: sum("refunded_cents"),
    });
  }
  return bars;
}

function roundUp(cents: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(cents, 100)));
  return [1, 2, 5, 10].map((factor) => factor * ten).find((value) => value >= cents) ?? cents;
}

export function Chart(props: ChartProps) {
  const t = useTranslations("overview.chart");
  const { words, label } = useDayWords(props);
  const { currency } = props;
  const bars = barsOf(props);
  const money = (cents: number) => formatMoney(cents, currency);
  const top = roundUp(Math.max(...bars.map(({ collected }) => collected)));
  // The sum is negative if banks returned more than was refunded. Then there is no bar.
  const bottom = Math.max(0, ...bars.map(({ refunded }) => refunded));
  const scale = height / (top + bottom);
  const line = top * scale;
  const step = width / bars.length;
  const total = bars.reduce((sum, { collected }) => sum + collected, 0);
  const best = bars.reduce((most, bar) => (bar.collected > most.collected ? bar : most), bars[0] as Bar);
  const summary =
    total === 0
      ? t("summaryEmpty")
      : t("summary", { total: money(total), count: bars.length, most: money(best.collected), day: label(best) });
  const wordsOf = (bar: Bar) => ({ day: label(bar), collected: money(bar.collected) });
  return (
    <div className="px-4 py-4">
      <div className="flex items-end justify-between text-xs text-kumo-subtle tabular-nums" aria-hidden>
        <span>{money(top)}</span>
      </div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
        className="mt-1 h-52 w-full border-t border-dashed border-kumo-hairline"
      >
        {bars.map((bar, i) => (
          <g key={bar.from}>
            <title>
              {bar.refunded > 0
                ? t("barRefunded", { ...wordsOf(bar), refunded: money(bar.refunded) })
                : t("bar", wordsOf(bar))}
            </title>
            {/* The hover area has the chart's full height. */}
            <rect x={i * step} y={0} width={step} height={height} fill="transparent" />
            <rect
              x={i * step + step * 0.12}
              y={line - Math.max(bar.collected, 0) * scale}
              width={step * 0.76}
              height={Math.max(bar.collected, 0) * scale}
              fill="var(--ink-brand)"
            />
            <rect
              x={i * step + step * 0.12}
              y={line}
              width={step * 0.76}
              height={Math.max(bar.refunded, 0) * scale}
              fill="var(--ink-warning)"
            />
          </g>
        ))}
        <line x1={0} x2={width} y1={line} y2={line} stroke="var(--color-kumo-line)" vectorEffect="non-scaling-stroke" />
      </svg>
      <div className="mt-1 flex justify-between text-xs text-kumo-subtle" aria-hidden>
        <span>{words(props.from)}</span>
        <span>{words(props.to)}</span>
      </div>
      <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-kumo-subtle">
        <Key color="bg-(--ink-brand)">{t("collected")}</Key>
        <Key color="bg-(--ink-warning)">{t("refunded")}</Key>
      </p>
      <details className="mt-3">
        <summary className="w-fit rounded text-sm text-kumo-subtle underline decoration-kumo-line underline-offset-4">
          {t("showTable")}
        </summary>
        <div className="mt-2">
          <FigureTable
            caption={t("caption")}
            columns={[t("when"), t("collected"), t("refunded")]}
            rows={bars
              .filter(({ collected, refunded }) => collected !== 0 || refunded !== 0)
              .map((bar) => ({ key: bar.from, cells: [label(bar), money(bar.collected), money(bar.refunded)] }))}
          />
        </div>
      </details>
    </div>
  );
}

function Key({ color, children }: { color: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={`size-2.5 rounded-sm ${color}`} aria-hidden />
      {children}
    </span>
  );
}
