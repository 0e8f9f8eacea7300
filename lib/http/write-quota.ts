import { type Tenant, tenantOf } from "@/lib/auth/actor";
import type { Scope } from "@/lib/auth/scopes";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { env, pollMs } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";

// Each write leaves rows for good, such as events. Counted in memory and added up in the background, so that no request waits.

/** What can still be written over the quota: money, keys, people, settings, and every DELETE. */
const limitedScopes = new Set<Scope | null>([
  ...(["payment_links:write", "tokenizations:write", "packages:write", "subscriptions:write"] as const),
  ...(["webhook_endpoints:write", "emails:write", "test_clock:write"] as const),
]);

const windowDays = 30;
const maxKnown = 10_000;

interface Usage extends Tenant {
  /** Of the last 30 days, as of the last flush; since then, `added` by this process. */
  total: number;
  added: number;
  /** Live mode with a gateway: the business is known there. */
  unlimited: boolean;
}

const known = new Map<string, Usage>();
const due = new Set<Usage>();
let scheduled = false;

function usageOf({ businessId, livemode }: Tenant): Usage {
  const key = `${businessId} ${livemode}`;
  const usage = known.get(key) ?? { businessId, livemode, total: 0, added: 0, unlimited: false };
  if (known.size > maxKnown) known.clear(); // what is still due is added up beside what comes after it
  known.set(key, usage);
  return usage;
}

/** Counts rows that a tenant writes. */
export function countWrites(tenant: Tenant, count = 1): void {
  const usage = usageOf(tenant);
  usage.added += count;
  flushSoon(usage);
}

function flushSoon(usage: Usage): void {
  due.add(usage);
  if (scheduled) return;
  scheduled = true;
  setTimeout(() => void flush(), pollMs(5)).unref();
}

/** @throws ApiError too_many_attempts when the tenant has used up its writes of 30 days (WRITES_PER_MONTH) */
export function assertWriteQuota(tenant: Tenant, method: string, scope: Scope | null): void {
  if ((method !== "POST" && method !== "PUT") || !limitedScopes.has(scope)) return;
  const usage = usageOf(tenant);
  if (usage.unlimited || usage.total + usage.added < env().WRITES_PER_MONTH) return;
  flushSoon(usage); // learns that time has passed, or that a gateway is connected
  const mode = tenant.livemode ? "Live mode without a gateway" : "Test mode";
  const message = `${mode} allows a business ${env().WRITES_PER_MONTH.toLocaleString("en")} writes in ${windowDays} days.`;
  throw new ApiError("too_many_attempts", message, { "Retry-After": "3600" });
}

async function flush(): Promise<void> {
  scheduled = false;
  const batch = [...due].map((usage) => ({ usage, added: usage.added, ...tenantOf(usage) }));
  due.clear();
  try {
    const rows = await queryRows<{ total: number; unlimited: boolean }>(
      db,
      Prisma.sql`
      WITH added AS MATERIALIZED (
        SELECT * FROM unnest(${batch.map(({ business_id }) => business_id)}::int[],
                             ${batch.map(({ livemode }) => livemode)}::boolean[],
                             ${batch.map(({ added }) => added)}::int[])
          WITH ORDINALITY AS t(business_id, livemode, writes, place)
      ), stored AS (
        INSERT INTO write_usage AS known (business_id, livemode, day, writes)
        SELECT business_id, livemode, current_date, sum(writes) FROM added WHERE writes > 0 GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (business_id, livemode, day) DO UPDATE SET writes = known.writes + excluded.writes
      )
      SELECT added.writes + coalesce((
               SELECT sum(u.writes) FROM write_usage u
                WHERE u.business_id = added.business_id AND u.livemode = added.livemode
                  AND u.day > current_date - ${windowDays}::int), 0)::int AS total,
             added.livemode AND EXISTS (
               SELECT FROM gateway_account g
                WHERE g.business_id = added.business_id AND g.livemode AND g.replaced_at IS NULL) AS unlimited
        FROM added ORDER BY added.place`,
    );
    for (const [index, row] of rows.entries()) {
      const { usage, added } = batch[index] as (typeof batch)[number];
      Object.assign(usage, row);
      usage.added -= added;
    }
  } catch (error) {
    log.warn({ err: error }, "writes could not be counted");
    for (const { usage } of batch) flushSoon(usage);
  }
}
