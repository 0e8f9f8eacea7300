-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "internal_note" TEXT;

-- By hand: what the Prisma schema cannot say.
ALTER TABLE payment_link ADD CONSTRAINT payment_link_internal_note CHECK (char_length(internal_note) <= 500);
