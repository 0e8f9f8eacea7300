"use client";

import { useTimeZone } from "@/lib/test-clock/queries";

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, time: boolean): Intl.DateTimeFormat {
  const key = `${zone} ${time}`;
  const known = formats.get(key);
  if (known) return known;
  const day = { day: "numeric", month: "short", year: "numeric", timeZone: zone } as const;
  const made = new Intl.DateTimeFormat("en-GB", time ? { ...day, hour: "2-digit", minute: "2-digit" } : day);
  formats.set(key, made);
  return made;
}

const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone: "UTC" });

/** "28 Feb 2027", or with the time "28 Feb 2027, 00:00", as clocks in the zone show it. */
export const momentWords = (at: string, zone: string, time = false): string => format(zone, time).format(new Date(at));

/** An instant of billing in the business's time zone, which is where its days begin; in UTC when one points at it. */
export function Moment({ at, time = false }: { at: string; time?: boolean }) {
  const zone = useTimeZone();
  return (
    <time
      dateTime={at}
      title={utc.format(new Date(at))}
      // Its room is kept until the zone is known, so that no wrong day flashes by.
      className={`whitespace-nowrap tabular-nums ${zone ? "" : "invisible"}`}
    >
      {momentWords(at, zone ?? "UTC", time)}
    </time>
  );
}
