-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "risk" TEXT;

-- By hand. Not validated here: the next migration does it without blocking payments.
ALTER TABLE payment ADD CONSTRAINT payment_risk CHECK (risk IN ('normal', 'elevated', 'highest')) NOT VALID;
