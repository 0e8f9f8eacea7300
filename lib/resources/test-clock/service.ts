import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { iso } from "@/lib/http/list";
import { countWrites } from "@/lib/http/write-quota";
import { addJob } from "@/lib/outbox/jobs";
import { columnsOf, instant } from "@/lib/resources/define";
import type { AdvanceInput, TestClock } from "./contract";

/** Two years: a worker needs about a minute for their daily charges. */
const maxAdvanceMs = 2 * 366 * 86_400_000;

/** Periods that one advance may open: links, mails and events of each are kept. */
const maxPeriods = 10_000;

const columns = columnsOf<TestClock>({
  _id: Prisma.sql`'test_clock'`,
  now: (now) => Prisma.sql`${isoMicros(now)}::text`,
  status: Prisma.sql`CASE WHEN test_clock_target IS NULL THEN 'ready' ELSE 'advancing' END`,
  advancing_to: iso("test_clock_target"),
  livemode: Prisma.sql`false`,
  created_at: instant,
  updated_at: instant,
});

/** @throws ApiError forbidden in live mode */
function testBusiness(actor: Actor): number {
  const { business_id, livemode } = tenantOf(actor);
  if (livemode) throw new ApiError("forbidden", "Only test mode has a clock of its own.");
  return business_id;
}

export async function getTestClock(tx: Db, actor: Actor): Promise<TestClock> {
  const id = testBusiness(actor);
  const [row] = await queryRows<TestClock>(
    tx,
    Prisma.sql`SELECT ${columns(clock.now())} FROM business WHERE id = ${id}`,
  );
  if (!row) throw new Error("A business without a row.");
  return row;
}

/** About how many periods fall due until then. */
async function countPeriods(tx: Db, actor: Actor, to: Date): Promise<number> {
  const [row] = await queryRows<{ periods: number }>(
    tx,
    Prisma.sql`
    SELECT coalesce(sum(1 + floor(extract(epoch FROM ${to}::timestamptz - s.next_charge_at) / (86400 *
             CASE p.frequency WHEN 'daily' THEN 1 WHEN 'weekly' THEN 7 WHEN 'monthly' THEN 30.4 WHEN 'quarterly' THEN 91.3
                              WHEN 'semiannual' THEN 182.6 ELSE 365.2 END))), 0)::float8 AS periods
      FROM subscription s JOIN package p ON p.id = s.package_id
     WHERE s.business_id = ${testBusiness(actor)} AND NOT s.livemode AND s.next_charge_at <= ${to}`,
  );
  return row?.periods ?? 0;
}

/**
 * Starts to advance the clock. A worker runs everything that falls due on the way (lib/billing/test-clock.ts).
 * @throws ApiError forbidden, conflict while it is being advanced; ValidationError for a time that is not ahead
 */
export async function advanceTestClock(tx: Db, actor: Actor, { to }: AdvanceInput): Promise<TestClock> {
  const id = testBusiness(actor);
  const now = clock.now();
  if (to <= now) throw new ValidationError({ to: ["The to must be later than what the clock shows."] });
  if (to.getTime() - now.getTime() > maxAdvanceMs)
    throw new ValidationError({ to: ["The to must be at most two years after what the clock shows."] });
  const periods = await countPeriods(tx, actor, to);
  if (periods > maxPeriods)
    throw new ValidationError({
      to: [
        `The to would open about ${periods.toLocaleString("en")} periods of subscriptions. ` +
          `At most ${maxPeriods.toLocaleString("en")} are possible at once: choose an earlier to, or cancel subscriptions.`,
      ],
    });
  const [row] = await queryRows<TestClock>(
    tx,
    Prisma.sql`
    UPDATE business SET test_clock_target = ${to} WHERE id = ${id} AND test_clock_target IS NULL RETURNING ${columns(now)}`,
  );
  if (!row) throw new ApiError("conflict", "The clock is being advanced already.");
  countWrites(actor, periods);
  await addJob(tx, "advance_clock", { business: id }, `clock:${id}`);
  return row;
}
