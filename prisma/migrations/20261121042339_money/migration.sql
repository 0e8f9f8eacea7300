-- AlterTable
ALTER TABLE "idempotency_key" ADD COLUMN     "locked_until" TIMESTAMPTZ(6),
ADD COLUMN     "operation" TEXT,
ALTER COLUMN "status" DROP NOT NULL,
ALTER COLUMN "body" DROP NOT NULL;

-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "asked_at" TIMESTAMPTZ(6),
ADD COLUMN     "fee_cents" INTEGER,
ADD COLUMN     "fee_currency" CHAR(3),
ADD COLUMN     "gateway_account_id" TEXT,
ADD COLUMN     "receipt_token" TEXT,
ADD COLUMN     "refund_pending_cents" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refunded_cents" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "tokenization_id" TEXT;

-- AlterTable
ALTER TABLE "sandbox_charge" ADD COLUMN     "account" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "behaviour" TEXT NOT NULL DEFAULT 'succeed',
ADD COLUMN     "fee_cents" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refunded_cents" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "settles_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "sandbox_card" ADD COLUMN     "account" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "tokenization" ADD COLUMN     "gateway_account_id" TEXT,
ADD COLUMN     "setup_asked_at" TIMESTAMPTZ(6),
ADD COLUMN     "setup_ref" TEXT;

-- CreateTable
CREATE TABLE "refund" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "payment_id" TEXT NOT NULL,
    "payment_link_id" TEXT NOT NULL,
    "gateway_key" TEXT NOT NULL,
    "gateway_ref" TEXT,
    "amount_cents" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "reason" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "failure_reason" TEXT,
    "asked_at" TIMESTAMPTZ(6),
    "settled_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "refund_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "posting" (
    "id" BIGSERIAL NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "kind" TEXT NOT NULL,
    "payment_id" TEXT NOT NULL,
    "refund_id" TEXT,
    "debit" TEXT NOT NULL,
    "credit" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "posting_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gateway_account" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "gateway" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "secrets" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "replaced_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "gateway_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_refund" (
    "gateway_key" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "charge_ref" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "failure_reason" TEXT,
    "settles_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "sandbox_refund_pkey" PRIMARY KEY ("gateway_key")
);

-- CreateTable
CREATE TABLE "sandbox_callback" (
    "id" BIGSERIAL NOT NULL,
    "account" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sandbox_callback_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_fault" (
    "account" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "share" DOUBLE PRECISION NOT NULL,
    "ms" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "sandbox_fault_pkey" PRIMARY KEY ("account","kind")
);

-- CreateIndex
CREATE UNIQUE INDEX "refund_gateway_key_key" ON "refund"("gateway_key");

-- CreateIndex
CREATE UNIQUE INDEX "refund_gateway_ref_key" ON "refund"("gateway_ref");

-- CreateIndex
CREATE INDEX "refund_business_id_livemode_created_at_id_idx" ON "refund"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "refund_payment_id_idx" ON "refund"("payment_id");

-- CreateIndex
CREATE INDEX "refund_payment_link_id_idx" ON "refund"("payment_link_id");

-- CreateIndex
CREATE UNIQUE INDEX "refund_business_id_livemode_id_key" ON "refund"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "posting_business_id_livemode_currency_idx" ON "posting"("business_id", "livemode", "currency");

-- CreateIndex
CREATE INDEX "posting_payment_id_idx" ON "posting"("payment_id");

