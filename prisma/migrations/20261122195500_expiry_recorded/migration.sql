-- By hand: Prisma would drop the column and add another. PostgreSQL renames it in the indexes' conditions too.
ALTER TABLE "payment_link" RENAME COLUMN "expiry_told" TO "expiry_recorded";
ALTER TABLE "tokenization" RENAME COLUMN "expiry_told" TO "expiry_recorded";
