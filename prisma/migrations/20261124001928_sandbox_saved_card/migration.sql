-- AlterTable
ALTER TABLE "sandbox_charge" ADD COLUMN     "saved_card" TEXT;
