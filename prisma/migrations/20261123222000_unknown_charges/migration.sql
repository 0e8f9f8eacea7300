-- AlterTable
ALTER TABLE "gateway_account" ADD COLUMN     "compared_until" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp();

-- CreateTable
CREATE TABLE "unknown_charge" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "gateway_account_id" TEXT NOT NULL,
    "gateway_key" TEXT NOT NULL,
    "gateway_ref" TEXT NOT NULL,
    "payment_link_id" TEXT,
    "subscription_id" TEXT,
    "period_index" INTEGER,
    "amount_cents" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "charged_at" TIMESTAMPTZ(6) NOT NULL,
    "status" TEXT NOT NULL,
    "problem" TEXT,
    "note" TEXT,
    "resolved_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "unknown_charge_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "unknown_charge_gateway_key_key" ON "unknown_charge"("gateway_key");

-- CreateIndex
CREATE INDEX "unknown_charge_business_id_livemode_created_at_id_idx" ON "unknown_charge"("business_id", "livemode", "created_at", "id");

-- CreateIndex
CREATE INDEX "unknown_charge_business_id_livemode_status_created_at_id_idx" ON "unknown_charge"("business_id", "livemode", "status", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "unknown_charge_business_id_livemode_id_key" ON "unknown_charge"("business_id", "livemode", "id");

-- AddForeignKey
ALTER TABLE "unknown_charge" ADD CONSTRAINT "unknown_charge_business_id_livemode_gateway_account_id_fkey" FOREIGN KEY ("business_id", "livemode", "gateway_account_id") REFERENCES "gateway_account"("business_id", "livemode", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- By hand. What an account did before this migration is compared from its last payment on, also if an old backup was restored.
UPDATE gateway_account a SET compared_until = coalesce(last.at, a.created_at)
  FROM gateway_account other
  LEFT JOIN (SELECT gateway_account_id, max(created_at) AS at FROM payment WHERE gateway_account_id IS NOT NULL GROUP BY 1) last
    ON last.gateway_account_id = other.id
 WHERE other.id = a.id;
ALTER TABLE unknown_charge
  ADD CONSTRAINT unknown_charge_amount CHECK (amount_cents > 0),
  ADD CONSTRAINT unknown_charge_currency CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT unknown_charge_status
    CHECK (status IN ('undecided', 'open', 'adopted', 'acknowledged', 'void')),
  ADD CONSTRAINT unknown_charge_resolved CHECK ((resolved_at IS NULL) = (status IN ('undecided', 'open')));
-- What blocks a link or a period, and what is tried again.
CREATE INDEX unknown_charge_link ON unknown_charge (payment_link_id) WHERE resolved_at IS NULL;
CREATE INDEX unknown_charge_subscription ON unknown_charge (subscription_id) WHERE resolved_at IS NULL;
CREATE INDEX unknown_charge_account ON unknown_charge (gateway_account_id) WHERE resolved_at IS NULL;
