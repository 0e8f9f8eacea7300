-- AlterTable
ALTER TABLE "sandbox_charge" ADD COLUMN     "link" TEXT,
ADD COLUMN     "period" INTEGER,
ADD COLUMN     "subscription" TEXT;
