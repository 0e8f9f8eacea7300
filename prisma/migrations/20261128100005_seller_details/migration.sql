-- AlterTable
ALTER TABLE "business" ADD COLUMN     "seller_details" TEXT;
