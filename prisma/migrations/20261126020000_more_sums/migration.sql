-- AlterTable
ALTER TABLE "settled_sum" ADD COLUMN     "disputed_cents" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "disputed_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "ended_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "started_count" INTEGER NOT NULL DEFAULT 0;

-- By hand, to the end. Kinds of changes: what disputes took, and subscriptions that begin and stop to recur.
ALTER TABLE settled_change DROP CONSTRAINT settled_change_kind;
ALTER TABLE settled_change ADD CONSTRAINT settled_change_kind
  CHECK (kind IN ('collected', 'refunded', 'failed', 'fee', 'disputed', 'started', 'ended'));

-- Counts a subscription when it becomes recurring revenue, and when it stops to be. updated_at is the business's time.
CREATE FUNCTION count_recurring() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
  SELECT NEW.business_id, NEW.livemode, NEW.updated_at, 0, 1, currency,
         CASE WHEN NEW.status IN ('active', 'past_due') AND NEW.deleted_at IS NULL THEN 'started' ELSE 'ended' END
    FROM package WHERE id = NEW.package_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER count_recurring AFTER UPDATE OF status, deleted_at ON subscription FOR EACH ROW
  WHEN ((OLD.status IN ('active', 'past_due') AND OLD.deleted_at IS NULL)
        <> (NEW.status IN ('active', 'past_due') AND NEW.deleted_at IS NULL))
  EXECUTE FUNCTION count_recurring();

-- What happened so far. Writers wait, so that nothing is left out. A subscription began with the payment of its first period. One that
-- no longer recurs stopped when it last changed, because no earlier time is known.
LOCK TABLE dispute_movement, subscription IN SHARE MODE;
INSERT INTO settled_sum AS known (business_id, livemode, minutes, starts_at, currency, collected_cents, collected_count, refunded_cents,
                                  refunded_count, failed_cents, failed_count, fee_cents, fee_count, disputed_cents, disputed_count,
                                  started_count, ended_count)
SELECT business_id, livemode, level.minutes, date_bin(level.minutes * interval '1 minute', at, '2000-01-01T00:00:00Z'), currency,
       0, 0, 0, 0, 0, 0, 0, 0,
       coalesce(sum(cents) FILTER (WHERE kind = 'disputed'), 0), coalesce(sum(count) FILTER (WHERE kind = 'disputed'), 0),
       coalesce(sum(count) FILTER (WHERE kind = 'started'), 0), coalesce(sum(count) FILTER (WHERE kind = 'ended'), 0)
  FROM (SELECT business_id, livemode, created_at AS at, currency, 'disputed' AS kind,
               CASE kind WHEN 'withdrawn' THEN amount_cents ELSE -amount_cents END AS cents,
               CASE kind WHEN 'withdrawn' THEN 1 ELSE -1 END AS count
          FROM dispute_movement
        UNION ALL
        SELECT s.business_id, s.livemode, change.at, p.currency, change.kind, 0, 1
          FROM subscription s JOIN package p ON p.id = s.package_id
          JOIN payment_link first ON first.subscription_id = s.id AND first.period_index = 0 AND first.paid_at IS NOT NULL
         CROSS JOIN LATERAL (
           VALUES ('started', first.paid_at),
                  ('ended', CASE WHEN s.deleted_at IS NOT NULL OR s.status NOT IN ('active', 'past_due')
                                 THEN coalesce(s.deleted_at, s.updated_at) END)) AS change(kind, at)
         WHERE change.at IS NOT NULL) AS happened,
       (VALUES (15), (60)) AS level(minutes)
 GROUP BY 1, 2, 3, 4, 5
ON CONFLICT (business_id, livemode, minutes, starts_at, currency) DO UPDATE SET
  disputed_cents = excluded.disputed_cents, disputed_count = excluded.disputed_count,
  started_count = excluded.started_count, ended_count = excluded.ended_count;
