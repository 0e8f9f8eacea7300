import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, db, execute, Prisma, queryRows } from "@/lib/core/db";
import { ownedBy } from "@/lib/resources/define";

/** Links, or subscriptions, that a request reads at most for a figure. With more it shows what the job has stored. */
export const maxExactRows = 5_000;

/** After so many minutes, figures of a kind are computed again if they were requested in the last hour. */
const staleMinutes = { overview: 2, forecast: 60 } as const;
const requestedMinutes = 60;
/** `requested_at` may lag by so much, to save writes. */
const requestedLagMinutes = 5;
/** A job that ended without storing its figures is repeated after so long. */
const retryMinutes = 5;

export type FiguresKind = keyof typeof staleMinutes;

interface Stored<Figures> {
  /** Null until the job has computed them for the first time. */
  figures: Figures | null;
  as_of: Date | null;
}

/** The stored figures of a tenant. The first call inserts a row without figures, which makes the job compute them. */
export async function storedFigures<Figures>(tx: Db, tenant: Tenant, kind: FiguresKind): Promise<Stored<Figures>> {
  const row = Prisma.sql`${ownedBy(tenant)} AND kind = ${kind}`;
  const [stored] = await queryRows<Stored<Figures> & { requested_lately: boolean }>(
    tx,
    Prisma.sql`
    SELECT figures, as_of, requested_at > clock_timestamp() - make_interval(mins => ${requestedLagMinutes}::int) AS requested_lately
      FROM stored_figures WHERE ${row}`,
  );
  if (!stored) {
    const { business_id, livemode } = tenantOf(tenant);
    await execute(
      tx,
      Prisma.sql`
      INSERT INTO stored_figures (business_id, livemode, kind) VALUES (${business_id}, ${livemode}, ${kind})
      ON CONFLICT (business_id, livemode, kind) DO NOTHING`,
    );
    return { figures: null, as_of: null };
  }
  if (!stored.requested_lately)
    await execute(tx, Prisma.sql`UPDATE stored_figures SET requested_at = clock_timestamp() WHERE ${row}`);
  return stored;
}

/**
 * Computes one tenant's figures of one kind, if they are stale and lately requested. Safe to run concurrently: a claim
 * postpones the next run. Holds no lock while it computes.
 * @returns whether there may be more
 */
export async function refreshFigures(
  compute: Record<FiguresKind, (tenant: Tenant, now: Date) => Promise<object>>,
): Promise<boolean> {
  const stale = Prisma.sql`make_interval(mins => CASE kind WHEN 'forecast' THEN ${staleMinutes.forecast}::int ELSE ${staleMinutes.overview}::int END)`;
  const [claimed] = await queryRows<{ business_id: number; livemode: boolean; kind: FiguresKind; ahead: number }>(
    db,
    Prisma.sql`
    UPDATE stored_figures f SET refreshed_at = clock_timestamp() - due.stale + make_interval(mins => ${retryMinutes}::int)
      FROM (SELECT business_id, livemode, kind, ${stale} AS stale FROM stored_figures
             WHERE refreshed_at < clock_timestamp() - ${stale}
               AND requested_at > clock_timestamp() - make_interval(mins => ${requestedMinutes}::int)
             ORDER BY refreshed_at LIMIT 1 FOR UPDATE SKIP LOCKED) due JOIN business b ON b.id = due.business_id
     WHERE f.business_id = due.business_id AND f.livemode = due.livemode AND f.kind = due.kind
    RETURNING f.business_id, f.livemode, f.kind, CASE WHEN f.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead`,
  );
  if (!claimed) return false;
  const { business_id, livemode, kind, ahead } = claimed;
  const tenant = { businessId: business_id, livemode };
  await clock.ahead(ahead, async () => {
    const now = clock.now();
    const figures = await compute[kind](tenant, now);
    await execute(
      db,
      Prisma.sql`
      UPDATE stored_figures SET figures = ${JSON.stringify(figures)}::jsonb, as_of = ${now}::timestamptz,
             refreshed_at = clock_timestamp()
       WHERE ${ownedBy(tenant)} AND kind = ${kind}`,
    );
  });
  return true;
}
