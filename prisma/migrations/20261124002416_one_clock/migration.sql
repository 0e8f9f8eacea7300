-- DropIndex
DROP INDEX "api_request_created_at_idx";

-- DropIndex
DROP INDEX "webhook_attempt_created_at_idx";

-- AlterTable
ALTER TABLE "business" ADD COLUMN     "test_clock_at" TIMESTAMPTZ(6);

-- By hand, to the end (docs/decisions/0033-one-clock.md). Old rows keep their times. Until now these were the system's, so each is
-- its row's `started_at`, too. The second ALTER of a table reads it once and writes it anew.
ALTER TABLE payment ADD COLUMN started_at timestamptz(6);
ALTER TABLE payment ALTER started_at TYPE timestamptz(6) USING created_at, ALTER started_at SET NOT NULL,
  ALTER started_at SET DEFAULT row_time();
ALTER TABLE refund ADD COLUMN started_at timestamptz(6);
ALTER TABLE refund ALTER started_at TYPE timestamptz(6) USING created_at, ALTER started_at SET NOT NULL,
  ALTER started_at SET DEFAULT row_time();
ALTER TABLE dispute ADD COLUMN started_at timestamptz(6);
ALTER TABLE dispute ALTER started_at TYPE timestamptz(6) USING created_at, ALTER started_at SET NOT NULL,
  ALTER started_at SET DEFAULT row_time();
ALTER TABLE tokenization ADD COLUMN started_at timestamptz(6);
ALTER TABLE tokenization ALTER started_at TYPE timestamptz(6) USING created_at, ALTER started_at SET NOT NULL,
  ALTER started_at SET DEFAULT row_time();
ALTER TABLE gateway_account ADD COLUMN started_at timestamptz(6);
ALTER TABLE gateway_account ALTER started_at TYPE timestamptz(6) USING created_at, ALTER started_at SET NOT NULL,
  ALTER started_at SET DEFAULT row_time();

-- What a business's clock shows now. A transaction that writes down what happened earlier has its own time (row_time).
CREATE FUNCTION business_time(of_business int, live boolean) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF live OR coalesce(current_setting('paydesk.row_time', true), '') <> '' THEN
    RETURN row_time();
  END IF;
  RETURN (SELECT coalesce(test_clock_at, clock_timestamp() + test_clock_ahead * interval '1 millisecond')
            FROM business WHERE id = of_business);
END
$$;

-- An instant of the system's time as a business's clock shows it. It is as far from now as in system time.
CREATE FUNCTION on_business_clock(at timestamptz, of_business int, live boolean) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN live THEN at ELSE at + (SELECT test_clock_ahead FROM business WHERE id = of_business) * interval '1 millisecond' END
$$;

-- Rows of a mode get the time of their business's clock. Columns without a value get it here, because a default cannot read the row.
CREATE FUNCTION stamp_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown timestamptz := business_time(NEW.business_id, NEW.livemode);
BEGIN
  NEW.created_at := coalesce(NEW.created_at, shown);
  NEW.updated_at := coalesce(NEW.updated_at, shown);
  RETURN NEW;
END
$$;
CREATE FUNCTION touch_in_business_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := business_time(NEW.business_id, NEW.livemode);
  RETURN NEW;
END
$$;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['payment_link', 'payment', 'refund', 'dispute', 'tokenization', 'package', 'subscription',
                              'gateway_account', 'webhook_endpoint', 'webhook_delivery', 'payout'] LOOP
    EXECUTE format('ALTER TABLE %I ALTER created_at DROP DEFAULT, ALTER updated_at DROP DEFAULT', name);
    EXECUTE format('CREATE TRIGGER stamp_row BEFORE INSERT ON %I FOR EACH ROW
      WHEN (NEW.created_at IS NULL OR NEW.updated_at IS NULL) EXECUTE FUNCTION stamp_row()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['payment_link', 'payment', 'refund', 'tokenization', 'package', 'subscription', 'webhook_delivery',
                              'payout'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER touch_updated_at BEFORE UPDATE ON %I FOR EACH ROW
      WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_in_business_time()', name);
  END LOOP;
END
$$;
CREATE OR REPLACE TRIGGER touch_updated_at BEFORE UPDATE ON dispute FOR EACH ROW
  WHEN (to_jsonb(OLD) - 'asked_at' IS DISTINCT FROM to_jsonb(NEW) - 'asked_at') EXECUTE FUNCTION touch_in_business_time();
CREATE OR REPLACE TRIGGER touch_updated_at BEFORE UPDATE ON webhook_endpoint FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{failing_since,warned_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{failing_since,warned_at}'::text[])
  EXECUTE FUNCTION touch_in_business_time();
CREATE OR REPLACE TRIGGER touch_updated_at BEFORE UPDATE OF secrets, hint, replaced_at ON gateway_account FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_in_business_time();
-- The business itself belongs to both modes and keeps the system's time. Moving its test clock is no change of its settings.
CREATE OR REPLACE TRIGGER touch_updated_at BEFORE UPDATE ON business FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{test_clock_ahead,test_clock_target,test_clock_at}'::text[]
        IS DISTINCT FROM to_jsonb(NEW) - '{test_clock_ahead,test_clock_target,test_clock_at}'::text[])
  EXECUTE FUNCTION touch_updated_at();
ALTER TABLE business ADD CONSTRAINT business_test_clock_at CHECK (test_clock_at IS NULL OR test_clock_target IS NOT NULL);

-- Retention is in system time, which ids have.
DROP INDEX email_forgotten, webhook_delivery_forgotten, email_invitations;
CREATE INDEX email_forgotten ON email (id) WHERE NOT livemode AND status <> 'queued';
CREATE INDEX webhook_delivery_forgotten ON webhook_delivery (id) WHERE NOT livemode AND status <> 'pending';
CREATE INDEX email_invitations ON email ("to", id) WHERE template = 'invitation';
