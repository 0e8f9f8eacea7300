-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

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
CREATE TABLE "business" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "currency" CHAR(3) NOT NULL DEFAULT 'EUR',
    "dunning_days" INTEGER[] DEFAULT ARRAY[2, 7, 14, 21]::INTEGER[],
    "dunning_end" TEXT NOT NULL DEFAULT 'unpaid',
    "test_clock_ahead" BIGINT NOT NULL DEFAULT 0,
    "test_clock_target" TIMESTAMPTZ(6),
    "support_email" TEXT,
    "renewal_notice_days" INTEGER NOT NULL DEFAULT 3,
    "send_receipts" BOOLEAN NOT NULL DEFAULT true,
    "brand_colour" CHAR(7),
    "logo_hash" TEXT,
    "logo_width" INTEGER,
    "logo_height" INTEGER,
    "support_phone" TEXT,
    "thank_you_text" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "business_pkey" PRIMARY KEY ("id")
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

-- CreateTable
CREATE TABLE "staff_user" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "two_factor_secret" TEXT,
    "two_factor_at" TIMESTAMPTZ(6),
    "two_factor_step" BIGINT,
    "last_business_id" INTEGER,
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
    "address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

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

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "hint" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "replaced_by" TEXT,
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
    "operation" TEXT,
    "locked_until" TIMESTAMPTZ(6),
    "status" INTEGER,
    "body" TEXT,
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
CREATE TABLE "email" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "event_id" TEXT,
    "copy_of" TEXT,
    "payment_link_id" TEXT,
    "subscription_id" TEXT,
    "staff" BOOLEAN NOT NULL DEFAULT false,
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
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "failed_at" TIMESTAMPTZ(6),
    "failure" TEXT,
    "next_step_at" TIMESTAMPTZ(6),
    "expiry_told" BOOLEAN NOT NULL DEFAULT false,
    "deleted_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_link_pkey" PRIMARY KEY ("id")
);

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

-- CreateTable
CREATE TABLE "payment" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "payment_link_id" TEXT NOT NULL,
    "gateway" TEXT NOT NULL,
    "gateway_account_id" TEXT,
    "gateway_key" TEXT NOT NULL,
    "gateway_ref" TEXT,
    "tokenization_id" TEXT,
    "amount_cents" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'created',
    "reason" TEXT,
    "card_brand" TEXT,
    "card_last4" TEXT,
    "fee_cents" INTEGER,
    "fee_currency" CHAR(3),
    "refunded_cents" INTEGER NOT NULL DEFAULT 0,
    "refund_pending_cents" INTEGER NOT NULL DEFAULT 0,
    "receipt_token" TEXT,
    "asked_at" TIMESTAMPTZ(6),
    "settled_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "payment_pkey" PRIMARY KEY ("id")
);

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

