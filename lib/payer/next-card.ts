import { type Db, Prisma, queryRows } from "@/lib/core/db";
import type { Package } from "@/lib/resources/packages/contract";
import { priceAt } from "@/lib/resources/subscriptions/resource";

/** The subscription of a paid period, if its payer has no card that the next periods can be charged to. */
export interface Cardless extends Pick<Package, "amount_cents" | "currency" | "frequency"> {
  email: string;
  /** Of the tokenization; the API's limit is 50 characters. */
  title: string;
  /** The token of an activation page with this title that the payer has not used yet. */
  pending_token: string | null;
}

/** @returns null when the link is no paid period, its subscription has ended, or there is a usable card */
export async function findCardless(tx: Db, linkId: string, now: Date): Promise<Cardless | null> {
  const [found] = await queryRows<Cardless>(
    tx,
    Prisma.sql`
    SELECT s.email, left('Card for ' || p.name, 50) AS title, ${priceAt(Prisma.sql`s`, Prisma.sql`s.next_charge_at`)} AS amount_cents, p.currency, p.frequency,
           (SELECT t.token FROM tokenization t
             WHERE t.business_id = s.business_id AND t.livemode = s.livemode AND t.status = 'pending'
               AND lower(t.email COLLATE "C") = lower(s.email COLLATE "C") AND t.expires_at > ${now}::timestamptz
               AND t.title = left('Card for ' || p.name, 50)
             ORDER BY t.created_at DESC LIMIT 1) AS pending_token
      FROM payment_link l JOIN subscription s ON s.id = l.subscription_id JOIN package p ON p.id = s.package_id
     WHERE l.id = ${linkId} AND l.status = 'Paid' AND l.deleted_at IS NULL AND s.deleted_at IS NULL
       AND s.status NOT IN ('cancel', 'completed')
       AND NOT EXISTS (
         SELECT FROM tokenization t WHERE t.business_id = s.business_id AND t.livemode = s.livemode AND t.status = 'active'
            AND t.declined_at IS NULL AND lower(t.email COLLATE "C") = lower(s.email COLLATE "C"))`,
  );
  return found ?? null;
}
