import { useLocale, useTimeZone } from "use-intl";

const formats = new Map<string, Intl.DateTimeFormat>();
const full = new Map<string, Intl.DateTimeFormat>();

/** Whether the time of day is shown, and whether with seconds. */
type Time = boolean | "seconds";

function format(locale: string, zone: string, time: Time): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${time}`;
  const known = formats.get(key);
  if (known) return known;
  const day = { day: "numeric", month: "short", year: "numeric", timeZone: zone } as const;
  const clock = { hour: "2-digit", minute: "2-digit", second: time === "seconds" ? "2-digit" : undefined } as const;
  const created = new Intl.DateTimeFormat(locale, time ? { ...day, ...clock } : day);
  formats.set(key, created);
  return created;
}

/** "Sunday 28 February 2027 at 01:00:00 (2027-02-28 00:00:00 UTC)": by the clock that the page shows, and for logs. */
export function fullMoment(at: string, zone: string, locale: string): string {
  const key = `${locale} ${zone}`;
  const known = full.get(key);
  const format = known ?? new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium", timeZone: zone });
  if (!known) full.set(key, format);
  const date = new Date(at);
  return `${format.format(date)} (${date.toISOString().slice(0, 19).replace("T", " ")} UTC)`;
}

/** Whether a text is a day of the calendar, such as 2027-02-28. */
export const isDay = (value: string | null | undefined): value is string =>
  !!value && /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(value).getUTCDate() === Number(value.slice(8));

/** "28 Feb 2027", or with the time "28 Feb 2027, 00:00" */
export const momentWords = (at: string, zone: string, time: Time = false, locale = "en-GB"): string =>
  format(locale, zone, time).format(new Date(at));

/** In the business's time zone. The tooltip has the full time. */
export function Moment({ at, time = false }: { at: string; time?: Time }) {
  const zone = useTimeZone() ?? "UTC";
  const locale = useLocale();
  return (
    <time dateTime={at} title={fullMoment(at, zone, locale)} className="whitespace-nowrap tabular-nums">
      {momentWords(at, zone, time, locale)}
    </time>
  );
}
