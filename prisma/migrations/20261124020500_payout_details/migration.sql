-- AlterTable
ALTER TABLE "payout" ADD COLUMN     "bank_reference" TEXT,
ADD COLUMN     "totals" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "balance_import" ADD COLUMN     "checked_until" TIMESTAMPTZ(6),
ADD COLUMN     "still" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "unbooked_since" TIMESTAMPTZ(6);

-- By hand.
CREATE INDEX payment_unbooked ON payment (business_id, livemode, id) WHERE unbooked_since IS NOT NULL;
CREATE INDEX payout_on_its_way ON payout (business_id, livemode) WHERE status IN ('pending', 'in_transit');
-- Old payouts get what they add up to. This touches no row's updated_at.
ALTER TABLE payout DISABLE TRIGGER touch_updated_at;
UPDATE payout p SET totals = coalesce((
  SELECT json_agg(t) FROM (
    SELECT type, count(*)::int AS count, sum(amount_cents) AS amount_cents, sum(fee_cents) AS fee_cents, sum(net_cents) AS net_cents
      FROM balance_entry e WHERE e.payout_id = p.id GROUP BY type ORDER BY type) AS t), '[]')
 WHERE complete;
ALTER TABLE payout ENABLE TRIGGER touch_updated_at;
