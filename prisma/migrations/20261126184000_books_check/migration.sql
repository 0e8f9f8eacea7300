-- CreateTable
CREATE TABLE "books_check" (
    "checked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "differences" INTEGER NOT NULL,

    CONSTRAINT "books_check_pkey" PRIMARY KEY ("checked_at")
);

ALTER TABLE books_check ADD CONSTRAINT books_check_differences CHECK (differences >= 0);
