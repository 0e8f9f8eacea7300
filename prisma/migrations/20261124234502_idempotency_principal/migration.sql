-- Rows of before keep an empty principal: anyone of the business repeats those, as before, for the rest of their 24 hours.
-- AlterTable
ALTER TABLE "idempotency_key" DROP CONSTRAINT "idempotency_key_pkey",
ADD COLUMN     "principal" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("business_id", "livemode", "principal", "key");
