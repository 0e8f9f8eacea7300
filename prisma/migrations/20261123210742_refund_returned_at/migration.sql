-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "returned_at" TIMESTAMPTZ(6);

-- By hand. A refund that came back had settled when its first posting was made, and came back when its second one was.
ALTER TABLE refund DISABLE TRIGGER touch_updated_at;
UPDATE refund SET settled_at = made.created_at, returned_at = back.created_at
  FROM posting made, posting back
 WHERE refund.status = 'failed'
   AND back.payment_id = refund.payment_id AND back.refund_id = refund.id AND back.kind = 'refund_returned'
   AND made.payment_id = refund.payment_id AND made.refund_id = refund.id AND made.kind = 'refund';
ALTER TABLE refund ENABLE TRIGGER touch_updated_at;
INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
SELECT business_id, livemode, settled_at, amount_cents, 1, currency, 'refunded' FROM refund WHERE returned_at IS NOT NULL
UNION ALL
SELECT business_id, livemode, returned_at, -amount_cents, -1, currency, 'refunded' FROM refund WHERE returned_at IS NOT NULL;
ALTER TABLE refund ADD CONSTRAINT refund_returned CHECK (
  returned_at IS NULL OR (status = 'failed' AND settled_at IS NOT NULL));
DROP INDEX refund_failed_of;
CREATE INDEX refund_failed_of ON refund (business_id, livemode, coalesce(returned_at, settled_at)) WHERE status = 'failed';
