-- AlterTable
ALTER TABLE "business" ADD COLUMN     "pause_disputed" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "dispute_status" TEXT,
ADD COLUMN     "disputed_cents" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "posting" ADD COLUMN     "movement_ref" TEXT;

-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "paused_reason" TEXT;

-- CreateTable
CREATE TABLE "dispute" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "payment_id" TEXT NOT NULL,
    "payment_link_id" TEXT NOT NULL,
    "gateway_ref" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "respond_by" TIMESTAMPTZ(6),
    "booked_currency" CHAR(3),
    "withdrawn_cents" INTEGER NOT NULL DEFAULT 0,
    "returned_cents" INTEGER NOT NULL DEFAULT 0,
    "fee_cents" INTEGER NOT NULL DEFAULT 0,
    "asked_at" TIMESTAMPTZ(6),
    "opened_at" TIMESTAMPTZ(6) NOT NULL,
    "closed_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT row_time(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT row_time(),

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dispute_movement" (
    "gateway_ref" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "dispute_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "fee_cents" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "dispute_movement_pkey" PRIMARY KEY ("gateway_ref")
);

-- CreateTable
CREATE TABLE "dispute_listing" (
    "account" TEXT NOT NULL,
    "listed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "dispute_listing_pkey" PRIMARY KEY ("account")
);

-- CreateTable
CREATE TABLE "sandbox_dispute" (
    "ref" TEXT NOT NULL,
    "charge_ref" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "fee_cents" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(6) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(6),
    "respond_by" TIMESTAMPTZ(6) NOT NULL,
    "decided_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "sandbox_dispute_pkey" PRIMARY KEY ("ref")
);

-- CreateIndex
CREATE UNIQUE INDEX "dispute_gateway_ref_key" ON "dispute"("gateway_ref");

-- CreateIndex
CREATE INDEX "dispute_business_id_livemode_created_at_id_idx" ON "dispute"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "dispute_business_id_livemode_currency_status_created_at_id_idx" ON "dispute"("business_id", "livemode", "currency", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "dispute_payment_id_idx" ON "dispute"("payment_id");

-- CreateIndex
CREATE INDEX "dispute_payment_link_id_idx" ON "dispute"("payment_link_id");

-- CreateIndex
CREATE INDEX "dispute_closed_at_idx" ON "dispute"("closed_at");

-- CreateIndex
CREATE UNIQUE INDEX "dispute_business_id_livemode_id_key" ON "dispute"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "dispute_movement_dispute_id_idx" ON "dispute_movement"("dispute_id");

-- CreateIndex
CREATE INDEX "sandbox_dispute_charge_ref_idx" ON "sandbox_dispute"("charge_ref");

-- AddForeignKey
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_business_id_livemode_payment_id_fkey" FOREIGN KEY ("business_id", "livemode", "payment_id") REFERENCES "payment"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "dispute_movement" ADD CONSTRAINT "dispute_movement_business_id_livemode_dispute_id_fkey" FOREIGN KEY ("business_id", "livemode", "dispute_id") REFERENCES "dispute"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sandbox_dispute" ADD CONSTRAINT "sandbox_dispute_charge_ref_fkey" FOREIGN KEY ("charge_ref") REFERENCES "sandbox_charge"("ref") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE dispute
  ADD CONSTRAINT dispute_amount CHECK (amount_cents > 0 AND withdrawn_cents >= 0 AND returned_cents >= 0),
  ADD CONSTRAINT dispute_booked CHECK (
    booked_currency IS NOT NULL OR (withdrawn_cents = 0 AND returned_cents = 0 AND fee_cents = 0)),
  ADD CONSTRAINT dispute_reason CHECK (reason IN (
    'fraudulent', 'unrecognized', 'not_received', 'not_as_described', 'duplicate', 'credit_not_processed',
    'subscription_canceled', 'general')),
  ADD CONSTRAINT dispute_status CHECK (status IN (
    'inquiry_needs_response', 'inquiry_under_review', 'inquiry_closed', 'needs_response', 'under_review', 'prevented', 'won',
    'lost')),
  ADD CONSTRAINT dispute_closed_at CHECK (
    (closed_at IS NOT NULL) = (status IN ('inquiry_closed', 'prevented', 'won', 'lost')));
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON dispute FOR EACH ROW
  WHEN (to_jsonb(OLD) - 'asked_at' IS DISTINCT FROM to_jsonb(NEW) - 'asked_at') EXECUTE FUNCTION touch_updated_at();
ALTER TABLE dispute_movement
  ADD CONSTRAINT dispute_movement_kind CHECK (kind IN ('withdrawn', 'returned')),
  ADD CONSTRAINT dispute_movement_amount CHECK (amount_cents >= 0);
CREATE TRIGGER dispute_movement_is_final BEFORE UPDATE OR DELETE ON dispute_movement
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE payment ADD CONSTRAINT payment_disputed CHECK (disputed_cents >= 0 AND (disputed_cents = 0 OR dispute_status IS NOT NULL));
ALTER TABLE subscription
  ADD CONSTRAINT subscription_paused_reason CHECK (paused_reason IS NULL OR (paused_reason = 'dispute' AND status = 'paused'));

-- The journal has the disputes' money, each movement once.
ALTER TABLE posting
  DROP CONSTRAINT posting_accounts,
  ADD CONSTRAINT posting_accounts CHECK ((kind, debit, credit) IN (
    ('payment', 'gateway', 'sales'),
    ('fee', 'fees', 'gateway'),
    ('refund', 'refunds', 'gateway'),
    ('refund_returned', 'gateway', 'refunds'),
    ('exchange_out', 'exchange', 'gateway'),
    ('exchange_in', 'gateway', 'exchange'),
    ('dispute', 'disputes', 'gateway'),
    ('dispute_returned', 'gateway', 'disputes'),
    ('dispute_fee', 'fees', 'gateway'),
    ('dispute_fee_returned', 'gateway', 'fees'))),
  ADD CONSTRAINT posting_movement CHECK ((movement_ref IS NOT NULL) = (kind LIKE 'dispute%')),
  ADD CONSTRAINT posting_of_movement FOREIGN KEY (movement_ref) REFERENCES dispute_movement (gateway_ref) ON DELETE RESTRICT ON UPDATE RESTRICT;
CREATE UNIQUE INDEX posting_of_movement_once ON posting (movement_ref, kind) WHERE movement_ref IS NOT NULL;
DROP INDEX posting_once;
CREATE UNIQUE INDEX posting_once ON posting (payment_id, kind, refund_id, currency) NULLS NOT DISTINCT WHERE movement_ref IS NULL;

-- The disputes that wait for an answer, for the overview.
CREATE INDEX dispute_waiting ON dispute (business_id, livemode, respond_by) WHERE status IN ('needs_response', 'inquiry_needs_response');

ALTER TABLE sandbox_dispute
  ADD CONSTRAINT sandbox_dispute_amount CHECK (amount_cents > 0 AND fee_cents >= 0),
  ADD CONSTRAINT sandbox_dispute_outcome CHECK (outcome IN ('won', 'lost', 'closed'));
