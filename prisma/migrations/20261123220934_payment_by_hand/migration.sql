-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "mismatch_at" TIMESTAMPTZ(6),
ADD COLUMN     "settled_by" TEXT,
ADD COLUMN     "settled_reason" TEXT;

-- By hand.
ALTER TABLE payment
  ADD CONSTRAINT payment_settled_by CHECK ((settled_by IS NULL) = (settled_reason IS NULL)),
  ADD CONSTRAINT payment_mismatch CHECK (mismatch_at IS NULL OR (status = 'failed' AND settled_by IS NOT NULL));
-- One charge settles one payment.
CREATE UNIQUE INDEX payment_settled_ref ON payment (business_id, livemode, gateway_ref) WHERE settled_by IS NOT NULL AND status = 'succeeded';
CREATE INDEX payment_failed_by_hand ON payment (settled_at) WHERE status = 'failed' AND settled_by IS NOT NULL AND mismatch_at IS NULL;
CREATE INDEX payment_mismatched ON payment (business_id, livemode, mismatch_at) WHERE mismatch_at IS NOT NULL;
