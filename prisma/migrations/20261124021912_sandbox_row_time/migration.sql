-- AlterTable
ALTER TABLE "sandbox_charge" ALTER COLUMN "created_at" SET DEFAULT row_time();

-- AlterTable
ALTER TABLE "sandbox_refund" ALTER COLUMN "created_at" SET DEFAULT row_time();
