-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "gateway_code" TEXT;
