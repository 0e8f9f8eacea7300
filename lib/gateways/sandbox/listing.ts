import { db, Prisma, queryRows } from "@/lib/core/db";
import type { KnownCharge } from "@/lib/gateways/gateway";
import { stateOf } from "./charges";

interface ListedRow {
  gateway_key: string;
  ref: string;
  amount_cents: number;
  currency: string;
  status: string;
  reason: string | null;
  settles_at: Date | null;
  link: string | null;
  subscription: string | null;
  period: number | null;
  created_at: Date;
}

const batchSize = 100;

export async function* chargesSince(account: string, from: Date): AsyncIterable<KnownCharge> {
  for (let last = ""; ; ) {
    const rows = await queryRows<ListedRow>(
      db,
      Prisma.sql`
      SELECT gateway_key, ref, amount_cents, currency, status, reason, settles_at, link, subscription, period, created_at
        FROM sandbox_charge
       WHERE account = ${account} AND created_at >= ${from}::timestamptz AND ref > ${last} ORDER BY ref LIMIT ${batchSize}::int`,
    );
    for (const row of rows) {
      const state = stateOf(row);
      if (state === "failed") continue;
      yield {
        ...{ gatewayKey: row.gateway_key, ref: row.ref, accountId: null, linkId: row.link },
        ...{
          subscriptionId: row.subscription,
          periodIndex: row.period,
          amountCents: row.amount_cents,
          currency: row.currency,
        },
        ...{ status: state === "succeeded" ? "succeeded" : "open", createdAt: row.created_at },
      };
    }
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.ref ?? last;
  }
}

export async function* refundsSince(account: string, from: Date): AsyncIterable<{ ref: string; chargeKey: string }> {
  for (let last = ""; ; ) {
    const rows = await queryRows<{ ref: string; chargeKey: string }>(
      db,
      Prisma.sql`
      SELECT r.ref, c.gateway_key AS "chargeKey" FROM sandbox_refund r JOIN sandbox_charge c ON c.ref = r.charge_ref
       WHERE c.account = ${account} AND r.created_at >= ${from}::timestamptz AND r.ref > ${last} ORDER BY r.ref LIMIT ${batchSize}::int`,
    );
    yield* rows;
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.ref ?? last;
  }
}
