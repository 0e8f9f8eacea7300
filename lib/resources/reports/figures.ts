import type { Tenant } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, db, Prisma, queryRows } from "@/lib/core/db";
import { toUnits } from "@/lib/core/money";
import type { Frequency } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { priceAt } from "@/lib/resources/subscriptions/resource";
import type { Overview } from "./contract";
import { maxExactRows, storedFigures } from "./stored-figures";

type Figures = Pick<Overview, "open" | "open_as_of" | "recurring" | "recurring_as_of">;

/** Open links and recurring revenue: exact where few rows make them, otherwise as a job last computed them, or null. */
export async function currentFigures(tx: Db, tenant: Tenant, now: Date): Promise<Figures> {
  const [open, recurring] = await Promise.all([
    openLinks(tx, tenant, now, maxExactRows),
    recurringRevenue(tx, tenant, maxExactRows),
  ]);
  if (open && recurring) return { open, open_as_of: null, recurring, recurring_as_of: null };
  const { figures, as_of } = await storedFigures<StoredOverview>(tx, tenant, "overview");
  const asOf = as_of && isoMicros(as_of);
  return {
    open: open ?? figures?.open ?? null,
    open_as_of: open ? null : asOf,
    recurring: recurring ?? figures?.recurring ?? null,
    recurring_as_of: recurring ? null : asOf,
  };
}

type StoredOverview = Pick<Overview, "open" | "recurring">;

/** For `refreshFigures`: of all open links and subscriptions. */
export const overviewFigures = async (tenant: Tenant, now: Date): Promise<StoredOverview> => ({
  open: await openLinks(db, tenant, now, null),
  recurring: await recurringRevenue(db, tenant, null),
});

/**
 * Active links by currency, read along payment_link_open_of.
 * @param limit of links to read; null: all
 * @returns null where there are more
 */
async function openLinks(tx: Db, tenant: Tenant, now: Date, limit: number | null): Promise<Overview["open"]> {
  const rows = await queryRows<{ currency: string; cents: string; count: number; read: number }>(
    tx,
    Prisma.sql`
    SELECT currency, coalesce(sum(amount_cents) FILTER (WHERE is_open), 0)::text AS cents,
           (count(*) FILTER (WHERE is_open))::int AS count, count(*)::int AS read
      FROM (SELECT currency, amount_cents, expires_at IS NULL OR expires_at > ${now}::timestamptz AS is_open FROM payment_link
             WHERE ${ownedBy(tenant)} AND status = 'Active' AND deleted_at IS NULL AND NOT expiry_recorded
             ORDER BY currency, expires_at LIMIT ${limit === null ? null : limit + 1}::int) active
     GROUP BY currency ORDER BY currency`,
  );
  if (limit !== null && rows.reduce((total, { read }) => total + read, 0) > limit) return null;
  return rows
    .filter(({ count }) => count > 0)
    .map(({ currency, cents, count }) => ({
      currency,
      amount: toUnits(Number(cents)),
      amount_cents: Number(cents),
      count,
    }));
}

const yearly: Record<Frequency, number> = {
  daily: 365,
  weekly: 365 / 7,
  monthly: 12,
  quarterly: 4,
  semiannual: 2,
  yearly: 1,
};

/**
 * Active and past-due subscriptions by currency, read along subscription_recurring.
 * @param limit of subscriptions to read; null: all
 * @returns null where there are more
 */
async function recurringRevenue(tx: Db, tenant: Tenant, limit: number | null): Promise<Overview["recurring"]> {
  const price = priceAt(Prisma.sql`subscription`, Prisma.sql`${clock.now()}::timestamptz`);
  const rows = await queryRows<{ currency: string; amount_cents: number; frequency: Frequency; count: number }>(
    tx,
    Prisma.sql`
    SELECT p.currency, s.amount_cents, p.frequency, s.count FROM (
      SELECT package_id, amount_cents, count(*)::int AS count FROM (
        SELECT package_id, ${price} AS amount_cents FROM subscription
         WHERE ${ownedBy(tenant)} AND status IN ('active', 'past_due') AND deleted_at IS NULL
         ORDER BY package_id LIMIT ${limit === null ? null : limit + 1}::int) running
       GROUP BY package_id, amount_cents) s
      JOIN package p ON p.id = s.package_id`,
  );
  if (limit !== null && rows.reduce((total, { count }) => total + count, 0) > limit) return null;
  return [...new Set(rows.map(({ currency }) => currency))].sort().map((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const cents = Math.round(
      own.reduce((total, row) => total + (row.amount_cents * row.count * yearly[row.frequency]) / 12, 0),
    );
    const subscriptions = own.reduce((total, row) => total + row.count, 0);
    return { currency, amount: toUnits(cents), amount_cents: cents, subscriptions };
  });
}
