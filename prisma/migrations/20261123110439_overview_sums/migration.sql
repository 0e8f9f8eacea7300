-- CreateTable
CREATE TABLE "settled_sum" (
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "minutes" SMALLINT NOT NULL,
    "starts_at" TIMESTAMPTZ(6) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "collected_cents" BIGINT NOT NULL,
    "collected_count" INTEGER NOT NULL,
    "refunded_cents" BIGINT NOT NULL,
    "refunded_count" INTEGER NOT NULL,
    "failed_cents" BIGINT NOT NULL,
    "failed_count" INTEGER NOT NULL,
    "fee_cents" BIGINT NOT NULL,
    "fee_count" INTEGER NOT NULL,

    CONSTRAINT "settled_sum_pkey" PRIMARY KEY ("business_id","livemode","minutes","starts_at","currency")
);

-- CreateTable
CREATE TABLE "settled_change" (
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "settled_at" TIMESTAMPTZ(6) NOT NULL,
    "cents" INTEGER NOT NULL,
    "count" SMALLINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "kind" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "overview_figures" (
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "open" JSONB NOT NULL,
    "recurring" JSONB NOT NULL,
    "as_of" TIMESTAMPTZ(6) NOT NULL,
    "refreshed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "overview_figures_pkey" PRIMARY KEY ("business_id","livemode")
);

-- By hand: a row of a sum is updated in place, and the job of the changes empties its table again and again.
ALTER TABLE settled_sum SET (fillfactor = 80);
ALTER TABLE settled_sum ADD CONSTRAINT settled_sum_starts CHECK (
  minutes IN (15, 60) AND starts_at = date_bin(minutes * interval '1 minute', starts_at, '2000-01-01T00:00:00Z'));
ALTER TABLE settled_change ADD CONSTRAINT settled_change_kind CHECK (kind IN ('collected', 'refunded', 'failed', 'fee'));
ALTER TABLE settled_change SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The sums of what has settled so far. It reads payments and refunds once. Writers wait, so that none is left out.
LOCK TABLE payment, refund IN SHARE MODE;
INSERT INTO settled_sum (business_id, livemode, minutes, starts_at, currency, collected_cents, collected_count,
                         refunded_cents, refunded_count, failed_cents, failed_count, fee_cents, fee_count)
SELECT business_id, livemode, level.minutes,
       date_bin(level.minutes * interval '1 minute', settled_at, '2000-01-01T00:00:00Z'), currency,
       coalesce(sum(cents) FILTER (WHERE kind = 'collected'), 0), count(*) FILTER (WHERE kind = 'collected'),
       coalesce(sum(cents) FILTER (WHERE kind = 'refunded'), 0), count(*) FILTER (WHERE kind = 'refunded'),
       coalesce(sum(cents) FILTER (WHERE kind = 'failed'), 0), count(*) FILTER (WHERE kind = 'failed'),
       coalesce(sum(cents) FILTER (WHERE kind = 'fee'), 0), count(*) FILTER (WHERE kind = 'fee')
  FROM (SELECT business_id, livemode, settled_at, amount_cents AS cents, currency,
               CASE status WHEN 'succeeded' THEN 'collected' ELSE 'failed' END AS kind
          FROM payment WHERE settled_at IS NOT NULL AND status IN ('succeeded', 'failed')
        UNION ALL
        SELECT business_id, livemode, settled_at, fee_cents, fee_currency, 'fee'
          FROM payment WHERE settled_at IS NOT NULL AND fee_currency IS NOT NULL
        UNION ALL
        SELECT business_id, livemode, settled_at, amount_cents, currency, 'refunded'
          FROM refund WHERE settled_at IS NOT NULL AND status = 'succeeded') AS settled,
       (VALUES (15), (60)) AS level(minutes)
 GROUP BY 1, 2, 3, 4, 5;

-- The overview read its days from these. What a charge pays for a change is less than their entries.
DROP INDEX payment_settled_of, refund_settled_of;
-- The counts of past-due and unpaid subscriptions are read along subscription_facets.
DROP INDEX subscription_in_trouble;
-- Without the links whose expiry is recorded: they are not open, and would be read in vain.
DROP INDEX payment_link_open_of;
CREATE INDEX payment_link_open_of ON payment_link (business_id, livemode, currency, expires_at)
  INCLUDE (amount_cents) WHERE status = 'Active' AND deleted_at IS NULL AND NOT expiry_recorded;
