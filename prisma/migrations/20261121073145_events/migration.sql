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
