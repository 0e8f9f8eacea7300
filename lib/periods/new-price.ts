import { clock } from "@/lib/core/clock";
import { Prisma } from "@/lib/core/db";
import { type Frequency, periodFrom, periodStart } from "./calendar";

/** Never less, also where renewal notices are off or shorter. */
const minNoticeDays = 3;

/** @param business alias of a row of `business` */
export const noticeDays = (business: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(${business}.renewal_notice_days, ${minNoticeDays}::int)`;

/** Whether a subscription that has not ended gets a new price: not if it is about to end, or has that price already. */
export const getsPrice = (cents: number): Prisma.Sql =>
  Prisma.sql`NOT cancel_at_period_end AND coalesce(next_amount_cents, amount_cents) <> ${cents}::int`;

export interface Billed {
  anchor: string;
  timezone: string;
  next_period: number;
}

/** The start of a subscription's first period that begins after the notice, if the notice is sent now. */
export function priceFrom({ next_period, ...rest }: Billed, frequency: Frequency, days: number): Date {
  const schedule = { ...rest, frequency };
  return periodStart(schedule, periodFrom(schedule, new Date(clock.now().getTime() + days * 86_400_000), next_period));
}
