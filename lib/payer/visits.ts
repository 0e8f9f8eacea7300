import { clock } from "@/lib/core/clock";
import { db, execute, Prisma } from "@/lib/core/db";
import { log } from "@/lib/core/log";

/** Looks within a minute count as one; so many links are kept in mind. */
const apart = 60_000;
const most = 10_000;
const lately = new Map<string, number>();

/** Whether this process has not written a look at the link within the last minute. */
function isNew(linkId: string): boolean {
  const now = Date.now();
  if (now - (lately.get(linkId) ?? 0) < apart) return false;
  if (lately.size >= most) lately.clear();
  lately.set(linkId, now);
  return true;
}

/** Remembers that a payer looked at a link's page: once an hour a row, however often it happens. Never throws. */
export async function recordVisit(linkId: string): Promise<void> {
  if (!isNew(linkId)) return;
  const now = clock.now();
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  try {
    await execute(
      db,
      Prisma.sql`
      INSERT INTO link_visit (payment_link_id, subscription_id, hour, last_at)
      VALUES (${linkId}, (SELECT subscription_id FROM payment_link WHERE id = ${linkId}), ${hour}, ${now})
      ON CONFLICT (payment_link_id, hour) DO UPDATE SET visits = link_visit.visits + 1, last_at = excluded.last_at`,
    );
  } catch (err) {
    log.warn({ err, link: linkId }, "could not remember a visit");
  }
}
