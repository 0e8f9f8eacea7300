-- AlterTable
ALTER TABLE "books_check" ADD COLUMN     "asked_days" INTEGER NOT NULL DEFAULT 0;

-- By hand. Rows from before do not say it: the next run that asks the gateways replaces their differences, as until now.
ALTER TABLE books_check ADD CONSTRAINT books_check_asked_days CHECK (asked_days >= 0);
