import { clock } from "@/lib/core/clock";
import { db, execute, Prisma } from "@/lib/core/db";
import { log } from "@/lib/core/log";

/** Visits of a link within this time count as one. */
const mergeMs = 60_000;
const maxRemembered = 10_000;
const lastRecorded = new Map<string, number>();

function isNew(linkId: string): boolean {
  const now = Date.now();
  if (now - (lastRecorded.get(linkId) ?? 0) < mergeMs) return false;
  if (lastRecorded.size >= maxRemembered) lastRecorded.clear();
  lastRecorded.set(linkId, now);
  return true;
}

/** Records a payer's visit to a link's page: one row per hour with a counter. Never throws. */
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
    log.warn({ err, link: linkId }, "could not record a visit");
  }
}
