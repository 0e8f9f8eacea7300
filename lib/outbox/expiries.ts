import type { Tenant } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { eventTokenization, type StoredTokenization, tokenizations } from "@/lib/resources/tokenizations/resource";
import { record } from "./record";

/** Tables with an `expires_at`. Readers derive the expired state from it; the event follows once, soon afterwards. */
export type Expiring = "payment_link" | "tokenization";

/** Per table. `recordExpired` reports whether there is more. */
const batchSize = 500;

const unrecorded: Record<Expiring, Prisma.Sql> = {
  payment_link: Prisma.sql`expires_at IS NOT NULL AND NOT expiry_recorded AND status IN ('Active', 'Inactive') AND deleted_at IS NULL`,
  tokenization: Prisma.sql`NOT expiry_recorded AND status = 'pending'`,
};

interface Expired {
  business_id: number;
  livemode: boolean;
  /** The business's test clock, in ms ahead. */
  ahead: number;
  ids: string[];
}

/**
 * Records events for expired rows, by the clock of each business. Safe to run concurrently: each event is recorded
 * once.
 * @returns whether there may be more
 */
export async function recordExpired(): Promise<boolean> {
  let more = false;
  for (const kind of ["payment_link", "tokenization"] as const) {
    const found = await findExpired(kind);
    // An error of one business must not stop the others.
    let recorded = 0;
    for (const { business_id, livemode, ahead, ids } of found)
      await clock
        .ahead(livemode ? 0 : ahead, () => expire(kind, { businessId: business_id, livemode }, ids))
        .then(() => {
          recorded += ids.length;
        })
        .catch((err: unknown) => log.warn({ err, business: business_id }, "could not record what has expired"));
    more ||= recorded >= batchSize;
  }
  return more;
}

function findExpired(kind: Expiring): Promise<Expired[]> {
  const table = Prisma.raw(kind);
  return queryRows<Expired>(
    db,
    Prisma.sql`
    SELECT e.business_id, e.livemode, b.test_clock_ahead::float8 AS ahead, array_agg(e.id) AS ids FROM (
      (SELECT id, business_id, livemode FROM ${table}
        WHERE ${unrecorded[kind]} AND expires_at <= ${new Date()} ORDER BY expires_at LIMIT ${batchSize})
      UNION
      (SELECT due.id, due.business_id, false FROM business b CROSS JOIN LATERAL (
         SELECT id, business_id FROM ${table} WHERE business_id = b.id AND NOT livemode AND ${unrecorded[kind]}
            AND expires_at <= now() + b.test_clock_ahead * interval '1 millisecond' LIMIT ${batchSize}) AS due
        WHERE b.test_clock_ahead > 0 AND b.test_clock_target IS NULL)) AS e
      JOIN business b ON b.id = e.business_id GROUP BY 1, 2, 3`,
  );
}

/** Records the expiry of the given rows that have expired by the caller's clock and have no event yet. */
export function expire(kind: Expiring, tenant: Tenant, ids: string[]): Promise<void> {
  const now = clock.now();
  const markRecorded = Prisma.sql`
    UPDATE ${Prisma.raw(kind)} SET expiry_recorded = true
     WHERE id = ANY(${ids}::text[]) AND business_id = ${tenant.businessId} AND livemode = ${tenant.livemode}
       AND ${unrecorded[kind]} AND expires_at <= ${now}`;
  return transaction(db, async (tx) => {
    if (kind === "payment_link") {
      const expired = await queryRows<PaymentLink>(
        tx,
        Prisma.sql`${markRecorded} RETURNING ${paymentLinks.columns(now)}`,
      );
      await record(
        tx,
        tenant,
        expired.map((link) => ({ type: "payment_link.expired", data: link })),
      );
    } else {
      const expired = await queryRows<StoredTokenization>(
        tx,
        Prisma.sql`${markRecorded} RETURNING ${tokenizations.columns(now)}`,
      );
      await record(
        tx,
        tenant,
        expired.map((tokenization) => ({ type: "tokenization.expired", data: eventTokenization(tokenization) })),
      );
    }
  });
}