-- CreateIndex
CREATE UNIQUE INDEX "gateway_account_business_id_livemode_id_key" ON "gateway_account"("business_id", "livemode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "gateway_account_business_id_livemode_gateway_external_id_key" ON "gateway_account"("business_id", "livemode", "gateway", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_refund_ref_key" ON "sandbox_refund"("ref");

-- CreateIndex
CREATE INDEX "sandbox_refund_charge_ref_idx" ON "sandbox_refund"("charge_ref");

-- CreateIndex
CREATE INDEX "sandbox_callback_due_at_idx" ON "sandbox_callback"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "payment_receipt_token_key" ON "payment"("receipt_token");

-- CreateIndex
CREATE UNIQUE INDEX "payment_business_id_livemode_id_key" ON "payment"("business_id", "livemode", "id");

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_business_id_livemode_gateway_account_id_fkey" FOREIGN KEY ("business_id", "livemode", "gateway_account_id") REFERENCES "gateway_account"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_business_id_livemode_tokenization_id_fkey" FOREIGN KEY ("business_id", "livemode", "tokenization_id") REFERENCES "tokenization"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_business_id_livemode_payment_id_fkey" FOREIGN KEY ("business_id", "livemode", "payment_id") REFERENCES "payment"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "gateway_account" ADD CONSTRAINT "gateway_account_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_refund" ADD CONSTRAINT "sandbox_refund_charge_ref_fkey" FOREIGN KEY ("charge_ref") REFERENCES "sandbox_charge"("ref") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tokenization" ADD CONSTRAINT "tokenization_business_id_livemode_gateway_account_id_fkey" FOREIGN KEY ("business_id", "livemode", "gateway_account_id") REFERENCES "gateway_account"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- By hand: what the Prisma schema cannot say.

-- What the sandbox already keeps belongs to somebody.
UPDATE sandbox_charge c SET account = p.business_id::text FROM payment p WHERE p.gateway_key = c.gateway_key;
UPDATE sandbox_card c SET account = t.business_id::text FROM tokenization t WHERE t.gateway_card = c.ref;
ALTER TABLE sandbox_charge ALTER COLUMN account DROP DEFAULT;
ALTER TABLE sandbox_card ALTER COLUMN account DROP DEFAULT;

-- Money
ALTER TABLE payment
  ADD CONSTRAINT payment_refunds CHECK (
    refunded_cents >= 0 AND refund_pending_cents >= 0 AND refunded_cents + refund_pending_cents <= amount_cents),
  ADD CONSTRAINT payment_refunds_of_success CHECK (
    status = 'succeeded' OR (refunded_cents = 0 AND refund_pending_cents = 0)),
  ADD CONSTRAINT payment_fee CHECK (fee_cents >= 0 AND (fee_cents IS NULL) = (fee_currency IS NULL));
ALTER TABLE refund
  ADD CONSTRAINT refund_amount CHECK (amount_cents > 0),
  ADD CONSTRAINT refund_status CHECK (status IN ('pending', 'succeeded', 'failed')),
  ADD CONSTRAINT refund_failure CHECK ((failure_reason IS NOT NULL) = (status = 'failed'));
ALTER TABLE posting
  ADD CONSTRAINT posting_amount CHECK (amount_cents > 0),
  ADD CONSTRAINT posting_accounts CHECK ((kind, debit, credit) IN (
    ('payment', 'gateway', 'sales'),
    ('fee', 'fees', 'gateway'),
    ('refund', 'refunds', 'gateway'),
    ('refund_returned', 'gateway', 'refunds'))),
  ADD CONSTRAINT posting_of FOREIGN KEY (business_id, livemode, payment_id)
    REFERENCES payment (business_id, livemode, id) ON DELETE RESTRICT ON UPDATE RESTRICT,
  ADD CONSTRAINT posting_of_refund FOREIGN KEY (business_id, livemode, refund_id)
    REFERENCES refund (business_id, livemode, id) ON DELETE RESTRICT ON UPDATE RESTRICT,
  ADD CONSTRAINT posting_refund CHECK ((refund_id IS NOT NULL) = (kind IN ('refund', 'refund_returned')));
-- Every movement is written down once, whoever learns of it.
CREATE UNIQUE INDEX posting_once ON posting (payment_id, kind, refund_id) NULLS NOT DISTINCT;

-- A journal is added to, never changed.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only added to', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER posting_is_final BEFORE UPDATE OR DELETE ON posting FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A mode has one account in use.
CREATE UNIQUE INDEX gateway_account_in_use ON gateway_account (business_id, livemode) WHERE replaced_at IS NULL;

-- What the sweep asks about: as many rows as there is work, however many there are in all.
CREATE INDEX payment_open ON payment (asked_at NULLS FIRST, id)
  WHERE status IN ('created', 'sending', 'requires_action', 'unknown');
CREATE INDEX refund_open ON refund (asked_at NULLS FIRST, id) WHERE status = 'pending';
CREATE INDEX payment_settled ON payment (settled_at)
  WHERE status = 'succeeded' AND (fee_cents IS NULL OR refunded_cents > 0);
CREATE INDEX tokenization_setup ON tokenization (setup_asked_at NULLS FIRST, id)
  WHERE status = 'pending' AND setup_ref IS NOT NULL;

-- A key's answer is there whole or not yet.
ALTER TABLE idempotency_key
  ADD CONSTRAINT idempotency_key_answer CHECK ((status IS NULL) = (body IS NULL)),
  ADD CONSTRAINT idempotency_key_claim CHECK (status IS NOT NULL OR (operation IS NOT NULL AND locked_until IS NOT NULL));

CREATE TRIGGER touch_updated_at BEFORE UPDATE ON refund FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON gateway_account FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();

-- What was paid before the journal began.
UPDATE payment SET receipt_token = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
 WHERE status = 'succeeded';
INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency, created_at)
SELECT business_id, livemode, 'payment', id, 'gateway', 'sales', amount_cents, currency, coalesce(settled_at, created_at)
  FROM payment WHERE status = 'succeeded';

ALTER TABLE payment
  ADD CONSTRAINT payment_receipt CHECK ((receipt_token IS NOT NULL) = (status = 'succeeded'));
