-- AlterTable
ALTER TABLE "business" ADD COLUMN     "bank_bic" TEXT,
ADD COLUMN     "bank_holder" TEXT,
ADD COLUMN     "bank_iban" TEXT;

-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "awaiting_transfer_since" TIMESTAMPTZ(6);

-- By hand.
ALTER TABLE business
  ADD CONSTRAINT business_bank CHECK (
    (bank_iban IS NULL) = (bank_holder IS NULL) AND (bank_bic IS NULL OR bank_iban IS NOT NULL)),
  ADD CONSTRAINT business_bank_iban CHECK (bank_iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$'),
  ADD CONSTRAINT business_bank_bic CHECK (bank_bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$');
ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_awaiting CHECK (awaiting_transfer_since IS NULL OR status IN ('Active', 'Processing'));
CREATE INDEX payment_link_awaiting ON payment_link (business_id, livemode, created_at, id)
  WHERE awaiting_transfer_since IS NOT NULL AND deleted_at IS NULL;
