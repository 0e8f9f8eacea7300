-- AlterTable
ALTER TABLE "posting" ADD COLUMN     "balance_entry_id" TEXT,
ALTER COLUMN "payment_id" DROP NOT NULL,
ALTER COLUMN "amount_cents" SET DATA TYPE BIGINT;

-- CreateTable
CREATE TABLE "payout" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "gateway" TEXT NOT NULL,
    "gateway_account_id" TEXT,
    "gateway_ref" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" TEXT NOT NULL,
    "arrival_date" DATE NOT NULL,
    "complete" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT row_time(),

    CONSTRAINT "payout_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "balance_entry" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "gateway_account_id" TEXT,
    "gateway_ref" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "fee_cents" BIGINT NOT NULL,
    "net_cents" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "source_ref" TEXT,
    "charge_ref" TEXT,
    "gateway_key" TEXT,
    "payment_id" TEXT,
    "refund_id" TEXT,
    "payout_id" TEXT,
    "recorded" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "balance_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gateway_balance" (
    "id" BIGSERIAL NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "gateway_account_id" TEXT,
    "currency" CHAR(3) NOT NULL,
    "entries_cents" BIGINT NOT NULL DEFAULT 0,
    "gateway_cents" BIGINT,
    "as_of" TIMESTAMPTZ(6),

    CONSTRAINT "gateway_balance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "balance_import" (
    "id" BIGSERIAL NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "gateway_account_id" TEXT,
    "until" TIMESTAMPTZ(6),
    "opened" BOOLEAN NOT NULL DEFAULT false,
    "problem" TEXT,
    "refreshed_at" TIMESTAMPTZ(6),
    "next_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "balance_import_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_entry" (
    "id" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "source_ref" TEXT NOT NULL,
    "charge_ref" TEXT,
    "gateway_key" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "fee_cents" INTEGER NOT NULL DEFAULT 0,
    "currency" TEXT NOT NULL,
    "payout_ref" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "booked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "sandbox_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_payout" (
    "ref" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "sandbox_payout_pkey" PRIMARY KEY ("ref")
);

-- CreateIndex
CREATE INDEX "payout_business_id_livemode_created_at_id_idx" ON "payout"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payout_business_id_livemode_id_key" ON "payout"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "balance_entry_business_id_livemode_created_at_id_idx" ON "balance_entry"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "balance_entry_payment_id_idx" ON "balance_entry"("payment_id");

-- CreateIndex
CREATE INDEX "balance_entry_payout_id_created_at_id_idx" ON "balance_entry"("payout_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "balance_entry_business_id_livemode_id_key" ON "balance_entry"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "balance_import_next_at_idx" ON "balance_import"("next_at");

-- CreateIndex
CREATE INDEX "sandbox_entry_account_booked_at_id_idx" ON "sandbox_entry"("account", "booked_at", "id");

-- CreateIndex
CREATE INDEX "sandbox_entry_payout_ref_idx" ON "sandbox_entry"("payout_ref");

-- CreateIndex
CREATE INDEX "sandbox_payout_account_created_at_idx" ON "sandbox_payout"("account", "created_at");

-- CreateIndex
CREATE INDEX "sandbox_charge_account_created_at_idx" ON "sandbox_charge"("account", "created_at");

-- CreateIndex
CREATE INDEX "sandbox_refund_created_at_idx" ON "sandbox_refund"("created_at");

-- DropIndex
DROP INDEX "posting_business_id_livemode_currency_idx";

-- CreateIndex
CREATE INDEX "posting_business_id_livemode_created_at_id_idx" ON "posting"("business_id", "livemode", "created_at", "id");

-- By hand.
ALTER TABLE payout ADD CONSTRAINT payout_status CHECK (status IN ('pending', 'in_transit', 'paid', 'failed', 'canceled'));
CREATE UNIQUE INDEX payout_once ON payout (business_id, livemode, gateway_account_id, gateway_ref) NULLS NOT DISTINCT;
CREATE INDEX payout_incomplete ON payout (business_id, livemode, gateway_account_id) WHERE NOT complete;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON payout FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
ALTER TABLE balance_entry
  ADD CONSTRAINT balance_entry_net CHECK (net_cents = amount_cents - fee_cents),
  ADD CONSTRAINT balance_entry_type CHECK (type IN (
    'charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal', 'fee', 'payout', 'payout_failure', 'adjustment', 'opening'));
CREATE UNIQUE INDEX balance_entry_once ON balance_entry (business_id, livemode, gateway_account_id, gateway_ref) NULLS NOT DISTINCT;
CREATE INDEX balance_entry_unrecorded ON balance_entry (business_id, livemode, gateway_account_id, id) WHERE NOT recorded;
CREATE INDEX balance_entry_charge ON balance_entry (charge_ref) WHERE type = 'charge';
CREATE UNIQUE INDEX gateway_balance_once ON gateway_balance (business_id, livemode, gateway_account_id, currency) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX balance_import_once ON balance_import (business_id, livemode, gateway_account_id) NULLS NOT DISTINCT;
ALTER TABLE balance_import ADD CONSTRAINT balance_import_problem CHECK (problem IN ('forbidden', 'unreachable'));
CREATE INDEX sandbox_entry_unpaid ON sandbox_entry (account, currency, created_at) WHERE payout_ref IS NULL;
-- A movement belongs to a payment, or to an entry of the balance that has none.
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
    ('dispute_fee_returned', 'gateway', 'fees'),
    ('payout', 'bank', 'gateway'),
    ('payout_failed', 'gateway', 'bank'),
    ('gateway_fee', 'fees', 'gateway'),
    ('gateway_fee', 'gateway', 'fees'),
    ('adjustment', 'adjustments', 'gateway'),
    ('adjustment', 'gateway', 'adjustments'))),
  ADD CONSTRAINT posting_about CHECK (num_nonnulls(payment_id, balance_entry_id) = 1),
  ADD CONSTRAINT posting_of_entry FOREIGN KEY (business_id, livemode, balance_entry_id)
    REFERENCES balance_entry (business_id, livemode, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
DROP INDEX posting_once;
CREATE UNIQUE INDEX posting_once ON posting (payment_id, kind, refund_id, currency) NULLS NOT DISTINCT
  WHERE payment_id IS NOT NULL AND movement_ref IS NULL;
CREATE UNIQUE INDEX posting_of_entry_once ON posting (balance_entry_id, kind) WHERE balance_entry_id IS NOT NULL;
