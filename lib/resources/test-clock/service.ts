import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { iso } from "@/lib/http/list";
import { addJob } from "@/lib/outbox/jobs";
import { columnsOf, instant } from "@/lib/resources/define";
import type { AdvanceInput, TestClock } from "./contract";

/** Two years: a worker needs about a minute for their daily charges. */
const maxAdvanceMs = 2 * 366 * 86_400_000;

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
  const [row] = await queryRows<TestClock>(
    tx,
    Prisma.sql`
    UPDATE business SET test_clock_target = ${to} WHERE id = ${id} AND test_clock_target IS NULL RETURNING ${columns(now)}`,
  );
  if (!row) throw new ApiError("conflict", "The clock is being advanced already.");
  await addJob(tx, "advance_clock", { business: id }, `clock:${id}`);
  return row;
}
