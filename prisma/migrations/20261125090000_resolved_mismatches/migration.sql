-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "closing_answered_at" TIMESTAMPTZ(6),
ADD COLUMN     "mismatch_note" TEXT,
ADD COLUMN     "mismatch_resolved_at" TIMESTAMPTZ(6);

-- By hand.
ALTER TABLE payment ADD CONSTRAINT payment_mismatch_resolved
  CHECK ((mismatch_resolved_at IS NULL) = (mismatch_note IS NULL) AND (mismatch_resolved_at IS NULL OR mismatch_at IS NOT NULL));
-- Each new attempt looks for these.
CREATE INDEX payment_failed_by_hand_of ON payment (payment_link_id) WHERE status = 'failed' AND settled_by IS NOT NULL;
-- The sweep asked about these for 30 days.
UPDATE payment SET closing_answered_at = settled_at
 WHERE status = 'failed' AND settled_by IS NOT NULL AND settled_at < clock_timestamp() - interval '30 days';
