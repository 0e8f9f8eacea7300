import { useLocale, useTimeZone } from "use-intl";

const formats = new Map<string, Intl.DateTimeFormat>();
const utc = new Map<string, Intl.DateTimeFormat>();

function format(locale: string, zone: string, time: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${time}`;
  const known = formats.get(key);
  if (known) return known;
  const day = { day: "numeric", month: "short", year: "numeric", timeZone: zone } as const;
  const created = new Intl.DateTimeFormat(locale, time ? { ...day, hour: "2-digit", minute: "2-digit" } : day);
  formats.set(key, created);
  return created;
}

function utcWords(at: string, locale: string): string {
  const known = utc.get(locale);
  const format = known ?? new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long", timeZone: "UTC" });
  if (!known) utc.set(locale, format);
  return format.format(new Date(at));
}

/** "28 Feb 2027", or with the time "28 Feb 2027, 00:00" */
export const momentWords = (at: string, zone: string, time = false, locale = "en-GB"): string =>
  format(locale, zone, time).format(new Date(at));

/** In the business's time zone. The tooltip shows UTC. */
export function Moment({ at, time = false }: { at: string; time?: boolean }) {
  const zone = useTimeZone() ?? "UTC";
  const locale = useLocale();
  return (
    <time dateTime={at} title={utcWords(at, locale)} className="whitespace-nowrap tabular-nums">
      {momentWords(at, zone, time, locale)}
    </time>
  );
}
