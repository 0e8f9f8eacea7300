/**
 * When a rate limit ends: the time of day, and the minutes until then, both rounded up.
 * @param timeZone the browser's unless given
 */
export function waitUntil(at: Date, now: Date, timeZone?: string): { time: string; minutes: number } {
  const shown = new Date(Math.ceil(at.getTime() / 60_000) * 60_000);
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(shown);
  return { time, minutes: Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 60_000)) };
}
