import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows, rowsOf } from "@/lib/core/db";
import type { Frequency } from "./calendar";
import type { DunningPolicy } from "./dunning";

/** A period's link with its subscription; `lockPeriods` has locked the subscription. */
export interface Period {
  link_id: string;
  business_id: number;
  livemode: boolean;
  subscription_id: string;
  status: string;
  deleted: boolean;
  anchor: string;
  timezone: string;
  frequency: Frequency;
  next_period: number;
  cancel_at_period_end: boolean;
  dunning_days: number[];
  dunning_end: DunningPolicy["end"];
}

export const tenantOf = ({ business_id, livemode }: Period): Tenant => ({ businessId: business_id, livemode });

/**
 * Locks the subscriptions of periods' links. Every transaction that writes both locks the subscription first, then its
 * links, and several subscriptions by id: a fixed order prevents deadlocks.
 * @returns the periods by link id; links without a subscription are missing
 */
export async function lockPeriods(tx: Db, linkIds: string[]): Promise<Map<string, Period>> {
  const wanted = linkIds.map((id) => ({ id }));
  const rows = await queryRows<Period>(
    tx,
    Prisma.sql`
    SELECT l.id AS link_id, l.business_id, l.livemode, s.id AS subscription_id, s.status,
           s.deleted_at IS NOT NULL AS deleted, s.anchor, s.timezone, p.frequency, s.next_period,
           s.cancel_at_period_end, b.dunning_days, b.dunning_end
      FROM ${rowsOf(wanted, Prisma.sql`id text`)} AS wanted
      JOIN payment_link l ON l.id = wanted.id
      JOIN subscription s ON s.id = l.subscription_id
      JOIN package p ON p.id = s.package_id
      JOIN business b ON b.id = s.business_id
     ORDER BY s.id FOR NO KEY UPDATE OF s`,
  );
  return new Map(rows.map((period) => [period.link_id, period]));
}

/**
 * Locks the subscriptions of `linkIds`, and all of the payers of `savingIds`, whose card is saved in this transaction and may be charged
 * for each of theirs. `lockPeriods` alone would lock them in another order than that of their ids.
 */
export async function lockWithPayers(tx: Db, linkIds: string[], savingIds: string[]): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    SELECT id FROM subscription WHERE id IN (
      SELECT subscription_id FROM payment_link WHERE id = ANY(${linkIds}::text[])
      UNION
      SELECT other.id FROM payment_link l JOIN subscription s ON s.id = l.subscription_id
        JOIN subscription other ON other.business_id = s.business_id AND other.livemode = s.livemode
         AND lower(other.email COLLATE "C") = lower(s.email COLLATE "C") AND other.deleted_at IS NULL
         AND other.status IN ('created', 'active', 'past_due', 'unpaid')
       WHERE l.id = ANY(${savingIds}::text[]))
     ORDER BY id FOR NO KEY UPDATE`,
  );
}

export async function lockPeriod(tx: Db, linkId: string): Promise<Period | null> {
  return (await lockPeriods(tx, [linkId])).get(linkId) ?? null;
}

/**
 * Locks a subscription if it is running.
 * @returns false when it is paused, ended or deleted
 */
export async function lockRunning(tx: Db, subscriptionId: string): Promise<boolean> {
  const rows = await queryRows(
    tx,
    Prisma.sql`
    SELECT id FROM subscription WHERE id = ${subscriptionId} AND deleted_at IS NULL
       AND status IN ('created', 'active', 'past_due', 'unpaid') FOR NO KEY UPDATE`,
  );
  return rows.length > 0;
}
