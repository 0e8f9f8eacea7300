-- By hand: the time that rows are created and changed at. It is the database's, except in a transaction that writes down
-- what happened earlier (server/seed) and has set paydesk.row_time.
CREATE FUNCTION row_time() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(nullif(current_setting('paydesk.row_time', true), '')::timestamptz, clock_timestamp())
$$;

CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := row_time();
  RETURN NEW;
END
$$;

-- AlterTable
ALTER TABLE "api_key" ALTER COLUMN "created_at" SET DEFAULT row_time(),
ALTER COLUMN "updated_at" SET DEFAULT row_time();

-- AlterTable
ALTER TABLE "payment_link" ALTER COLUMN "created_at" SET DEFAULT row_time(),
ALTER COLUMN "updated_at" SET DEFAULT row_time();

-- AlterTable
ALTER TABLE "payment" ALTER COLUMN "created_at" SET DEFAULT row_time(),
ALTER COLUMN "updated_at" SET DEFAULT row_time();

-- AlterTable
ALTER TABLE "refund" ALTER COLUMN "created_at" SET DEFAULT row_time(),
ALTER COLUMN "updated_at" SET DEFAULT row_time();

-- AlterTable
ALTER TABLE "package" ALTER COLUMN "created_at" SET DEFAULT row_time(),
ALTER COLUMN "updated_at" SET DEFAULT row_time();

-- AlterTable
ALTER TABLE "subscription" ALTER COLUMN "created_at" SET DEFAULT row_time(),
ALTER COLUMN "updated_at" SET DEFAULT row_time();

-- AlterTable
ALTER TABLE "tokenization" ALTER COLUMN "created_at" SET DEFAULT row_time(),
ALTER COLUMN "updated_at" SET DEFAULT row_time();
