-- AlterTable
ALTER TABLE "subscription" ADD COLUMN     "churned" BOOLEAN,
ADD COLUMN     "ended_at" TIMESTAMPTZ(6),
ADD COLUMN     "ended_reason" TEXT;

-- By hand, to the end. Writers of subscriptions wait until the commit, so that no end is left out.
LOCK TABLE subscription IN SHARE ROW EXCLUSIVE MODE;
DROP TRIGGER count_recurring ON subscription;
DROP FUNCTION count_recurring();

-- What is known about ends so far. The events of a subscription say when it ended and who ended it; a subscription ended with the first
-- such event since it last went on. Without an event, it ended when it last changed or was deleted, and nothing tells why. It had begun if
-- a period was paid. Rows that have not ended are not written.
ALTER TABLE subscription DISABLE TRIGGER touch_updated_at;
UPDATE subscription s SET
    ended_at = coalesce(e.at, s.deleted_at, s.updated_at),
    ended_reason = CASE WHEN e.type = 'subscription.unpaid' THEN 'unpaid'
                        WHEN e.type = 'subscription.completed' THEN 'period_end'
                        WHEN e.actor_type = 'api_key' THEN 'canceled_by_api'
                        WHEN e.actor_type = 'user' THEN 'canceled_by_staff'
                        WHEN e.type = 'subscription.canceled' AND s.cancel_at_period_end THEN 'period_end'
                        WHEN e.type = 'subscription.canceled' THEN 'unpaid' END,
    churned = EXISTS (SELECT FROM payment_link l WHERE l.subscription_id = s.id AND l.paid_at IS NOT NULL)
  FROM subscription old LEFT JOIN LATERAL (
    SELECT created_at AS at, type, actor_type FROM event
     WHERE subscription_id = old.id AND resource_id = old.id
       AND type IN ('subscription.unpaid', 'subscription.canceled', 'subscription.completed')
       AND created_at > coalesce((SELECT max(created_at) FROM event
                                   WHERE subscription_id = old.id AND resource_id = old.id
                                     AND type IN ('subscription.activated', 'subscription.recovered', 'subscription.resumed')),
                                 '-infinity')
     ORDER BY created_at, sequence LIMIT 1) e ON true
 WHERE s.id = old.id AND old.status IN ('unpaid', 'cancel', 'completed');
ALTER TABLE subscription ENABLE TRIGGER touch_updated_at;

-- Not validated here: the next migration does it without blocking writes.
ALTER TABLE subscription ADD CONSTRAINT subscription_end CHECK (
  (status IN ('unpaid', 'cancel', 'completed')) = (ended_at IS NOT NULL)
  AND (ended_at IS NOT NULL) = (churned IS NOT NULL) AND (ended_at IS NOT NULL OR ended_reason IS NULL)) NOT VALID;
ALTER TABLE subscription ADD CONSTRAINT subscription_ended_reason
  CHECK (ended_reason IN ('canceled_by_staff', 'canceled_by_api', 'unpaid', 'period_end')) NOT VALID;
CREATE INDEX subscription_ended ON subscription (business_id, livemode, ended_at, created_at, id)
  WHERE deleted_at IS NULL AND ended_at IS NOT NULL;

-- Sets the time of the end, after touch_updated_at has set updated_at, the business's time. The statement that ends a subscription sets the
-- reason. An unpaid subscription that is cancelled has ended before. A subscription that never began has nothing to lose: no churn.
CREATE FUNCTION track_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status NOT IN ('unpaid', 'cancel', 'completed') THEN
    NEW.ended_at := NULL;
    NEW.ended_reason := NULL;
    NEW.churned := NULL;
  ELSIF TG_OP = 'UPDATE' AND OLD.ended_at IS NOT NULL THEN
    NEW.ended_at := OLD.ended_at;
    NEW.ended_reason := OLD.ended_reason;
    NEW.churned := OLD.churned;
  ELSE
    NEW.ended_at := coalesce(NEW.ended_at, NEW.updated_at);
    NEW.churned := coalesce(NEW.churned, TG_OP = 'UPDATE' AND OLD.status <> 'created');
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER track_end BEFORE UPDATE OF status ON subscription FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION track_end();
CREATE TRIGGER track_end_of_new BEFORE INSERT ON subscription FOR EACH ROW
  WHEN (NEW.status IN ('unpaid', 'cancel', 'completed')) EXECUTE FUNCTION track_end();

