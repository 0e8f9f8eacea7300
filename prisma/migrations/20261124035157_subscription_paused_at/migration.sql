-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "paused_at" TIMESTAMPTZ(6);
