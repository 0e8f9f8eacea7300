-- AlterTable
ALTER TABLE "business" ADD COLUMN     "renewal_notice_days" INTEGER NOT NULL DEFAULT 3,
ADD COLUMN     "send_receipts" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "support_email" TEXT;

-- By hand: what the Prisma schema cannot say.
ALTER TABLE business ADD CONSTRAINT business_renewal_notice_days CHECK (renewal_notice_days BETWEEN 0 AND 30);
