-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "language" TEXT;

-- NOT VALID: no row has a language yet, and the table need not be read.
ALTER TABLE payment_link ADD CONSTRAINT payment_link_language CHECK (language IN ('en', 'de', 'fr', 'es')) NOT VALID;
