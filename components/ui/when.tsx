import { useFormatter, useLocale, useTimeZone } from "use-intl";
import { fullMoment } from "./moment";

const clock = { hour: "2-digit", minute: "2-digit" } as const;
const day = { day: "numeric", month: "short" } as const;

/** In the business's time zone, with the year unless it is this year. The tooltip has the full time. */
export function When({ at }: { at: string }) {
  const format = useFormatter();
  const timeZone = useTimeZone();
  const locale = useLocale();
  const date = new Date(at);
  const year = (of: Date): string => format.dateTime(of, { year: "numeric", timeZone });
  return (
    <time dateTime={at} title={fullMoment(at, timeZone ?? "UTC", locale)} className="whitespace-nowrap tabular-nums">
      {format.dateTime(date, { ...day, ...(year(date) === year(new Date()) ? clock : { year: "numeric" }), timeZone })}
    </time>
  );
}
