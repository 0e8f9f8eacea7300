-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "booked_cents" INTEGER;

-- By hand.
ALTER TABLE payment ADD CONSTRAINT payment_booked CHECK (
  booked_cents IS NULL OR (booked_cents >= 0 AND fee_currency IS NOT NULL AND fee_currency <> currency));
ALTER TABLE posting
  DROP CONSTRAINT posting_accounts,
  DROP CONSTRAINT posting_refund,
  ADD CONSTRAINT posting_accounts CHECK ((kind, debit, credit) IN (
    ('payment', 'gateway', 'sales'),
    ('fee', 'fees', 'gateway'),
    ('refund', 'refunds', 'gateway'),
    ('refund_returned', 'gateway', 'refunds'),
    ('exchange_out', 'exchange', 'gateway'),
    ('exchange_in', 'gateway', 'exchange'))),
  ADD CONSTRAINT posting_refund CHECK (
    kind IN ('exchange_out', 'exchange_in') OR (refund_id IS NOT NULL) = (kind IN ('refund', 'refund_returned')));
-- A returned refund is exchanged twice, in opposite directions.
DROP INDEX posting_once;
CREATE UNIQUE INDEX posting_once ON posting (payment_id, kind, refund_id, currency) NULLS NOT DISTINCT;
