-- migration 20261121000000_initial
-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "business" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "business_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "staff_user" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "staff_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "business_id" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "membership_pkey" PRIMARY KEY ("business_id","user_id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("business_id","livemode","key")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "payment_link" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "email" TEXT NOT NULL,
    "phone_no" TEXT,
    "currency" CHAR(3) NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "redirect_url" TEXT,
    "reference" TEXT,
    "reference_2" TEXT,
    "status" TEXT NOT NULL DEFAULT 'Active',
    "expires_at" TIMESTAMPTZ(6),
    "paid_at" TIMESTAMPTZ(6),
    "refunded_cents" INTEGER NOT NULL DEFAULT 0,
    "subscription_id" TEXT,
    "period_index" INTEGER,
    "period_start" TIMESTAMPTZ(6),
    "period_end" TIMESTAMPTZ(6),
    "deleted_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "payment_link_id" TEXT NOT NULL,
    "gateway" TEXT NOT NULL,
    "gateway_key" TEXT NOT NULL,
    "gateway_ref" TEXT,
    "amount_cents" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'created',
    "reason" TEXT,
    "card_brand" TEXT,
    "card_last4" TEXT,
    "settled_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_charge" (
    "gateway_key" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "merchant" TEXT NOT NULL,
    "return_path" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "card_brand" TEXT,
    "card_last4" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "sandbox_charge_pkey" PRIMARY KEY ("gateway_key")
);

-- CreateTable
CREATE TABLE "sandbox_card" (
    "ref" TEXT NOT NULL,
    "gateway_key" TEXT NOT NULL,
    "behaviour" TEXT NOT NULL,
    "brand" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "exp_month" INTEGER NOT NULL,
    "exp_year" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "sandbox_card_pkey" PRIMARY KEY ("ref")
);

-- CreateTable
CREATE TABLE "package" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "amount_cents" INTEGER NOT NULL,
    "frequency" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "date_charge_start" DATE,
    "status" TEXT NOT NULL DEFAULT 'active',
    "deleted_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "package_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "package_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "phone_no" TEXT,
    "status" TEXT NOT NULL DEFAULT 'created',
    "cancel_at_period_end" BOOLEAN NOT NULL DEFAULT false,
    "current_period_start" TIMESTAMPTZ(6),
    "current_period_end" TIMESTAMPTZ(6),
    "next_charge_at" TIMESTAMPTZ(6),
    "deleted_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tokenization" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "email" TEXT NOT NULL,
    "phone_no" TEXT,
    "redirect_url" TEXT,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "activated_at" TIMESTAMPTZ(6),
    "gateway" TEXT,
    "gateway_card" TEXT,
    "card_brand" TEXT,
    "card_last4" TEXT,
    "card_exp_month" INTEGER,
    "card_exp_year" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "tokenization_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "staff_user_email_key" ON "staff_user"("email");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_business_id_idx" ON "api_key"("business_id");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "rate_limit_expire_idx" ON "rate_limit"("expire");

-- CreateIndex
CREATE INDEX "payment_link_business_id_livemode_created_at_id_idx" ON "payment_link"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "payment_link_business_id_livemode_status_created_at_id_idx" ON "payment_link"("business_id", "livemode", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "payment_link_business_id_livemode_email_idx" ON "payment_link"("business_id", "livemode", "email");

-- CreateIndex
CREATE INDEX "payment_link_business_id_livemode_reference_idx" ON "payment_link"("business_id", "livemode", "reference");

-- CreateIndex
CREATE INDEX "payment_link_business_id_livemode_reference_2_idx" ON "payment_link"("business_id", "livemode", "reference_2");

-- CreateIndex
CREATE UNIQUE INDEX "payment_link_business_id_livemode_id_key" ON "payment_link"("business_id", "livemode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_link_subscription_id_period_index_key" ON "payment_link"("subscription_id", "period_index");

-- CreateIndex
CREATE UNIQUE INDEX "payment_gateway_key_key" ON "payment"("gateway_key");

-- CreateIndex
CREATE INDEX "payment_business_id_livemode_created_at_id_idx" ON "payment"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "payment_payment_link_id_idx" ON "payment"("payment_link_id");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_charge_ref_key" ON "sandbox_charge"("ref");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_card_gateway_key_key" ON "sandbox_card"("gateway_key");

-- CreateIndex
CREATE INDEX "package_business_id_livemode_created_at_id_idx" ON "package"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "package_business_id_livemode_id_key" ON "package"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "subscription_business_id_livemode_created_at_id_idx" ON "subscription"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscription_business_id_livemode_email_idx" ON "subscription"("business_id", "livemode", "email");

-- CreateIndex
CREATE INDEX "subscription_package_id_idx" ON "subscription"("package_id");

-- CreateIndex
CREATE UNIQUE INDEX "subscription_business_id_livemode_id_key" ON "subscription"("business_id", "livemode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tokenization_token_key" ON "tokenization"("token");

-- CreateIndex
CREATE INDEX "tokenization_business_id_livemode_created_at_id_idx" ON "tokenization"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "tokenization_business_id_livemode_email_idx" ON "tokenization"("business_id", "livemode", "email");

-- CreateIndex
CREATE UNIQUE INDEX "tokenization_business_id_livemode_id_key" ON "tokenization"("business_id", "livemode", "id");

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "membership"("business_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_business_id_livemode_subscription_id_fkey" FOREIGN KEY ("business_id", "livemode", "subscription_id") REFERENCES "subscription"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_business_id_livemode_payment_link_id_fkey" FOREIGN KEY ("business_id", "livemode", "payment_link_id") REFERENCES "payment_link"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "package" ADD CONSTRAINT "package_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_business_id_livemode_package_id_fkey" FOREIGN KEY ("business_id", "livemode", "package_id") REFERENCES "package"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "tokenization" ADD CONSTRAINT "tokenization_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what the Prisma schema cannot say.

-- Money and tenants
ALTER TABLE business ADD CONSTRAINT business_id_positive CHECK (id > 0);
ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_amount CHECK (amount_cents BETWEEN 500 AND 3000000),
  ADD CONSTRAINT payment_link_refunded CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  ADD CONSTRAINT payment_link_currency CHECK (currency ~ '^[A-Z]{3}$');
ALTER TABLE payment
  ADD CONSTRAINT payment_amount CHECK (amount_cents > 0),
  ADD CONSTRAINT payment_currency CHECK (currency ~ '^[A-Z]{3}$');
ALTER TABLE package
  ADD CONSTRAINT package_amount CHECK (amount_cents BETWEEN 500 AND 3000000),
  ADD CONSTRAINT package_currency CHECK (currency ~ '^[A-Z]{3}$');

-- States
ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_status CHECK (status IN ('Active', 'Inactive', 'Processing', 'Paid')),
  ADD CONSTRAINT payment_link_paid_at CHECK ((paid_at IS NOT NULL) = (status = 'Paid'));
ALTER TABLE payment
  ADD CONSTRAINT payment_status
    CHECK (status IN ('created', 'sending', 'requires_action', 'unknown', 'succeeded', 'failed')),
  ADD CONSTRAINT payment_reason CHECK ((reason IS NOT NULL) = (status = 'failed'));
ALTER TABLE tokenization
  ADD CONSTRAINT tokenization_status CHECK (status IN ('pending', 'active', 'revoked'));
ALTER TABLE package
  ADD CONSTRAINT package_status CHECK (status IN ('active', 'cancel')),
  ADD CONSTRAINT package_frequency
    CHECK (frequency IN ('daily', 'weekly', 'monthly', 'quarterly', 'semiannual', 'yearly'));
ALTER TABLE subscription
  ADD CONSTRAINT subscription_status
    CHECK (status IN ('created', 'active', 'past_due', 'paused', 'unpaid', 'cancel', 'completed'));
ALTER TABLE membership
  ADD CONSTRAINT membership_role CHECK (role IN ('owner', 'admin', 'member', 'viewer'));

-- Lengths that the API promises
ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_title CHECK (char_length(title) BETWEEN 1 AND 50),
  ADD CONSTRAINT payment_link_reference CHECK (char_length(reference) <= 50),
  ADD CONSTRAINT payment_link_reference_2 CHECK (char_length(reference_2) <= 50);

-- A link is paid once, and has one attempt in flight at a time.
CREATE UNIQUE INDEX payment_one_succeeded ON payment (payment_link_id) WHERE status = 'succeeded';
CREATE UNIQUE INDEX payment_one_open ON payment (payment_link_id)
  WHERE status IN ('created', 'sending', 'requires_action', 'unknown');

-- updated_at says when a row changed, whoever changed it.
CREATE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
-- Only what changes a row touches it: the same status again leaves updated_at alone.
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON business FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON staff_user FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON api_key FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON payment_link FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON payment FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON package FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON subscription FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON tokenization FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();

-- Counters of the last minutes: not worth a write-ahead log, and empty after a crash.
ALTER TABLE rate_limit SET UNLOGGED;
-- migration 20261121000100_search
-- Free text (the lists' q parameter): words, by prefix. The expressions must equal those in the services to the letter,
-- or the planner does not use the index.
CREATE INDEX payment_link_search ON payment_link USING gin (
  to_tsvector('simple', regexp_replace(lower(title || ' ' || email || ' ' || coalesce(reference, '') ||
 ' ' || coalesce(reference_2, '') || ' ' || coalesce(description, '')), '[^[:alnum:]]+', ' ', 'g')));

CREATE INDEX tokenization_search ON tokenization USING gin (
  to_tsvector('simple', regexp_replace(lower(title || ' ' || email), '[^[:alnum:]]+', ' ', 'g')));

CREATE INDEX package_search ON package USING gin (
  to_tsvector('simple', regexp_replace(lower(name || ' ' || coalesce(description, '')), '[^[:alnum:]]+', ' ', 'g')));

CREATE INDEX subscription_search ON subscription USING gin (
  to_tsvector('simple', regexp_replace(lower(email || ' ' || coalesce(phone_no, '')), '[^[:alnum:]]+', ' ', 'g')));
-- migration 20261121042339_money
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
-- migration 20261121051624_billing
-- AlterTable
ALTER TABLE "business" ADD COLUMN     "dunning_days" INTEGER[] DEFAULT ARRAY[2, 7, 14, 21]::INTEGER[],
ADD COLUMN     "dunning_end" TEXT NOT NULL DEFAULT 'unpaid',
ADD COLUMN     "test_clock_ahead" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "test_clock_target" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "attempt_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "failed_at" TIMESTAMPTZ(6),
ADD COLUMN     "failure" TEXT,
ADD COLUMN     "next_step_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "anchor" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "next_period" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "timezone" TEXT NOT NULL DEFAULT 'UTC';

-- CreateIndex
CREATE INDEX "subscription_business_id_livemode_next_charge_at_idx" ON "subscription"("business_id", "livemode", "next_charge_at");

-- By hand: what the Prisma schema cannot say.

-- What is there already was never charged: it begins now, or on its package's date. Nothing of the past is charged.
UPDATE subscription s SET
  timezone = b.timezone,
  anchor = to_char(CASE WHEN p.date_charge_start > (now() AT TIME ZONE b.timezone)::date
                        THEN p.date_charge_start::timestamp ELSE now() AT TIME ZONE b.timezone END,
                   'YYYY-MM-DD"T"HH24:MI:SS')
  FROM business b, package p WHERE b.id = s.business_id AND p.id = s.package_id;
UPDATE subscription SET next_charge_at = CASE WHEN status = 'created' AND deleted_at IS NULL
  THEN anchor::timestamp AT TIME ZONE timezone END;
ALTER TABLE subscription ALTER COLUMN anchor DROP DEFAULT, ALTER COLUMN timezone DROP DEFAULT;

ALTER TABLE subscription
  ADD CONSTRAINT subscription_period CHECK (next_period >= 0),
  ADD CONSTRAINT subscription_anchor CHECK (anchor ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$'),
  -- Nothing falls due where nothing is to be charged.
  ADD CONSTRAINT subscription_due CHECK (
    next_charge_at IS NULL OR (status IN ('created', 'active', 'past_due') AND deleted_at IS NULL));
ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_period CHECK (
    (subscription_id IS NULL) = (period_index IS NULL) AND (subscription_id IS NULL) = (period_start IS NULL)
    AND (subscription_id IS NULL) = (period_end IS NULL)),
  ADD CONSTRAINT payment_link_step CHECK (
    next_step_at IS NULL OR (subscription_id IS NOT NULL AND deleted_at IS NULL AND status IN ('Active', 'Processing')));
ALTER TABLE business
  ADD CONSTRAINT business_dunning_end CHECK (dunning_end IN ('unpaid', 'cancel')),
  ADD CONSTRAINT business_dunning_days CHECK (
    dunning_days IS NOT NULL AND cardinality(dunning_days) <= 10 AND 0 < ALL (dunning_days) AND 365 >= ALL (dunning_days)),
  ADD CONSTRAINT business_test_clock CHECK (test_clock_ahead >= 0);

-- What is due is found by its time: as many rows as there is work, however many subscriptions there are.
CREATE INDEX subscription_due ON subscription (next_charge_at) WHERE next_charge_at IS NOT NULL;
CREATE INDEX payment_link_due ON payment_link (next_step_at) WHERE next_step_at IS NOT NULL AND status = 'Active';
-- The oldest open period of a subscription, however many are paid.
CREATE INDEX payment_link_period_open ON payment_link (subscription_id, period_index)
  WHERE status IN ('Active', 'Processing') AND deleted_at IS NULL;
CREATE INDEX payment_link_due_of ON payment_link (business_id, livemode, next_step_at)
  WHERE next_step_at IS NOT NULL AND status = 'Active';
CREATE INDEX business_test_clock_ahead ON business (id) WHERE test_clock_ahead > 0;
-- The saved card of a subscriber, and the subscriptions of who has saved one.
CREATE INDEX tokenization_card ON tokenization (business_id, livemode, lower(email COLLATE "C"), activated_at) WHERE status = 'active';
CREATE INDEX subscription_email ON subscription (business_id, livemode, lower(email COLLATE "C")) WHERE deleted_at IS NULL;
CREATE INDEX subscription_of_package ON subscription (package_id)
  WHERE deleted_at IS NULL AND status NOT IN ('cancel', 'completed');
CREATE INDEX business_test_clock_target ON business (id) WHERE test_clock_target IS NOT NULL;
-- migration 20261121073145_events
-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "expiry_told" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "noticed_period" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "tokenization" ADD COLUMN     "expiry_told" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "event" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "payment_link_id" TEXT,
    "subscription_id" TEXT,
    "data" JSONB NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "email" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "event_id" TEXT,
    "payment_link_id" TEXT,
    "subscription_id" TEXT,
    "template" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "props" JSONB NOT NULL,
    "subject" TEXT,
    "html" TEXT,
    "text" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6) DEFAULT clock_timestamp(),
    "last_error" TEXT,
    "sent_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "email_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'enabled',
    "disabled_reason" TEXT,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_expires_at" TIMESTAMPTZ(6),
    "failing_since" TIMESTAMPTZ(6),
    "warned_at" TIMESTAMPTZ(6),
    "deleted_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6) DEFAULT clock_timestamp(),
    "succeeded_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "latency_ms" INTEGER NOT NULL,
    "response" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "event_business_id_livemode_created_at_id_idx" ON "event"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "event_business_id_livemode_type_created_at_id_idx" ON "event"("business_id", "livemode", "type", "created_at", "id");

-- CreateIndex
CREATE INDEX "event_payment_link_id_created_at_idx" ON "event"("payment_link_id", "created_at");

-- CreateIndex
CREATE INDEX "event_subscription_id_created_at_idx" ON "event"("subscription_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "event_resource_id_sequence_key" ON "event"("resource_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "event_business_id_livemode_id_key" ON "event"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "email_business_id_livemode_created_at_id_idx" ON "email"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "email_payment_link_id_created_at_idx" ON "email"("payment_link_id", "created_at");

-- CreateIndex
CREATE INDEX "email_subscription_id_created_at_idx" ON "email"("subscription_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_endpoint_business_id_livemode_created_at_id_idx" ON "webhook_endpoint"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoint_business_id_livemode_id_key" ON "webhook_endpoint"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_event_id_idx" ON "webhook_delivery"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_endpoint_id_event_id_key" ON "webhook_delivery"("endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_attempt_delivery_id_created_at_idx" ON "webhook_attempt"("delivery_id", "created_at");

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email" ADD CONSTRAINT "email_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_business_id_livemode_endpoint_id_fkey" FOREIGN KEY ("business_id", "livemode", "endpoint_id") REFERENCES "webhook_endpoint"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_business_id_livemode_event_id_fkey" FOREIGN KEY ("business_id", "livemode", "event_id") REFERENCES "event"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- By hand: what the Prisma schema cannot say.

-- What has happened stays as it was written.
CREATE TRIGGER event_is_final BEFORE UPDATE OR DELETE ON event FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE event
  ADD CONSTRAINT event_sequence CHECK (sequence > 0),
  ADD CONSTRAINT event_actor CHECK (actor_type IN ('api_key', 'user', 'payer', 'system'));
ALTER TABLE webhook_endpoint ADD CONSTRAINT webhook_endpoint_status CHECK (status IN ('enabled', 'disabled'));
ALTER TABLE webhook_delivery
  ADD CONSTRAINT webhook_delivery_status CHECK (status IN ('pending', 'succeeded', 'failed')),
  ADD CONSTRAINT webhook_delivery_due CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending'));
ALTER TABLE email
  ADD CONSTRAINT email_status CHECK (status IN ('queued', 'sent', 'outbox', 'failed')),
  ADD CONSTRAINT email_due CHECK ((next_attempt_at IS NOT NULL) = (status = 'queued'));

-- What is due is found by its time: as many rows as there is work.
CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX email_due ON email (next_attempt_at) WHERE status = 'queued';
CREATE INDEX webhook_endpoint_listening ON webhook_endpoint (business_id, livemode)
  WHERE status = 'enabled' AND deleted_at IS NULL;
CREATE INDEX payment_link_expiring ON payment_link (expires_at)
  WHERE expires_at IS NOT NULL AND NOT expiry_told AND status IN ('Active', 'Inactive') AND deleted_at IS NULL;
CREATE INDEX payment_link_expiring_of ON payment_link (business_id, expires_at)
  WHERE NOT livemode AND expires_at IS NOT NULL AND NOT expiry_told AND status IN ('Active', 'Inactive') AND deleted_at IS NULL;
CREATE INDEX tokenization_expiring ON tokenization (expires_at) WHERE NOT expiry_told AND status = 'pending';
CREATE INDEX tokenization_expiring_of ON tokenization (business_id, expires_at)
  WHERE NOT livemode AND NOT expiry_told AND status = 'pending';
CREATE INDEX subscription_unnoticed ON subscription (business_id, livemode, next_charge_at)
  WHERE next_charge_at IS NOT NULL AND noticed_period < next_period;

-- What expired before there were events is not told now, nor renewals that were never announced.
UPDATE payment_link SET expiry_told = true WHERE expires_at <= now();
UPDATE tokenization SET expiry_told = true WHERE expires_at <= now();

CREATE TRIGGER touch_updated_at BEFORE UPDATE ON webhook_endpoint FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON webhook_delivery FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
-- migration 20261121074249_webhook_deliveries
-- AlterTable
ALTER TABLE "webhook_delivery" ADD COLUMN     "claim" TEXT,
ADD COLUMN     "tries" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "type" TEXT,
ALTER COLUMN "event_id" DROP NOT NULL;

-- Deliveries that were written before carried their event's type.
UPDATE webhook_delivery SET type = event.type FROM event WHERE event.id = event_id;
ALTER TABLE "webhook_delivery" ALTER COLUMN "type" SET NOT NULL;

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_status_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_type_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "type", "created_at", "id");


-- By hand: what the Prisma schema cannot say.

ALTER TABLE webhook_delivery
  ADD CONSTRAINT webhook_delivery_counts CHECK (attempt_count >= 0 AND tries >= 0);
-- migration 20261121074341_people
-- AlterTable
ALTER TABLE "business" ADD COLUMN     "currency" CHAR(3) NOT NULL DEFAULT 'EUR';

-- AlterTable
ALTER TABLE "staff_user" ADD COLUMN     "last_business_id" INTEGER,
ADD COLUMN     "two_factor_at" TIMESTAMPTZ(6),
ADD COLUMN     "two_factor_secret" TEXT,
ADD COLUMN     "two_factor_step" BIGINT;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "address" TEXT,
ADD COLUMN     "user_agent" TEXT;

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "replaced_by" TEXT;

-- CreateTable
CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "invited_by" TEXT,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "accepted_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_code" (
    "user_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_id","hash")
);

-- CreateTable
CREATE TABLE "password_reset" (
    "token_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_business_id_created_at_id_idx" ON "invitation"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "password_reset_user_id_idx" ON "password_reset"("user_id");

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A member could do what a developer can, but for keys, and had no say over people.
ALTER TABLE membership DROP CONSTRAINT membership_role;
UPDATE membership SET role = 'developer' WHERE role = 'member';
ALTER TABLE membership
  ADD CONSTRAINT membership_role CHECK (role IN ('owner', 'admin', 'developer', 'support', 'viewer'));

ALTER TABLE business ADD CONSTRAINT business_currency CHECK (currency ~ '^[A-Z]{3}$');
ALTER TABLE staff_user ADD CONSTRAINT staff_user_two_factor CHECK (two_factor_at IS NULL OR two_factor_secret IS NOT NULL);

ALTER TABLE invitation
  ADD CONSTRAINT invitation_role CHECK (role IN ('owner', 'admin', 'developer', 'support', 'viewer')),
  ADD CONSTRAINT invitation_email CHECK (email = lower(email)),
  ADD CONSTRAINT invitation_end CHECK (accepted_at IS NULL OR revoked_at IS NULL);
CREATE UNIQUE INDEX invitation_one_open ON invitation (business_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON invitation FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();

-- What the lists of people and of a person's businesses show.
CREATE VIEW team_member AS
  SELECT m.business_id, m.user_id AS id, u.name, u.email, m.role, u.two_factor_at IS NOT NULL AS two_factor, m.created_at,
         (SELECT max(s.last_seen_at) FROM session s WHERE s.business_id = m.business_id AND s.user_id = m.user_id)
           AS last_seen_at
    FROM membership m JOIN staff_user u ON u.id = m.user_id;
CREATE VIEW person_business AS
  SELECT b.id::text AS id, m.user_id, b.name, m.role, m.created_at
    FROM membership m JOIN business b ON b.id = m.business_id;
-- migration 20261121074949_mail_settings
-- AlterTable
ALTER TABLE "business" ADD COLUMN     "renewal_notice_days" INTEGER NOT NULL DEFAULT 3,
ADD COLUMN     "send_receipts" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "support_email" TEXT;

-- By hand: what the Prisma schema cannot say.
ALTER TABLE business ADD CONSTRAINT business_renewal_notice_days CHECK (renewal_notice_days BETWEEN 0 AND 30);
-- migration 20261121075531_reports
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
-- migration 20261121080541_timeline
-- CreateTable
CREATE TABLE "link_visit" (
    "payment_link_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(6) NOT NULL,
    "visits" INTEGER NOT NULL DEFAULT 1,
    "last_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "link_visit_pkey" PRIMARY KEY ("payment_link_id","hour")
);

-- AddForeignKey
ALTER TABLE "link_visit" ADD CONSTRAINT "link_visit_payment_link_id_fkey" FOREIGN KEY ("payment_link_id") REFERENCES "payment_link"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- migration 20261121091643_branding_audit
-- AlterTable
ALTER TABLE "business" ADD COLUMN     "brand_colour" CHAR(7),
ADD COLUMN     "logo_hash" TEXT,
ADD COLUMN     "logo_height" INTEGER,
ADD COLUMN     "logo_width" INTEGER,
ADD COLUMN     "support_phone" TEXT,
ADD COLUMN     "thank_you_text" TEXT;

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "address" TEXT,
    "request_id" TEXT,
    "action" TEXT NOT NULL,
    "resource_id" TEXT,
    "about" TEXT,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "business_logo" (
    "business_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "business_logo_pkey" PRIMARY KEY ("business_id","hash")
);

-- CreateIndex
CREATE INDEX "audit_entry_business_id_created_at_id_idx" ON "audit_entry"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_business_id_action_created_at_id_idx" ON "audit_entry"("business_id", "action", "created_at", "id");

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "business_logo" ADD CONSTRAINT "business_logo_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- By hand: what the Prisma schema cannot say.
ALTER TABLE business
  ADD CONSTRAINT business_brand_colour CHECK (brand_colour ~ '^#[0-9a-f]{6}$'),
  ADD CONSTRAINT business_logo_whole CHECK (num_nulls(logo_hash, logo_width, logo_height) IN (0, 3)),
  ADD CONSTRAINT business_logo_shown FOREIGN KEY (id, logo_hash) REFERENCES business_logo (business_id, hash);
ALTER TABLE business_logo
  ADD CONSTRAINT business_logo_hash CHECK (hash ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT business_logo_type CHECK (type IN ('image/png', 'image/jpeg')),
  ADD CONSTRAINT business_logo_size CHECK (octet_length(content) BETWEEN 1 AND 24576);
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_actor CHECK (actor_type IN ('api_key', 'user', 'system'));

-- Who did what stays as it was written.
CREATE TRIGGER audit_entry_is_final BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_is_whole BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- migration 20261121093452_requests
-- CreateTable
CREATE TABLE "api_request" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "query" TEXT,
    "status" INTEGER NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,
    "request_id" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "request_body" TEXT,
    "response_body" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "api_request_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_request_business_id_livemode_created_at_id_idx" ON "api_request"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_request_business_id_livemode_actor_id_created_at_id_idx" ON "api_request"("business_id", "livemode", "actor_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_request_created_at_idx" ON "api_request" USING BRIN ("created_at");

-- AddForeignKey
ALTER TABLE "api_request" ADD CONSTRAINT "api_request_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand: what the Prisma schema cannot say.
ALTER TABLE "api_request"
  ADD CONSTRAINT "api_request_actor_type" CHECK ("actor_type" IN ('api_key', 'user')),
  ADD CONSTRAINT "api_request_bodies" CHECK (octet_length("request_body") <= 4096 AND octet_length("response_body") <= 4096);
-- migration 20261121110932_mail_lanes
-- AlterTable
ALTER TABLE "email" ADD COLUMN     "copy_of" TEXT,
ADD COLUMN     "staff" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "email_business_id_livemode_to_created_at_id_idx" ON "email"("business_id", "livemode", "to", "created_at", "id");

-- By hand: what the Prisma schema cannot say.

UPDATE email SET staff = true WHERE template IN ('invitation', 'password_reset', 'webhook_failing');

-- What is queued, lane by lane (lib/mail/lanes.ts).
DROP INDEX email_due;
CREATE INDEX email_lane ON email (staff, business_id, next_attempt_at) WHERE status = 'queued';

-- How often somebody was sent a mail again (lib/emails/service.ts).
CREATE INDEX email_copies ON email (business_id, livemode, lower("to" COLLATE "C"), created_at) WHERE copy_of IS NOT NULL;
-- migration 20261121111500_settings_touched
-- The test clock's ticking is no change of the settings: whoever edits them must not be told that somebody else did.
DROP TRIGGER touch_updated_at ON business;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON business FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{test_clock_ahead,test_clock_target}'::text[]
        IS DISTINCT FROM to_jsonb(NEW) - '{test_clock_ahead,test_clock_target}'::text[])
  EXECUTE FUNCTION touch_updated_at();
-- migration 20261121113215_timeline_and_indexes
-- AlterTable
ALTER TABLE "link_visit" ADD COLUMN     "subscription_id" TEXT;

-- AlterTable
ALTER TABLE "webhook_delivery" ADD COLUMN     "subscription_id" TEXT;

-- By hand: what the Prisma schema cannot say.

-- The two tables are closed until this is done, which takes as long as reading webhook_delivery and writing what belongs to a
-- subscription; whoever writes to them meanwhile answers 503 (docs/operations.md, Upgrades).
-- What was there before belongs to its subscription's timeline too. Its times stay as they are.
ALTER TABLE webhook_delivery DISABLE TRIGGER touch_updated_at;
UPDATE webhook_delivery d SET subscription_id = e.subscription_id
  FROM event e WHERE e.id = d.event_id AND e.subscription_id IS NOT NULL;
ALTER TABLE webhook_delivery ENABLE TRIGGER touch_updated_at;
UPDATE link_visit v SET subscription_id = l.subscription_id
  FROM payment_link l WHERE l.id = v.payment_link_id AND l.subscription_id IS NOT NULL;

-- A page of a timeline is read from the end of each.
CREATE INDEX webhook_delivery_timeline ON webhook_delivery (subscription_id, (coalesce(succeeded_at, updated_at)))
  WHERE subscription_id IS NOT NULL;
CREATE INDEX link_visit_timeline ON link_visit (subscription_id, last_at) WHERE subscription_id IS NOT NULL;
-- migration 20261121113558_forgetting
-- CreateIndex
CREATE INDEX "webhook_attempt_created_at_idx" ON "webhook_attempt"("created_at");

-- DropIndex
DROP INDEX "api_request_created_at_idx";

-- CreateIndex
CREATE INDEX "api_request_created_at_idx" ON "api_request"("created_at");

-- By hand: what the Prisma schema cannot say.

-- What is deleted is found by its time in an index of its own: one of ranges (BRIN) finds less and less once the room of what
-- was deleted is used again.
-- What is deleted when it is old enough (lib/jobs/forget.ts).
CREATE INDEX email_forgotten ON email (created_at) WHERE NOT livemode AND status <> 'queued';
CREATE INDEX webhook_delivery_forgotten ON webhook_delivery (created_at) WHERE NOT livemode AND status <> 'pending';

-- That deliveries fail, or go well again, is no change of the endpoint: whoever edits it must not be told that somebody else did.
DROP TRIGGER touch_updated_at ON webhook_endpoint;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON webhook_endpoint FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{failing_since,warned_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{failing_since,warned_at}'::text[])
  EXECUTE FUNCTION touch_updated_at();
-- migration 20261121131000_unused_indexes
-- DropIndex
DROP INDEX "payment_link_business_id_livemode_email_idx";

-- DropIndex
DROP INDEX "payment_link_business_id_livemode_reference_idx";

-- DropIndex
DROP INDEX "payment_link_business_id_livemode_reference_2_idx";

-- DropIndex
DROP INDEX "subscription_business_id_livemode_email_idx";

-- DropIndex
DROP INDEX "tokenization_business_id_livemode_email_idx";

-- By hand: what the Prisma schema cannot say.

-- E-mails are compared in lower case, by payment_link_customer, subscription_customer and tokenization_customer, which begin
-- with the same columns as subscription_email. Most links have no reference. What is left is written with every charge.
-- All of this is one transaction: links, subscriptions and cards are closed while the two indexes are made, a second or so
-- for a million links.
DROP INDEX subscription_email;
CREATE INDEX payment_link_reference ON payment_link (business_id, livemode, reference) WHERE reference IS NOT NULL;
CREATE INDEX payment_link_reference_2 ON payment_link (business_id, livemode, reference_2) WHERE reference_2 IS NOT NULL;
-- migration 20261121194000_deleted_links_customer
-- A customer's payments are also those of links that were deleted, which payment_link_customer leaves out. They are few, so
-- making a link costs nothing more.
CREATE INDEX payment_link_deleted_customer ON payment_link (business_id, livemode, lower(email COLLATE "C"))
  WHERE deleted_at IS NOT NULL;
-- migration 20261122024628_request_id
-- CreateIndex
CREATE INDEX "api_request_business_id_livemode_request_id_idx" ON "api_request"("business_id", "livemode", "request_id");
-- migration 20261122024800_invitation_mails
-- How often somebody was invited by mail, by whichever businesses (lib/team/invitations.ts).
CREATE INDEX email_invitations ON email ("to", created_at) WHERE template = 'invitation';
-- migration 20261122061000_payment_tokenization
-- What a saved card was charged, which its page shows: the filter of GET /payments. Most payments are of no saved card.
CREATE INDEX payment_tokenization ON payment (tokenization_id, created_at, id) WHERE tokenization_id IS NOT NULL;
