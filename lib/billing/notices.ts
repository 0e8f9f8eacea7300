import { cardExpiresAt } from "@/lib/core/card-expiry";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { type NewEvent, record } from "@/lib/outbox/record";
import { subscriptions } from "@/lib/resources/subscriptions/resource";

/** Per business; the next poll sends the rest. */
const batchSize = 200;

/** The business's notice period; seven days where renewal notices are off and only expiring cards are announced. */
const leadDays = Prisma.sql`CASE WHEN b.renewal_notice_days > 0 THEN b.renewal_notice_days ELSE 7 END`;

export const nextNotice = (businessId: number, until: Date, condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT 'notice', s.id, s.next_charge_at - (${leadDays}) * interval '1 day'
    FROM business b JOIN subscription s ON s.business_id = b.id AND NOT s.livemode AND s.next_charge_at IS NOT NULL
     AND s.noticed_period < s.next_period AND NOT s.cancel_at_period_end
   WHERE b.id = ${businessId} AND s.next_charge_at <= ${until}::timestamptz + (${leadDays}) * interval '1 day' AND ${condition}
   ORDER BY s.next_charge_at LIMIT 1`;

interface Due {
  id: string;
  business_id: number;
  livemode: boolean;
  ahead: number;
}

/** Sends all due notices, by the clock of each business. Safe to run concurrently: each is sent once. */
export async function sendNotices(): Promise<void> {
  const due = await queryRows<Due>(
    db,
    Prisma.sql`
    SELECT found.id, found.business_id, found.livemode, CASE WHEN found.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead
      FROM business b CROSS JOIN (VALUES (true), (false)) AS mode (livemode) CROSS JOIN LATERAL (
        SELECT s.id, s.business_id, s.livemode FROM subscription s
         WHERE s.business_id = b.id AND s.livemode = mode.livemode AND s.next_charge_at IS NOT NULL
           AND s.noticed_period < s.next_period AND NOT s.cancel_at_period_end
           AND s.next_charge_at <= now() + (${leadDays}) * interval '1 day'
               + CASE WHEN mode.livemode THEN 0 ELSE b.test_clock_ahead END * interval '1 millisecond'
         LIMIT ${batchSize}) AS found
     WHERE mode.livemode OR b.test_clock_target IS NULL`,
  );
  for (const { id, ahead } of due)
    await clock.ahead(ahead, () =>
      sendNotice(id).catch((err: unknown) => log.warn({ err, subscription: id }, "could not announce a renewal")),
    );
}

interface Noticed {
  business_id: number;
  livemode: boolean;
  enabled: boolean;
  timely: boolean;
  /** Whether the notice's time is after the current period's start. */
  after_start: boolean;
}

// Local times: a week in which clocks change has an hour less or more.
const noticeTime = Prisma.sql`(s.next_charge_at AT TIME ZONE s.timezone - (${leadDays}) * interval '1 day')`;
const periodStart = Prisma.sql`(s.current_period_start AT TIME ZONE s.timezone)`;

/**
 * Sends the notice of a subscription's next charge if it is due; of the first charge also if less time is left. Skips a
 * notice that is late, or whose time lies before the current period's start (daily charges). At the start itself (weekly charges a
 * week before, daily ones a day before) only a card that is about to expire is announced, because the payer has just been charged.
 */
export async function sendNotice(subscriptionId: string): Promise<void> {
  const now = clock.now();
  await transaction(db, async (tx) => {
    const [noticed] = await queryRows<Noticed>(
      tx,
      Prisma.sql`
      UPDATE subscription s SET noticed_period = next_period FROM business b
       WHERE s.id = ${subscriptionId} AND b.id = s.business_id AND s.noticed_period < s.next_period
         AND NOT s.cancel_at_period_end AND s.next_charge_at <= ${now}::timestamptz + (${leadDays}) * interval '1 day'
      RETURNING s.business_id, s.livemode, b.renewal_notice_days > 0 AS enabled,
        s.next_charge_at > ${now}::timestamptz AND coalesce(${noticeTime} >= ${periodStart}, true) AS timely,
        coalesce(${noticeTime} > ${periodStart}, true) AS after_start`,
    );
    if (!noticed?.timely) return;
    const tenant = { businessId: noticed.business_id, livemode: noticed.livemode };
    const subscription = await subscriptions.get(tx, tenant, subscriptionId);
    const { email: to, next_charge_at } = subscription;
    const [card] = await queryRows<{ brand: string; last4: string; exp_month: number; exp_year: number }>(
      tx,
      Prisma.sql`
      SELECT card_brand AS brand, card_last4 AS last4, card_exp_month AS exp_month, card_exp_year AS exp_year
        FROM tokenization
       WHERE business_id = ${noticed.business_id} AND livemode = ${noticed.livemode} AND status = 'active'
         AND declined_at IS NULL AND lower(email COLLATE "C") = lower(${to}::text COLLATE "C") AND card_last4 IS NOT NULL
       ORDER BY activated_at DESC LIMIT 1`,
    );
    const events: NewEvent[] = [];
    const expiresAt = card ? cardExpiresAt(card.exp_year, card.exp_month) : Number.POSITIVE_INFINITY;
    const isExpiring =
      expiresAt <= Date.parse(next_charge_at ?? "") && (noticed.after_start || expiresAt > now.getTime());
    if (card && isExpiring) {
      const mails = [{ template: "card_expiring" as const, to, props: { subscription, card } }];
      events.push({ type: "subscription.card_expiring", data: subscription, mails });
    } else if (noticed.enabled && noticed.after_start) {
      // Without a card nothing is charged: the payer gets the link when the period starts.
      const mails = card ? [{ template: "renewal_notice" as const, to, props: { subscription } }] : [];
      events.push({ type: "subscription.renewal_upcoming", data: subscription, mails });
    }
    await record(tx, tenant, events);
  });
}