-- Keeps the sums of each time equal to the rows: "ended" counts the subscriptions with that ended_at which have begun and are not deleted.
-- An end that is taken back, by a payment or by deleting the row, becomes one that left. At each time, the number of recurring
-- subscriptions changes by what started, less what ended and left.
CREATE FUNCTION count_recurring() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  churned_before boolean := OLD.churned IS TRUE AND OLD.deleted_at IS NULL;
  churned_now boolean := NEW.churned IS TRUE AND NEW.deleted_at IS NULL;
  recurred int := (OLD.status IN ('active', 'past_due') AND OLD.deleted_at IS NULL)::int;
  recurs int := (NEW.status IN ('active', 'past_due') AND NEW.deleted_at IS NULL)::int;
  started int := (OLD.status = 'created' AND recurs = 1)::int;
  ended int := (churned_now AND NOT churned_before)::int;
  back int := (churned_before AND NOT churned_now)::int;
BEGIN
  INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
  SELECT NEW.business_id, NEW.livemode, change.at, 0, change.count, package.currency, change.kind
    FROM package, (VALUES ('started', NEW.updated_at, started), ('ended', NEW.ended_at, ended),
                          ('left', NEW.updated_at, started - ended - (recurs - recurred)),
                          ('ended', OLD.ended_at, -back), ('left', OLD.ended_at, back)) AS change(kind, at, count)
   WHERE package.id = NEW.package_id AND change.count <> 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_recurring AFTER UPDATE OF status, deleted_at ON subscription FOR EACH ROW
  WHEN ((OLD.status, OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.status, NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_recurring();

-- The sums of what happened so far, from the rows. A subscription began with its first payment. One that is paused stopped when it last
-- changed, because no earlier time is known. Payments wait only for the last statements.
CREATE TEMPORARY TABLE recurring_change ON COMMIT DROP AS
SELECT s.business_id, s.livemode, p.currency, change.kind, change.at
  FROM subscription s JOIN package p ON p.id = s.package_id
 CROSS JOIN LATERAL (SELECT min(l.paid_at) AS at FROM payment_link l WHERE l.subscription_id = s.id AND l.paid_at IS NOT NULL) first
 CROSS JOIN LATERAL (
   VALUES ('started', first.at),
          ('ended', CASE WHEN s.churned AND s.deleted_at IS NULL THEN s.ended_at END),
          ('left', CASE WHEN s.deleted_at IS NOT NULL THEN coalesce(s.ended_at, s.deleted_at)
                        WHEN s.status NOT IN ('active', 'past_due') AND s.ended_at IS NULL THEN s.updated_at END)) AS change(kind, at)
 WHERE first.at IS NOT NULL AND change.at IS NOT NULL;
ALTER TABLE settled_change DROP CONSTRAINT settled_change_kind;
ALTER TABLE settled_change ADD CONSTRAINT settled_change_kind
  CHECK (kind IN ('collected', 'refunded', 'failed', 'fee', 'disputed', 'started', 'ended', 'left'));
ALTER TABLE "settled_sum" ADD COLUMN     "left_count" INTEGER NOT NULL DEFAULT 0;
DELETE FROM settled_change WHERE kind IN ('started', 'ended');
UPDATE settled_sum SET started_count = 0, ended_count = 0 WHERE started_count <> 0 OR ended_count <> 0;
INSERT INTO settled_sum (business_id, livemode, minutes, starts_at, currency, collected_cents, collected_count, refunded_cents,
                         refunded_count, failed_cents, failed_count, fee_cents, fee_count, started_count, ended_count, left_count)
SELECT business_id, livemode, level.minutes, date_bin(level.minutes * interval '1 minute', at, '2000-01-01T00:00:00Z'), currency,
       0, 0, 0, 0, 0, 0, 0, 0,
       count(*) FILTER (WHERE kind = 'started'), count(*) FILTER (WHERE kind = 'ended'), count(*) FILTER (WHERE kind = 'left')
  FROM recurring_change, (VALUES (15), (60)) AS level(minutes)
 GROUP BY 1, 2, 3, 4, 5
ON CONFLICT (business_id, livemode, minutes, starts_at, currency) DO UPDATE SET
  started_count = excluded.started_count, ended_count = excluded.ended_count, left_count = excluded.left_count;
