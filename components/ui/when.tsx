const clock = { hour: "2-digit", minute: "2-digit" } as const;
const thisYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", ...clock });
const earlier = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });

/** An instant of the API in the person's own time zone, the year only where it is another. Rendered in the browser alone. */
export function When({ at }: { at: string }) {
  const date = new Date(at);
  const short = date.getFullYear() === new Date().getFullYear() ? thisYear : earlier;
  return (
    <time dateTime={at} title={whole.format(date)} className="whitespace-nowrap tabular-nums">
      {short.format(date)}
    </time>
  );
}
