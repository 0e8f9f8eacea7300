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
