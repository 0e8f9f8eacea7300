-- CreateTable
CREATE TABLE "payment_link_import" (
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "file" TEXT NOT NULL,
    "row" INTEGER NOT NULL,
    "payment_link_id" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_link_import_pkey" PRIMARY KEY ("business_id","livemode","file","row")
);

-- AddForeignKey
ALTER TABLE "payment_link_import" ADD CONSTRAINT "payment_link_import_business_id_livemode_payment_link_id_fkey" FOREIGN KEY ("business_id", "livemode", "payment_link_id") REFERENCES "payment_link"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;


-- By hand: what the Prisma schema cannot say.

ALTER TABLE payment_link_import
  ADD CONSTRAINT payment_link_import_row CHECK (row >= 1),
  ADD CONSTRAINT payment_link_import_file CHECK (char_length(file) BETWEEN 1 AND 128);

-- Reports read a period's rows out of the index alone, however many there are before it.
CREATE INDEX payment_settled_of ON payment (business_id, livemode, settled_at)
  INCLUDE (status, currency, amount_cents, fee_cents, fee_currency) WHERE settled_at IS NOT NULL;
CREATE INDEX refund_settled_of ON refund (business_id, livemode, settled_at)
  INCLUDE (status, currency, amount_cents) WHERE settled_at IS NOT NULL;
-- What is still to be paid, what recurs, and what needs a person: as many entries as there are of those.
CREATE INDEX payment_link_open_of ON payment_link (business_id, livemode, currency, expires_at)
  INCLUDE (amount_cents) WHERE status = 'Active' AND deleted_at IS NULL;
CREATE INDEX subscription_recurring ON subscription (business_id, livemode, package_id)
  WHERE status IN ('active', 'past_due') AND deleted_at IS NULL;
CREATE INDEX payment_unknown_of ON payment (business_id, livemode, created_at) WHERE status = 'unknown';
CREATE INDEX refund_failed_of ON refund (business_id, livemode, settled_at) WHERE status = 'failed';
CREATE INDEX subscription_in_trouble ON subscription (business_id, livemode, updated_at)
  WHERE status IN ('past_due', 'unpaid') AND deleted_at IS NULL;

-- Everything of one e-mail, whatever its case, and the e-mails in their order.
CREATE INDEX payment_link_customer ON payment_link (business_id, livemode, lower(email COLLATE "C"), created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX tokenization_customer ON tokenization (business_id, livemode, lower(email COLLATE "C"), created_at);
CREATE INDEX subscription_customer ON subscription (business_id, livemode, lower(email COLLATE "C"), created_at)
  WHERE deleted_at IS NULL;