-- CreateTable
CREATE TABLE "sandbox_charge" (
    "gateway_key" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "fee_cents" INTEGER NOT NULL DEFAULT 0,
    "merchant" TEXT NOT NULL,
    "return_path" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "card_brand" TEXT,
    "card_last4" TEXT,
    "settles_at" TIMESTAMPTZ(6),
    "behaviour" TEXT NOT NULL DEFAULT 'succeed',
    "refunded_cents" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "sandbox_charge_pkey" PRIMARY KEY ("gateway_key")
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
CREATE TABLE "sandbox_card" (
    "ref" TEXT NOT NULL,
    "account" TEXT NOT NULL,
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
    "anchor" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "next_period" INTEGER NOT NULL DEFAULT 0,
    "next_charge_at" TIMESTAMPTZ(6),
    "noticed_period" INTEGER NOT NULL DEFAULT 0,
    "current_period_start" TIMESTAMPTZ(6),
    "current_period_end" TIMESTAMPTZ(6),
    "deleted_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link_visit" (
    "payment_link_id" TEXT NOT NULL,
    "subscription_id" TEXT,
    "hour" TIMESTAMPTZ(6) NOT NULL,
    "visits" INTEGER NOT NULL DEFAULT 1,
    "last_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "link_visit_pkey" PRIMARY KEY ("payment_link_id","hour")
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
    "expiry_told" BOOLEAN NOT NULL DEFAULT false,
    "activated_at" TIMESTAMPTZ(6),
    "gateway" TEXT,
    "gateway_account_id" TEXT,
    "gateway_card" TEXT,
    "setup_ref" TEXT,
    "setup_asked_at" TIMESTAMPTZ(6),
    "card_brand" TEXT,
    "card_last4" TEXT,
    "card_exp_month" INTEGER,
    "card_exp_year" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "tokenization_pkey" PRIMARY KEY ("id")
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
    "event_id" TEXT,
    "subscription_id" TEXT,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "claim" TEXT,
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
CREATE INDEX "audit_entry_business_id_created_at_id_idx" ON "audit_entry"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "audit_entry_business_id_action_created_at_id_idx" ON "audit_entry"("business_id", "action", "created_at", "id");

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
CREATE UNIQUE INDEX "staff_user_email_key" ON "staff_user"("email");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_business_id_created_at_id_idx" ON "invitation"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "password_reset_user_id_idx" ON "password_reset"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_business_id_idx" ON "api_key"("business_id");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "rate_limit_expire_idx" ON "rate_limit"("expire");

-- CreateIndex
CREATE INDEX "email_business_id_livemode_created_at_id_idx" ON "email"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "email_business_id_livemode_to_created_at_id_idx" ON "email"("business_id", "livemode", "to", "created_at", "id");

-- CreateIndex
CREATE INDEX "email_payment_link_id_created_at_idx" ON "email"("payment_link_id", "created_at");

-- CreateIndex
CREATE INDEX "email_subscription_id_created_at_idx" ON "email"("subscription_id", "created_at");

-- CreateIndex
CREATE INDEX "payment_link_business_id_livemode_created_at_id_idx" ON "payment_link"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "payment_link_business_id_livemode_status_created_at_id_idx" ON "payment_link"("business_id", "livemode", "status", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_link_business_id_livemode_id_key" ON "payment_link"("business_id", "livemode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_link_subscription_id_period_index_key" ON "payment_link"("subscription_id", "period_index");

-- CreateIndex
CREATE UNIQUE INDEX "payment_gateway_key_key" ON "payment"("gateway_key");

-- CreateIndex
CREATE UNIQUE INDEX "payment_receipt_token_key" ON "payment"("receipt_token");

-- CreateIndex
CREATE INDEX "payment_business_id_livemode_created_at_id_idx" ON "payment"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "payment_payment_link_id_idx" ON "payment"("payment_link_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_business_id_livemode_id_key" ON "payment"("business_id", "livemode", "id");

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
CREATE INDEX "api_request_business_id_livemode_created_at_id_idx" ON "api_request"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_request_business_id_livemode_actor_id_created_at_id_idx" ON "api_request"("business_id", "livemode", "actor_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "api_request_business_id_livemode_request_id_idx" ON "api_request"("business_id", "livemode", "request_id");

-- CreateIndex
CREATE INDEX "api_request_created_at_idx" ON "api_request"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_charge_ref_key" ON "sandbox_charge"("ref");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_refund_ref_key" ON "sandbox_refund"("ref");

-- CreateIndex
CREATE INDEX "sandbox_refund_charge_ref_idx" ON "sandbox_refund"("charge_ref");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_card_gateway_key_key" ON "sandbox_card"("gateway_key");

-- CreateIndex
CREATE INDEX "sandbox_callback_due_at_idx" ON "sandbox_callback"("due_at");

-- CreateIndex
CREATE INDEX "package_business_id_livemode_created_at_id_idx" ON "package"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "package_business_id_livemode_id_key" ON "package"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "subscription_business_id_livemode_created_at_id_idx" ON "subscription"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscription_package_id_idx" ON "subscription"("package_id");

-- CreateIndex
CREATE INDEX "subscription_business_id_livemode_next_charge_at_idx" ON "subscription"("business_id", "livemode", "next_charge_at");

-- CreateIndex
CREATE UNIQUE INDEX "subscription_business_id_livemode_id_key" ON "subscription"("business_id", "livemode", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tokenization_token_key" ON "tokenization"("token");

-- CreateIndex
CREATE INDEX "tokenization_business_id_livemode_created_at_id_idx" ON "tokenization"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tokenization_business_id_livemode_id_key" ON "tokenization"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "webhook_endpoint_business_id_livemode_created_at_id_idx" ON "webhook_endpoint"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoint_business_id_livemode_id_key" ON "webhook_endpoint"("business_id", "livemode", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_status_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_type_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "type", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_event_id_idx" ON "webhook_delivery"("event_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_endpoint_id_event_id_key" ON "webhook_delivery"("endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_attempt_delivery_id_created_at_idx" ON "webhook_attempt"("delivery_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_attempt_created_at_idx" ON "webhook_attempt"("created_at");

-- AddForeignKey
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "business_logo" ADD CONSTRAINT "business_logo_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "membership"("business_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "email" ADD CONSTRAINT "email_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_business_id_livemode_subscription_id_fkey" FOREIGN KEY ("business_id", "livemode", "subscription_id") REFERENCES "subscription"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payment_link_import" ADD CONSTRAINT "payment_link_import_business_id_livemode_payment_link_id_fkey" FOREIGN KEY ("business_id", "livemode", "payment_link_id") REFERENCES "payment_link"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_business_id_livemode_payment_link_id_fkey" FOREIGN KEY ("business_id", "livemode", "payment_link_id") REFERENCES "payment_link"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_business_id_livemode_gateway_account_id_fkey" FOREIGN KEY ("business_id", "livemode", "gateway_account_id") REFERENCES "gateway_account"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payment" ADD CONSTRAINT "payment_business_id_livemode_tokenization_id_fkey" FOREIGN KEY ("business_id", "livemode", "tokenization_id") REFERENCES "tokenization"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refund" ADD CONSTRAINT "refund_business_id_livemode_payment_id_fkey" FOREIGN KEY ("business_id", "livemode", "payment_id") REFERENCES "payment"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "gateway_account" ADD CONSTRAINT "gateway_account_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_request" ADD CONSTRAINT "api_request_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_refund" ADD CONSTRAINT "sandbox_refund_charge_ref_fkey" FOREIGN KEY ("charge_ref") REFERENCES "sandbox_charge"("ref") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "package" ADD CONSTRAINT "package_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription" ADD CONSTRAINT "subscription_business_id_livemode_package_id_fkey" FOREIGN KEY ("business_id", "livemode", "package_id") REFERENCES "package"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "link_visit" ADD CONSTRAINT "link_visit_payment_link_id_fkey" FOREIGN KEY ("payment_link_id") REFERENCES "payment_link"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tokenization" ADD CONSTRAINT "tokenization_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tokenization" ADD CONSTRAINT "tokenization_business_id_livemode_gateway_account_id_fkey" FOREIGN KEY ("business_id", "livemode", "gateway_account_id") REFERENCES "gateway_account"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_business_id_livemode_endpoint_id_fkey" FOREIGN KEY ("business_id", "livemode", "endpoint_id") REFERENCES "webhook_endpoint"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_business_id_livemode_event_id_fkey" FOREIGN KEY ("business_id", "livemode", "event_id") REFERENCES "event"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: what the Prisma schema cannot say.

-- Updates set updated_at, whoever makes them. An update that changes nothing leaves it alone.
CREATE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON staff_user FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON api_key FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON invitation FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON payment_link FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON payment FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON refund FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON gateway_account FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON tokenization FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON package FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON subscription FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON webhook_delivery FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();
-- updated_at is also the version that the settings and endpoint forms check. The columns that workers write leave it alone,
-- so that an edit of the form does not fail as stale.
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON business FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{test_clock_ahead,test_clock_target}'::text[]
        IS DISTINCT FROM to_jsonb(NEW) - '{test_clock_ahead,test_clock_target}'::text[])
  EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON webhook_endpoint FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{failing_since,warned_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{failing_since,warned_at}'::text[])
  EXECUTE FUNCTION touch_updated_at();

-- Append-only tables.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only added to', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER posting_is_final BEFORE UPDATE OR DELETE ON posting FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_is_final BEFORE UPDATE OR DELETE ON event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entry_is_final BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_is_whole BEFORE TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Rate-limit counters need no write-ahead log: after a crash they start empty.
ALTER TABLE rate_limit SET UNLOGGED;

-- Business
ALTER TABLE business
  ADD CONSTRAINT business_id_positive CHECK (id > 0),
  ADD CONSTRAINT business_currency CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT business_dunning_end CHECK (dunning_end IN ('unpaid', 'cancel')),
  ADD CONSTRAINT business_dunning_days CHECK (
    dunning_days IS NOT NULL AND cardinality(dunning_days) <= 10 AND 0 < ALL (dunning_days) AND 365 >= ALL (dunning_days)),
  ADD CONSTRAINT business_renewal_notice_days CHECK (renewal_notice_days BETWEEN 0 AND 30),
  ADD CONSTRAINT business_test_clock CHECK (test_clock_ahead >= 0),
  ADD CONSTRAINT business_brand_colour CHECK (brand_colour ~ '^#[0-9a-f]{6}$'),
  ADD CONSTRAINT business_logo_whole CHECK (num_nulls(logo_hash, logo_width, logo_height) IN (0, 3)),
  ADD CONSTRAINT business_logo_shown FOREIGN KEY (id, logo_hash) REFERENCES business_logo (business_id, hash);
ALTER TABLE business_logo
  ADD CONSTRAINT business_logo_hash CHECK (hash ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT business_logo_type CHECK (type IN ('image/png', 'image/jpeg')),
  ADD CONSTRAINT business_logo_size CHECK (octet_length(content) BETWEEN 1 AND 24576);
CREATE INDEX business_test_clock_ahead ON business (id) WHERE test_clock_ahead > 0;
CREATE INDEX business_test_clock_target ON business (id) WHERE test_clock_target IS NOT NULL;

-- Staff
ALTER TABLE staff_user ADD CONSTRAINT staff_user_two_factor CHECK (two_factor_at IS NULL OR two_factor_secret IS NOT NULL);
ALTER TABLE membership
  ADD CONSTRAINT membership_role CHECK (role IN ('owner', 'admin', 'developer', 'support', 'viewer'));
ALTER TABLE invitation
  ADD CONSTRAINT invitation_role CHECK (role IN ('owner', 'admin', 'developer', 'support', 'viewer')),
  ADD CONSTRAINT invitation_email CHECK (email = lower(email)),
  ADD CONSTRAINT invitation_end CHECK (accepted_at IS NULL OR revoked_at IS NULL);
CREATE UNIQUE INDEX invitation_one_open ON invitation (business_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;

-- The rows of the team list, and of a staff user's list of businesses.
CREATE VIEW team_member AS
  SELECT m.business_id, m.user_id AS id, u.name, u.email, m.role, u.two_factor_at IS NOT NULL AS two_factor, m.created_at,
         (SELECT max(s.last_seen_at) FROM session s WHERE s.business_id = m.business_id AND s.user_id = m.user_id)
           AS last_seen_at
    FROM membership m JOIN staff_user u ON u.id = m.user_id;
CREATE VIEW person_business AS
  SELECT b.id::text AS id, m.user_id, b.name, m.role, m.created_at
    FROM membership m JOIN business b ON b.id = m.business_id;

-- Payment links
ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_amount CHECK (amount_cents BETWEEN 500 AND 3000000),
  ADD CONSTRAINT payment_link_refunded CHECK (refunded_cents BETWEEN 0 AND amount_cents),
  ADD CONSTRAINT payment_link_currency CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT payment_link_status CHECK (status IN ('Active', 'Inactive', 'Processing', 'Paid')),
  ADD CONSTRAINT payment_link_paid_at CHECK ((paid_at IS NOT NULL) = (status = 'Paid')),
  ADD CONSTRAINT payment_link_title CHECK (char_length(title) BETWEEN 1 AND 50),
  ADD CONSTRAINT payment_link_reference CHECK (char_length(reference) <= 50),
  ADD CONSTRAINT payment_link_reference_2 CHECK (char_length(reference_2) <= 50),
  -- A link with a subscription is one of its periods.
  ADD CONSTRAINT payment_link_period CHECK (
    (subscription_id IS NULL) = (period_index IS NULL) AND (subscription_id IS NULL) = (period_start IS NULL)
    AND (subscription_id IS NULL) = (period_end IS NULL)),
  ADD CONSTRAINT payment_link_step CHECK (
    next_step_at IS NULL OR (subscription_id IS NOT NULL AND deleted_at IS NULL AND status IN ('Active', 'Processing')));
ALTER TABLE payment_link_import
  ADD CONSTRAINT payment_link_import_row CHECK (row >= 1),
  ADD CONSTRAINT payment_link_import_file CHECK (char_length(file) BETWEEN 1 AND 128);

-- Payments and refunds
ALTER TABLE payment
  ADD CONSTRAINT payment_amount CHECK (amount_cents > 0),
  ADD CONSTRAINT payment_currency CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT payment_status
    CHECK (status IN ('created', 'sending', 'requires_action', 'unknown', 'succeeded', 'failed')),
  ADD CONSTRAINT payment_reason CHECK ((reason IS NOT NULL) = (status = 'failed')),
  ADD CONSTRAINT payment_refunds CHECK (
    refunded_cents >= 0 AND refund_pending_cents >= 0 AND refunded_cents + refund_pending_cents <= amount_cents),
  ADD CONSTRAINT payment_refunds_of_success CHECK (
    status = 'succeeded' OR (refunded_cents = 0 AND refund_pending_cents = 0)),
  ADD CONSTRAINT payment_fee CHECK (fee_cents >= 0 AND (fee_cents IS NULL) = (fee_currency IS NULL)),
  ADD CONSTRAINT payment_receipt CHECK ((receipt_token IS NOT NULL) = (status = 'succeeded'));
ALTER TABLE refund
  ADD CONSTRAINT refund_amount CHECK (amount_cents > 0),
  ADD CONSTRAINT refund_status CHECK (status IN ('pending', 'succeeded', 'failed')),
  ADD CONSTRAINT refund_failure CHECK ((failure_reason IS NOT NULL) = (status = 'failed'));
-- A link is paid at most once, and has at most one attempt in flight.
CREATE UNIQUE INDEX payment_one_succeeded ON payment (payment_link_id) WHERE status = 'succeeded';
CREATE UNIQUE INDEX payment_one_open ON payment (payment_link_id)
  WHERE status IN ('created', 'sending', 'requires_action', 'unknown');

-- The journal. Each movement of money is posted once.
ALTER TABLE posting
  ADD CONSTRAINT posting_amount CHECK (amount_cents > 0),
  ADD CONSTRAINT posting_accounts CHECK ((kind, debit, credit) IN (
    ('payment', 'gateway', 'sales'),
    ('fee', 'fees', 'gateway'),
    ('refund', 'refunds', 'gateway'),
    ('refund_returned', 'gateway', 'refunds'))),
  ADD CONSTRAINT posting_refund CHECK ((refund_id IS NOT NULL) = (kind IN ('refund', 'refund_returned'))),
  ADD CONSTRAINT posting_of FOREIGN KEY (business_id, livemode, payment_id)
    REFERENCES payment (business_id, livemode, id) ON DELETE RESTRICT ON UPDATE RESTRICT,
  ADD CONSTRAINT posting_of_refund FOREIGN KEY (business_id, livemode, refund_id)
    REFERENCES refund (business_id, livemode, id) ON DELETE RESTRICT ON UPDATE RESTRICT;
CREATE UNIQUE INDEX posting_once ON posting (payment_id, kind, refund_id) NULLS NOT DISTINCT;

-- A business has one gateway account in use per mode.
CREATE UNIQUE INDEX gateway_account_in_use ON gateway_account (business_id, livemode) WHERE replaced_at IS NULL;

-- An idempotency key is either claimed by a running request or has its whole answer.
ALTER TABLE idempotency_key
  ADD CONSTRAINT idempotency_key_answer CHECK ((status IS NULL) = (body IS NULL)),
  ADD CONSTRAINT idempotency_key_claim CHECK (status IS NOT NULL OR (operation IS NOT NULL AND locked_until IS NOT NULL));

-- Tokenizations, packages, subscriptions
ALTER TABLE tokenization
  ADD CONSTRAINT tokenization_status CHECK (status IN ('pending', 'active', 'revoked'));
ALTER TABLE package
  ADD CONSTRAINT package_amount CHECK (amount_cents BETWEEN 500 AND 3000000),
  ADD CONSTRAINT package_currency CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT package_status CHECK (status IN ('active', 'cancel')),
  ADD CONSTRAINT package_frequency
    CHECK (frequency IN ('daily', 'weekly', 'monthly', 'quarterly', 'semiannual', 'yearly'));
ALTER TABLE subscription
  ADD CONSTRAINT subscription_status
    CHECK (status IN ('created', 'active', 'past_due', 'paused', 'unpaid', 'cancel', 'completed')),
  ADD CONSTRAINT subscription_period CHECK (next_period >= 0),
  ADD CONSTRAINT subscription_anchor CHECK (anchor ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$'),
  -- Only a subscription that charges has a next charge.
  ADD CONSTRAINT subscription_due CHECK (
    next_charge_at IS NULL OR (status IN ('created', 'active', 'past_due') AND deleted_at IS NULL));

-- Events, webhooks, mails, logs
ALTER TABLE event
  ADD CONSTRAINT event_sequence CHECK (sequence > 0),
  ADD CONSTRAINT event_actor CHECK (actor_type IN ('api_key', 'user', 'payer', 'system'));
ALTER TABLE webhook_endpoint ADD CONSTRAINT webhook_endpoint_status CHECK (status IN ('enabled', 'disabled'));
ALTER TABLE webhook_delivery
  ADD CONSTRAINT webhook_delivery_status CHECK (status IN ('pending', 'succeeded', 'failed')),
  ADD CONSTRAINT webhook_delivery_due CHECK ((next_attempt_at IS NOT NULL) = (status = 'pending')),
  ADD CONSTRAINT webhook_delivery_counts CHECK (attempt_count >= 0 AND tries >= 0);
ALTER TABLE email
  ADD CONSTRAINT email_status CHECK (status IN ('queued', 'sent', 'outbox', 'failed')),
  ADD CONSTRAINT email_due CHECK ((next_attempt_at IS NOT NULL) = (status = 'queued'));
ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_actor CHECK (actor_type IN ('api_key', 'user', 'system'));
ALTER TABLE api_request
  ADD CONSTRAINT api_request_actor_type CHECK (actor_type IN ('api_key', 'user')),
  ADD CONSTRAINT api_request_bodies CHECK (octet_length(request_body) <= 4096 AND octet_length(response_body) <= 4096);

-- Free text (the lists' q parameter): words, by prefix. PostgreSQL uses these indexes only if the expressions equal those in
-- the services exactly.
CREATE INDEX payment_link_search ON payment_link USING gin (
  to_tsvector('simple', regexp_replace(lower(title || ' ' || email || ' ' || coalesce(reference, '') ||
 ' ' || coalesce(reference_2, '') || ' ' || coalesce(description, '')), '[^[:alnum:]]+', ' ', 'g')));
CREATE INDEX tokenization_search ON tokenization USING gin (
  to_tsvector('simple', regexp_replace(lower(title || ' ' || email), '[^[:alnum:]]+', ' ', 'g')));
CREATE INDEX package_search ON package USING gin (
  to_tsvector('simple', regexp_replace(lower(name || ' ' || coalesce(description, '')), '[^[:alnum:]]+', ' ', 'g')));
CREATE INDEX subscription_search ON subscription USING gin (
  to_tsvector('simple', regexp_replace(lower(email || ' ' || coalesce(phone_no, '')), '[^[:alnum:]]+', ' ', 'g')));

-- Filters on columns that most rows leave empty.
CREATE INDEX payment_link_reference ON payment_link (business_id, livemode, reference) WHERE reference IS NOT NULL;
CREATE INDEX payment_link_reference_2 ON payment_link (business_id, livemode, reference_2) WHERE reference_2 IS NOT NULL;
CREATE INDEX payment_tokenization ON payment (tokenization_id, created_at, id) WHERE tokenization_id IS NOT NULL;

-- Work for the jobs. These indexes hold the rows with work to do and no others, so their size does not grow with history.
CREATE INDEX payment_open ON payment (asked_at NULLS FIRST, id)
  WHERE status IN ('created', 'sending', 'requires_action', 'unknown');
CREATE INDEX refund_open ON refund (asked_at NULLS FIRST, id) WHERE status = 'pending';
CREATE INDEX payment_settled ON payment (settled_at)
  WHERE status = 'succeeded' AND (fee_cents IS NULL OR refunded_cents > 0);
CREATE INDEX tokenization_setup ON tokenization (setup_asked_at NULLS FIRST, id)
  WHERE status = 'pending' AND setup_ref IS NOT NULL;
CREATE INDEX subscription_due ON subscription (next_charge_at) WHERE next_charge_at IS NOT NULL;
CREATE INDEX subscription_of_package ON subscription (package_id)
  WHERE deleted_at IS NULL AND status NOT IN ('cancel', 'completed');
CREATE INDEX subscription_unnoticed ON subscription (business_id, livemode, next_charge_at)
  WHERE next_charge_at IS NOT NULL AND noticed_period < next_period;
CREATE INDEX payment_link_due ON payment_link (next_step_at) WHERE next_step_at IS NOT NULL AND status = 'Active';
CREATE INDEX payment_link_due_of ON payment_link (business_id, livemode, next_step_at)
  WHERE next_step_at IS NOT NULL AND status = 'Active';
CREATE INDEX payment_link_period_open ON payment_link (subscription_id, period_index)
  WHERE status IN ('Active', 'Processing') AND deleted_at IS NULL;
CREATE INDEX payment_link_expiring ON payment_link (expires_at)
  WHERE expires_at IS NOT NULL AND NOT expiry_told AND status IN ('Active', 'Inactive') AND deleted_at IS NULL;
CREATE INDEX payment_link_expiring_of ON payment_link (business_id, expires_at)
  WHERE NOT livemode AND expires_at IS NOT NULL AND NOT expiry_told AND status IN ('Active', 'Inactive') AND deleted_at IS NULL;
CREATE INDEX tokenization_expiring ON tokenization (expires_at) WHERE NOT expiry_told AND status = 'pending';
CREATE INDEX tokenization_expiring_of ON tokenization (business_id, expires_at)
  WHERE NOT livemode AND NOT expiry_told AND status = 'pending';
CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_endpoint_listening ON webhook_endpoint (business_id, livemode)
  WHERE status = 'enabled' AND deleted_at IS NULL;
CREATE INDEX email_lane ON email (staff, business_id, next_attempt_at) WHERE status = 'queued';

-- Retention: rows old enough to delete, by age.
CREATE INDEX email_forgotten ON email (created_at) WHERE NOT livemode AND status <> 'queued';
CREATE INDEX webhook_delivery_forgotten ON webhook_delivery (created_at) WHERE NOT livemode AND status <> 'pending';

-- Limits: copies of a mail to one address, and invitations to one address by any business.
CREATE INDEX email_copies ON email (business_id, livemode, lower("to" COLLATE "C"), created_at) WHERE copy_of IS NOT NULL;
CREATE INDEX email_invitations ON email ("to", created_at) WHERE template = 'invitation';

-- Reports read a period from these indexes alone, without the tables.
CREATE INDEX payment_settled_of ON payment (business_id, livemode, settled_at)
  INCLUDE (status, currency, amount_cents, fee_cents, fee_currency) WHERE settled_at IS NOT NULL;
CREATE INDEX refund_settled_of ON refund (business_id, livemode, settled_at)
  INCLUDE (status, currency, amount_cents) WHERE settled_at IS NOT NULL;
-- The overview: outstanding links, recurring revenue, and what needs attention.
CREATE INDEX payment_link_open_of ON payment_link (business_id, livemode, currency, expires_at)
  INCLUDE (amount_cents) WHERE status = 'Active' AND deleted_at IS NULL;
CREATE INDEX subscription_recurring ON subscription (business_id, livemode, package_id)
  WHERE status IN ('active', 'past_due') AND deleted_at IS NULL;
CREATE INDEX payment_unknown_of ON payment (business_id, livemode, created_at) WHERE status = 'unknown';
CREATE INDEX refund_failed_of ON refund (business_id, livemode, settled_at) WHERE status = 'failed';
CREATE INDEX subscription_in_trouble ON subscription (business_id, livemode, updated_at)
  WHERE status IN ('past_due', 'unpaid') AND deleted_at IS NULL;

-- A customer is an e-mail address in any case. Deleted links have an index of their own, because their payments still belong
-- to the customer.
CREATE INDEX payment_link_customer ON payment_link (business_id, livemode, lower(email COLLATE "C"), created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX payment_link_deleted_customer ON payment_link (business_id, livemode, lower(email COLLATE "C"))
  WHERE deleted_at IS NOT NULL;
CREATE INDEX tokenization_customer ON tokenization (business_id, livemode, lower(email COLLATE "C"), created_at);
CREATE INDEX tokenization_card ON tokenization (business_id, livemode, lower(email COLLATE "C"), activated_at) WHERE status = 'active';
CREATE INDEX subscription_customer ON subscription (business_id, livemode, lower(email COLLATE "C"), created_at)
  WHERE deleted_at IS NULL;

-- Timelines of subscriptions
CREATE INDEX webhook_delivery_timeline ON webhook_delivery (subscription_id, (coalesce(succeeded_at, updated_at)))
  WHERE subscription_id IS NOT NULL;
CREATE INDEX link_visit_timeline ON link_visit (subscription_id, last_at) WHERE subscription_id IS NOT NULL;
