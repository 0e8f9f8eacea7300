-- AlterTable
ALTER TABLE "sandbox_card" ADD COLUMN     "detached_at" TIMESTAMPTZ(6);
