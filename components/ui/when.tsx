import { useFormatter } from "use-intl";
import { useTimeZone } from "@/lib/resources/settings/queries";

const clock = { hour: "2-digit", minute: "2-digit" } as const;
const day = { day: "numeric", month: "short" } as const;

/** An instant in few words, in the business's time zone, the year only where it is another; in UTC when one points at it. */
export function When({ at }: { at: string }) {
  const format = useFormatter();
  const zone = useTimeZone();
  const timeZone = zone ?? "UTC";
  const date = new Date(at);
  const year = (of: Date): string => format.dateTime(of, { year: "numeric", timeZone });
  return (
    <time
      dateTime={at}
      title={format.dateTime(date, { dateStyle: "full", timeStyle: "long", timeZone: "UTC" })}
      // Its room is kept until the zone is known, so that no wrong day flashes by.
      className={`whitespace-nowrap tabular-nums ${zone ? "" : "invisible"}`}
    >
      {format.dateTime(date, { ...day, ...(year(date) === year(new Date()) ? clock : { year: "numeric" }), timeZone })}
    </time>
  );
}
