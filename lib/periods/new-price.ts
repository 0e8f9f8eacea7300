import { clock } from "@/lib/core/clock";
import { Prisma } from "@/lib/core/db";
import { priceAt } from "@/lib/resources/subscriptions/resource";

const self = Prisma.sql`subscription`;
const priceNow = (now: Date) => priceAt(self, Prisma.sql`${now}::timestamptz`);

/** The price that the customer was told last. */
const lastTold = (now: Date) =>
  Prisma.sql`(CASE WHEN next_amount_from > ${now}::timestamptz THEN next_amount_cents ELSE ${priceNow(now)} END)`;

/**
 * SQL: whether the customer pays this price now and was told of a higher one that has not begun. That one is withdrawn without a
 * mail. If they were told of a lower one, a mail says that it does not come.
 */
export const withdrawsNext = (cents: number, now: Date): Prisma.Sql =>
  Prisma.sql`(${priceNow(now)} = ${cents}::int AND ${lastTold(now)} > ${cents}::int)`;

/** SQL: whether a new price is announced to a subscription that has not ended: not if it is about to end, or the price is known. */
export const getsPrice = (cents: number, now = clock.now()): Prisma.Sql =>
  Prisma.sql`(
    NOT cancel_at_period_end AND ${lastTold(now)} <> ${cents}::int AND NOT ${withdrawsNext(cents, now)}
    AND NOT (announced_amount_from IS NOT NULL AND announced_amount_cents = ${cents}::int))`;

/** SQL: whether a price whose mail was not sent is forgotten, unless it is announced again: it is another one, or no longer needed. */
export const forgetsAnnounced = (cents: number, now: Date): Prisma.Sql =>
  Prisma.sql`(
    announced_amount_cents IS NOT NULL
    AND (announced_amount_cents <> ${cents}::int OR ${lastTold(now)} = ${cents}::int OR ${withdrawsNext(cents, now)}))`;
