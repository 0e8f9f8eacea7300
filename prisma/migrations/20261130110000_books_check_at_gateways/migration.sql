-- AlterTable
ALTER TABLE "books_check" ADD COLUMN     "at_gateways" INTEGER NOT NULL DEFAULT 0;

-- A run that asks no gateway keeps what the last one found there.
ALTER TABLE books_check ADD CONSTRAINT books_check_at_gateways CHECK (at_gateways BETWEEN 0 AND differences);
