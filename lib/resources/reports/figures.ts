import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, db, execute, Prisma, queryRows } from "@/lib/core/db";
import { toUnits } from "@/lib/core/money";
import type { Frequency } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import type { Overview } from "./contract";

/** Active links, and subscriptions, that an overview reads at most. With more it shows stored figures. */
export const maxExactRows = 5_000;

/** Stored figures are computed again at this age, if an overview has needed them within `keptMinutes`. */
const staleMinutes = 2;
const keptMinutes = 60;
/** `asked_at` is written at most this often. */
const askedMinutes = 5;

type Figures = Pick<Overview, "open" | "open_as_of" | "recurring" | "recurring_as_of">;

/** Open links and recurring revenue: exact where few rows make them, otherwise as a job last computed them, or null. */
export async function currentFigures(tx: Db, tenant: Tenant, now: Date): Promise<Figures> {
  const [open, recurring] = await Promise.all([
    openLinks(tx, tenant, now, maxExactRows),
    recurringRevenue(tx, tenant, maxExactRows),
  ]);
  if (open && recurring) return { open, open_as_of: null, recurring, recurring_as_of: null };
  const stored = await storedFigures(tx, tenant);
  const asOf = stored.as_of && isoMicros(stored.as_of);
  return {
    open: open ?? stored.open,
    open_as_of: open ? null : asOf,
    recurring: recurring ?? stored.recurring,
    recurring_as_of: recurring ? null : asOf,
  };
}

interface StoredFigures extends Pick<Overview, "open" | "recurring"> {
  as_of: Date | null;
}

/** The first call inserts a row without figures, which makes the job compute them. */
async function storedFigures(tx: Db, tenant: Tenant): Promise<StoredFigures> {
  const [stored] = await queryRows<StoredFigures & { requested_lately: boolean }>(
    tx,
    Prisma.sql`
    SELECT open, recurring, as_of, asked_at > clock_timestamp() - make_interval(mins => ${askedMinutes}::int) AS requested_lately
      FROM overview_figures WHERE ${ownedBy(tenant)}`,
  );
  if (!stored) {
    const { business_id, livemode } = tenantOf(tenant);
    await execute(
      tx,
      Prisma.sql`
      INSERT INTO overview_figures (business_id, livemode, refreshed_at) VALUES (${business_id}, ${livemode}, '-infinity')
      ON CONFLICT (business_id, livemode) DO NOTHING`,
    );
    return { open: null, recurring: null, as_of: null };
  }
  if (!stored.requested_lately)
    await execute(tx, Prisma.sql`UPDATE overview_figures SET asked_at = clock_timestamp() WHERE ${ownedBy(tenant)}`);
  return stored;
}

async function storeFigures(tenant: Tenant, now: Date): Promise<void> {
  const open = (await openLinks(db, tenant, now, null)) ?? [];
  const recurring = (await recurringRevenue(db, tenant, null)) ?? [];
  await execute(
    db,
    Prisma.sql`
    UPDATE overview_figures SET open = ${JSON.stringify(open)}::jsonb, recurring = ${JSON.stringify(recurring)}::jsonb,
           as_of = ${now}::timestamptz, refreshed_at = clock_timestamp()
     WHERE ${ownedBy(tenant)}`,
  );
}

/**
 * Computes the stored figures of one business again, if an overview has lately needed them and they are stale. Safe to run
 * concurrently: a claim postpones the next run. Holds no lock while it reads.
 * @returns whether there may be more
 */
export async function refreshFigures(): Promise<boolean> {
  const [claimed] = await queryRows<{ business_id: number; livemode: boolean; ahead: number }>(
    db,
    Prisma.sql`
    UPDATE overview_figures f SET refreshed_at = clock_timestamp()
      FROM (SELECT business_id, livemode FROM overview_figures
             WHERE refreshed_at < clock_timestamp() - make_interval(mins => ${staleMinutes}::int)
               AND asked_at > clock_timestamp() - make_interval(mins => ${keptMinutes}::int)
             ORDER BY refreshed_at LIMIT 1 FOR UPDATE SKIP LOCKED) due JOIN business b ON b.id = due.business_id
     WHERE f.business_id = due.business_id AND f.livemode = due.livemode
    RETURNING f.business_id, f.livemode, CASE WHEN f.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead`,
  );
  if (!claimed) return false;
  const { business_id, livemode, ahead } = claimed;
  await clock.ahead(ahead, () => storeFigures({ businessId: business_id, livemode }, clock.now()));
  return true;
}

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
  const rows = await queryRows<{ currency: string; amount_cents: number; frequency: Frequency; count: number }>(
    tx,
    Prisma.sql`
    SELECT p.currency, p.amount_cents, p.frequency, s.count FROM (
      SELECT package_id, count(*)::int AS count FROM (
        SELECT package_id FROM subscription
         WHERE ${ownedBy(tenant)} AND status IN ('active', 'past_due') AND deleted_at IS NULL
         ORDER BY package_id LIMIT ${limit === null ? null : limit + 1}::int) running
       GROUP BY package_id) s
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
