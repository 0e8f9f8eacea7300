import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { iso } from "@/lib/http/list";
import { addJob } from "@/lib/outbox/jobs";
import type { AdvanceInput, TestClock } from "./contract";

/** How far one request may advance, in milliseconds: two years of daily charges are a minute's work. */
const furthest = 2 * 366 * 86_400_000;

const columns = Prisma.sql`
  'test_clock' AS _id, CASE WHEN test_clock_target IS NULL THEN 'ready' ELSE 'advancing' END AS status,
  ${iso("test_clock_target")} AS advancing_to, false AS livemode, ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at`;

function present(row: Omit<TestClock, "now"> | undefined): TestClock {
  if (!row) throw new Error("A business without a row.");
  return { ...row, now: clock.now().toISOString().replace("Z", "000Z") };
}

/** @throws ApiError forbidden in live mode, where time is everybody's */
function testBusiness(actor: Actor): number {
  const { business_id, livemode } = tenantOf(actor);
  if (livemode) throw new ApiError("forbidden", "Only test mode has a clock of its own.");
  return business_id;
}

/** What the clock of the caller's test mode shows. */
export async function getTestClock(tx: Db, actor: Actor): Promise<TestClock> {
  const id = testBusiness(actor);
  const [row] = await queryRows<Omit<TestClock, "now">>(
    tx,
    Prisma.sql`SELECT ${columns} FROM business WHERE id = ${id}`,
  );
  return present(row);
}

/**
 * Begins to advance the clock; a worker does what falls due on the way (lib/billing/test-clock.ts).
 * @throws ApiError forbidden, conflict while it is being advanced; ValidationError for a time that is not ahead
 */
export async function advanceTestClock(tx: Db, actor: Actor, { to }: AdvanceInput): Promise<TestClock> {
  const id = testBusiness(actor);
  const now = clock.now();
  if (to <= now) throw new ValidationError({ to: ["The to must be later than what the clock shows."] });
  if (to.getTime() - now.getTime() > furthest)
    throw new ValidationError({ to: ["The to must be at most two years after what the clock shows."] });
  const [row] = await queryRows<Omit<TestClock, "now">>(
    tx,
    Prisma.sql`
    UPDATE business SET test_clock_target = ${to} WHERE id = ${id} AND test_clock_target IS NULL RETURNING ${columns}`,
  );
  if (!row) throw new ApiError("conflict", "The clock is being advanced already.");
  await addJob(tx, "advance_clock", { business: id }, `clock:${id}`);
  return present(row);
}
