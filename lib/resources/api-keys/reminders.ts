import { db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";

const noticeDays = 7;

/** Keys in one transaction. */
const batchSize = 50;

interface ExpiringKey {
  id: string;
  business_id: number;
  livemode: boolean;
  name: string;
  hint: string;
  expires_at: Date;
  /** The person who made it; the owners, if the operator did. */
  recipients: string[];
}

/**
 * Queues a mail about each key that expires within a week, once. A rotated key has a successor; a key made for less than a week
 * ends on purpose.
 * @returns whether there may be more
 */
export function remindOfExpiringKeys(): Promise<boolean> {
  return transaction(db, async (tx) => {
    const notice = Prisma.sql`make_interval(days => ${noticeDays}::int)`;
    const keys = await queryRows<ExpiringKey>(
      tx,
      Prisma.sql`
      UPDATE api_key k SET reminded_at = now()
       WHERE id IN (
         SELECT id FROM api_key
          WHERE reminded_at IS NULL AND revoked_at IS NULL AND replaced_by IS NULL
            AND expires_at > now() AND expires_at <= now() + ${notice} AND created_at < expires_at - ${notice}
          ORDER BY expires_at LIMIT ${batchSize}::int FOR UPDATE SKIP LOCKED)
      RETURNING id, business_id, livemode, name, hint, expires_at, ARRAY(
        SELECT u.email FROM membership m JOIN staff_user u ON u.id = m.user_id
         WHERE m.business_id = k.business_id
           AND (m.user_id = k.created_by OR (k.created_by IS NULL AND m.role = 'owner'))
         ORDER BY u.email) AS recipients`,
    );
    for (const { id, business_id: businessId, livemode, name, hint, expires_at, recipients } of keys) {
      const link = dashboardLink({ businessId, livemode }, `/developers/keys/${id}`);
      const props = { name, hint, expires_at: expires_at.toISOString(), link };
      for (const to of recipients)
        await queueStaffMail(tx, { template: "api_key_expiring", to, businessId, livemode, props });
    }
    return keys.length === batchSize;
  });
}
