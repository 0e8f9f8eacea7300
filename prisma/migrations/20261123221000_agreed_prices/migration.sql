ALTER TABLE "subscription" ADD COLUMN     "amount_cents" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "next_amount_cents" INTEGER,
ADD COLUMN     "next_amount_from" TIMESTAMPTZ(6);

CREATE TABLE "package_repricing" (
    "package_id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "after" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "package_repricing_pkey" PRIMARY KEY ("package_id")
);

ALTER TABLE "package_repricing" ADD CONSTRAINT "package_repricing_business_id_livemode_package_id_fkey" FOREIGN KEY ("business_id", "livemode", "package_id") REFERENCES "package"("business_id", "livemode", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- Subscribers keep the price that they pay today. Their `updated_at` stays: nothing changes for them.
ALTER TABLE subscription DISABLE TRIGGER touch_updated_at;
UPDATE subscription s SET amount_cents = p.amount_cents FROM package p WHERE p.id = s.package_id;
ALTER TABLE subscription ENABLE TRIGGER touch_updated_at;

ALTER TABLE subscription ADD CONSTRAINT subscription_price CHECK (
  amount_cents > 0 AND next_amount_cents > 0 IS NOT FALSE AND num_nulls(next_amount_cents, next_amount_from) <> 1);

-- A subscription that is inserted without a price gets its package's.
CREATE FUNCTION price_of_package() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.amount_cents := (SELECT amount_cents FROM package WHERE id = NEW.package_id);
  RETURN NEW;
END $$;
CREATE TRIGGER price_of_package BEFORE INSERT ON subscription FOR EACH ROW WHEN (NEW.amount_cents = 0)
  EXECUTE FUNCTION price_of_package();

-- In order of id, for announcing prices in batches.
DROP INDEX subscription_of_package;
CREATE INDEX subscription_of_package ON subscription (package_id, id)
  WHERE deleted_at IS NULL AND status NOT IN ('cancel', 'completed');

-- Recurring revenue is read from the index alone.
DROP INDEX subscription_recurring;
CREATE INDEX subscription_recurring ON subscription (business_id, livemode, package_id)
  INCLUDE (amount_cents, next_amount_cents, next_amount_from)
  WHERE status IN ('active', 'past_due') AND deleted_at IS NULL;
