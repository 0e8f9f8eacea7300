-- AlterTable
ALTER TABLE "link_visit" ADD COLUMN     "subscription_id" TEXT;

-- AlterTable
ALTER TABLE "webhook_delivery" ADD COLUMN     "subscription_id" TEXT;

-- By hand: what the Prisma schema cannot say.

-- The two tables are closed until this is done, which takes as long as reading webhook_delivery and writing what belongs to a
-- subscription; whoever writes to them meanwhile answers 503 (docs/operations.md, Upgrades).
-- What was there before belongs to its subscription's timeline too. Its times stay as they are.
ALTER TABLE webhook_delivery DISABLE TRIGGER touch_updated_at;
UPDATE webhook_delivery d SET subscription_id = e.subscription_id
  FROM event e WHERE e.id = d.event_id AND e.subscription_id IS NOT NULL;
ALTER TABLE webhook_delivery ENABLE TRIGGER touch_updated_at;
UPDATE link_visit v SET subscription_id = l.subscription_id
  FROM payment_link l WHERE l.id = v.payment_link_id AND l.subscription_id IS NOT NULL;

-- A page of a timeline is read from the end of each.
CREATE INDEX webhook_delivery_timeline ON webhook_delivery (subscription_id, (coalesce(succeeded_at, updated_at)))
  WHERE subscription_id IS NOT NULL;
CREATE INDEX link_visit_timeline ON link_visit (subscription_id, last_at) WHERE subscription_id IS NOT NULL;
