-- AlterTable
ALTER TABLE "business" ADD COLUMN     "dunning_days" INTEGER[] DEFAULT ARRAY[2, 7, 14, 21]::INTEGER[],
ADD COLUMN     "dunning_end" TEXT NOT NULL DEFAULT 'unpaid',
ADD COLUMN     "test_clock_ahead" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "test_clock_target" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "attempt_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "failed_at" TIMESTAMPTZ(6),
ADD COLUMN     "failure" TEXT,
ADD COLUMN     "next_step_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "anchor" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "next_period" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "timezone" TEXT NOT NULL DEFAULT 'UTC';

-- CreateIndex
CREATE INDEX "subscription_business_id_livemode_next_charge_at_idx" ON "subscription"("business_id", "livemode", "next_charge_at");

-- By hand: what the Prisma schema cannot say.

-- What is there already was never charged: it begins now, or on its package's date. Nothing of the past is charged.
UPDATE subscription s SET
  timezone = b.timezone,
  anchor = to_char(CASE WHEN p.date_charge_start > (now() AT TIME ZONE b.timezone)::date
                        THEN p.date_charge_start::timestamp ELSE now() AT TIME ZONE b.timezone END,
                   'YYYY-MM-DD"T"HH24:MI:SS')
  FROM business b, package p WHERE b.id = s.business_id AND p.id = s.package_id;
UPDATE subscription SET next_charge_at = CASE WHEN status = 'created' AND deleted_at IS NULL
  THEN anchor::timestamp AT TIME ZONE timezone END;
ALTER TABLE subscription ALTER COLUMN anchor DROP DEFAULT, ALTER COLUMN timezone DROP DEFAULT;

ALTER TABLE subscription
  ADD CONSTRAINT subscription_period CHECK (next_period >= 0),
  ADD CONSTRAINT subscription_anchor CHECK (anchor ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$'),
  -- Nothing falls due where nothing is to be charged.
  ADD CONSTRAINT subscription_due CHECK (
    next_charge_at IS NULL OR (status IN ('created', 'active', 'past_due') AND deleted_at IS NULL));
ALTER TABLE payment_link
  ADD CONSTRAINT payment_link_period CHECK (
    (subscription_id IS NULL) = (period_index IS NULL) AND (subscription_id IS NULL) = (period_start IS NULL)
    AND (subscription_id IS NULL) = (period_end IS NULL)),
  ADD CONSTRAINT payment_link_step CHECK (
    next_step_at IS NULL OR (subscription_id IS NOT NULL AND deleted_at IS NULL AND status IN ('Active', 'Processing')));
ALTER TABLE business
  ADD CONSTRAINT business_dunning_end CHECK (dunning_end IN ('unpaid', 'cancel')),
  ADD CONSTRAINT business_dunning_days CHECK (
    dunning_days IS NOT NULL AND cardinality(dunning_days) <= 10 AND 0 < ALL (dunning_days) AND 365 >= ALL (dunning_days)),
  ADD CONSTRAINT business_test_clock CHECK (test_clock_ahead >= 0);

-- What is due is found by its time: as many rows as there is work, however many subscriptions there are.
CREATE INDEX subscription_due ON subscription (next_charge_at) WHERE next_charge_at IS NOT NULL;
CREATE INDEX payment_link_due ON payment_link (next_step_at) WHERE next_step_at IS NOT NULL AND status = 'Active';
-- The oldest open period of a subscription, however many are paid.
CREATE INDEX payment_link_period_open ON payment_link (subscription_id, period_index)
  WHERE status IN ('Active', 'Processing') AND deleted_at IS NULL;
CREATE INDEX payment_link_due_of ON payment_link (business_id, livemode, next_step_at)
  WHERE next_step_at IS NOT NULL AND status = 'Active';
CREATE INDEX business_test_clock_ahead ON business (id) WHERE test_clock_ahead > 0;
-- The saved card of a subscriber, and the subscriptions of who has saved one.
CREATE INDEX tokenization_card ON tokenization (business_id, livemode, lower(email COLLATE "C"), activated_at) WHERE status = 'active';
CREATE INDEX subscription_email ON subscription (business_id, livemode, lower(email COLLATE "C")) WHERE deleted_at IS NULL;
CREATE INDEX subscription_of_package ON subscription (package_id)
  WHERE deleted_at IS NULL AND status NOT IN ('cancel', 'completed');
CREATE INDEX business_test_clock_target ON business (id) WHERE test_clock_target IS NOT NULL;
