import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { addDays } from "@/lib/core/days";
import type { Db } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import { daySums } from "@/lib/ledger/sums";
import { wallTime } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { attentionAndFirst } from "./attention";
import { maxDays, type Overview, type OverviewQuery } from "./contract";
import { currentFigures } from "./figures";
import { churnOf, daysOf, periodOf } from "./period";

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The requested period and the one before it. @throws ValidationError if it is too long */
export function periods({ from, to }: OverviewQuery, today: string) {
  const last = to ?? (from && from > today ? from : today);
  const first = from ?? addDays(last, -29);
  const days = daysBetween(first, last) + 1;
  if (days > maxDays) throw new ValidationError({ from: [`The period must not be longer than ${maxDays} days.`] });
  return { first, last, earlier: addDays(first, -days) };
}

/**
 * A business's figures: of a period of days in its time zone, of the same number of days before it, and current ones.
 * The cost grows with the days and currencies, not with the payments and links (docs/decisions/0022-sums-of-the-overview.md).
 */
export async function overview(tx: Db, actor: Actor, query: OverviewQuery): Promise<Overview> {
  const { business_id } = tenantOf(actor);
  const now = clock.now();
  const { timezone, currency } = await tx.business.findUniqueOrThrow({
    where: { id: business_id },
    select: { timezone: true, currency: true },
  });
  const today = wallTime(now, timezone).slice(0, 10);
  const { first, last, earlier } = periods(query, today);
  const [days, figures, states] = await Promise.all([
    daySums(tx, ownedBy(actor), { from: earlier, to: addDays(last, 1), timezone }),
    currentFigures(tx, actor, now),
    attentionAndFirst(tx, actor, now),
  ]);
  const current = days.filter(({ date }) => date >= first);
  const before = days.filter(({ date }) => date < first);
  // How many recur now is how many recur at the end of a period that lasts until now.
  const atEnd = last >= today ? figures.recurring : null;
  const churn = churnOf(current, atEnd);
  const atStart = churn.map(({ currency, at_start }) => ({ currency, subscriptions: at_start ?? 0 }));
  const { attention, first: begun } = states;
  return {
    _id: "overview",
    created_at: isoMicros(now),
    timezone,
    currency,
    period: periodOf(first, last, current, churn),
    previous: periodOf(earlier, addDays(first, -1), before, churnOf(before, atEnd && atStart)),
    days: daysOf(current),
    previous_days: daysOf(before),
    ...figures,
    attention,
    first: begun,
  };
}
