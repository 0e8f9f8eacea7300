import type { Letterhead } from "@/lib/outbox/mail/send";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";

export const titleIn = (title: string): string => untrusted(title, 60);

/** "November 21, 2026 at 2:05 PM (Europe/Berlin)" */
export function moment(at: string, { timezone }: Letterhead): string {
  const format = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone: timezone });
  // Some Node.js versions use narrow spaces, which some mail programs cannot show.
  return `${format.format(new Date(at)).replace(/\s/gu, " ")} (${timezone})`;
}
