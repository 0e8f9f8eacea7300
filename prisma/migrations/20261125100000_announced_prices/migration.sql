-- DropIndex
DROP INDEX "subscription_untold_price";

-- By hand. A payment whose closing was only assumed, because it is old, is asked about at the next attempt on its link.
ALTER TABLE payment RENAME COLUMN closing_answered_at TO closed_at;
UPDATE payment SET closed_at = NULL
 WHERE status = 'failed' AND settled_by IS NOT NULL AND mismatch_at IS NULL AND closed_at = settled_at;

-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "announced_amount_cents" INTEGER,
ADD COLUMN     "announced_amount_from" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "email" ADD COLUMN     "delay_count" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "package_repricing" ADD COLUMN     "announces" BOOLEAN NOT NULL DEFAULT true;

-- By hand. A price whose mail still waits is charged once the mail is sent. One whose mail was not sent in the end has no date.
-- The others stay as they are.
ALTER TABLE subscription DISABLE TRIGGER touch_updated_at;
UPDATE subscription
   SET announced_amount_cents = next_amount_cents, announced_amount_from = CASE WHEN waits THEN next_amount_from END,
       next_amount_cents = NULL, next_amount_from = NULL
  FROM (SELECT s.id AS priced_id, EXISTS (
                 SELECT FROM email e
                  WHERE e.subscription_id = s.id AND e.status = 'queued' AND e.template = 'price_changing'
                    AND (e.props->'subscription'->'price_change'->>'amount_cents')::int = s.next_amount_cents) AS waits
          FROM subscription s WHERE s.next_amount_cents IS NOT NULL) AS priced
 WHERE id = priced_id AND (NOT next_amount_told OR (waits AND next_amount_from > clock_timestamp()));
ALTER TABLE subscription ENABLE TRIGGER touch_updated_at;

-- AlterTable
ALTER TABLE "subscription" DROP COLUMN "next_amount_told";

-- By hand. Validated in the next migration, without a lock that stops writes.
ALTER TABLE subscription ADD CONSTRAINT subscription_announced_price CHECK (
  announced_amount_cents > 0 IS NOT FALSE AND (announced_amount_from IS NULL OR announced_amount_cents IS NOT NULL)) NOT VALID;
CREATE INDEX subscription_announced ON subscription (package_id, id)
  WHERE announced_amount_cents IS NOT NULL AND deleted_at IS NULL AND status NOT IN ('cancel', 'completed');
CREATE INDEX subscription_untold ON subscription (business_id, livemode)
  WHERE announced_amount_cents IS NOT NULL AND announced_amount_from IS NULL AND NOT cancel_at_period_end
    AND status NOT IN ('cancel', 'completed') AND deleted_at IS NULL;
