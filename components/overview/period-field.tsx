import { useState } from "react";
import { useTranslations } from "use-intl";
import { NativeSelect, TextInput } from "@/components/ui/field";
import { maxDays } from "@/lib/resources/reports/contract";
import { lengths, months, rangeProblem, type Shown, singleDays } from "./shown";

interface PeriodFieldProps {
  filter: Shown;
  show: (filter: Shown, how: "replace") => void;
  /** The days that are shown. */
  period: { from: string; to: string };
}

/** A day, the last days, a month, or a range of days. */
export function PeriodField({ filter, show, period }: PeriodFieldProps) {
  const t = useTranslations("overview");
  const ranges = useTranslations("shell.list.ranges");
  const custom = !!filter.from;
  const rest = { ...(filter.currency && { currency: filter.currency }) };
  return (
    <>
      <NativeSelect
        aria-label={t("period")}
        value={custom ? "custom" : (filter.days ?? "30")}
        onChange={({ target: { value } }) =>
          show(value === "custom" ? { ...rest, ...period } : { ...rest, days: value }, "replace")
        }
      >
        {singleDays.map((day) => (
          <option key={day} value={day}>
            {ranges(day)}
          </option>
        ))}
        {lengths.map((length) => (
          <option key={length} value={length}>
            {t("lastDays", { days: length })}
          </option>
        ))}
        {months.map((month) => (
          <option key={month} value={month}>
            {ranges(month)}
          </option>
        ))}
        <option value="custom">{t("customRange")}</option>
      </NativeSelect>
      {custom && <Range period={period} onChange={(range) => show({ ...rest, ...range }, "replace")} />}
    </>
  );
}

interface RangeProps {
  period: { from: string; to: string };
  onChange: (range: { from: string; to: string }) => void;
}

/** Two days, both included. Applies a change as soon as the range can be shown. */
function Range({ period, onChange }: RangeProps) {
  const t = useTranslations("overview.range");
  const [range, setRange] = useState(period);
  const problem = rangeProblem(range.from, range.to);
  const change = (changed: Partial<typeof range>) => {
    const next = { ...range, ...changed };
    setRange(next);
    if (rangeProblem(next.from, next.to) === null) onChange(next);
  };
  return (
    <>
      <div className="flex gap-2 max-sm:w-full">
        {(["from", "to"] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            aria-label={t(end)}
            aria-invalid={problem !== null}
            aria-describedby={problem ? "range-problem" : undefined}
            value={range[end]}
            onChange={({ target }) => change({ [end]: target.value })}
            className="max-w-40 max-sm:max-w-none"
          />
        ))}
      </div>
      {problem && (
        <p id="range-problem" role="alert" className="basis-full text-right text-sm text-kumo-danger">
          {t(problem, { days: String(maxDays) })}
        </p>
      )}
    </>
  );
}
