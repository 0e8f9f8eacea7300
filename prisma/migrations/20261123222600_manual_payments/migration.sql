-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "marked_by" TEXT,
ADD COLUMN     "method" TEXT,
ADD COLUMN     "note" TEXT,
ADD COLUMN     "paid_on" DATE,
ADD COLUMN     "reference" TEXT,
ADD COLUMN     "reversal_reason" TEXT,
ADD COLUMN     "reversed_at" TIMESTAMPTZ(6),
ADD COLUMN     "reversed_by" TEXT;

-- A manual payment says how the money came, and only a manual payment can be reversed. It keeps its receipt, which says so.
ALTER TABLE payment
  DROP CONSTRAINT payment_status,
  ADD CONSTRAINT payment_status
    CHECK (status IN ('created', 'sending', 'requires_action', 'unknown', 'succeeded', 'failed', 'reversed')),
  DROP CONSTRAINT payment_receipt,
  ADD CONSTRAINT payment_receipt CHECK ((receipt_token IS NOT NULL) = (status IN ('succeeded', 'reversed'))),
  ADD CONSTRAINT payment_manual CHECK (
    (gateway = 'manual') = (method IS NOT NULL) AND (method IS NULL) = (paid_on IS NULL)
    AND (method IS NOT NULL OR num_nonnulls(reference, note, marked_by, reversed_at) = 0)),
  ADD CONSTRAINT payment_method CHECK (method IN ('transfer', 'cash', 'cheque', 'other')),
  ADD CONSTRAINT payment_reversed CHECK (
    (reversed_at IS NOT NULL) = (status = 'reversed') AND (reversed_at IS NULL) = (reversal_reason IS NULL)
    AND (reversed_at IS NOT NULL OR reversed_by IS NULL));
CREATE INDEX payment_manual_list ON payment (business_id, livemode, method, created_at, id) WHERE method IS NOT NULL;

-- Money that did not come through a gateway has an account of its own.
ALTER TABLE posting
  DROP CONSTRAINT posting_accounts,
  ADD CONSTRAINT posting_accounts CHECK ((kind, debit, credit) IN (
    ('payment', 'gateway', 'sales'),
    ('payment', 'manual', 'sales'),
    ('payment_reversed', 'sales', 'manual'),
    ('fee', 'fees', 'gateway'),
    ('refund', 'refunds', 'gateway'),
    ('refund', 'refunds', 'manual'),
    ('refund_returned', 'gateway', 'refunds'),
    ('exchange_out', 'exchange', 'gateway'),
    ('exchange_in', 'gateway', 'exchange'),
    ('dispute', 'disputes', 'gateway'),
    ('dispute_returned', 'gateway', 'disputes'),
    ('dispute_fee', 'fees', 'gateway'),
    ('dispute_fee_returned', 'gateway', 'fees'),
    ('payout', 'bank', 'gateway'),
    ('payout_failed', 'gateway', 'bank'),
    ('gateway_fee', 'fees', 'gateway'),
    ('gateway_fee', 'gateway', 'fees'),
    ('adjustment', 'adjustments', 'gateway'),
    ('adjustment', 'gateway', 'adjustments')));
