-- Webhook deliveries get a partition for each month, too (decision 68). A unique key on a partitioned table would need the id, so the
-- id of an event's delivery is computed from its endpoint and event: the primary key then refuses a second one.
CREATE FUNCTION webhook_delivery_id(of_endpoint text, of_event text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'whd_' || substr(of_event, 5, 10) || substr(encode(sha256((of_endpoint || of_event)::bytea), 'hex'), 1, 26)
$$;

CREATE OR REPLACE FUNCTION pg_temp.first_id_at(prefix text, at timestamptz) RETURNS text LANGUAGE sql AS $$
  SELECT prefix || '_' || string_agg(
           substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * (9 - n))) & 31)::int + 1, 1), '' ORDER BY n)
    FROM generate_series(0, 9) AS n, (SELECT (extract(epoch FROM at) * 1000)::bigint AS ms) AS time
$$;

-- The deliveries that there are have random ids. They, and those that processes of the release before add, come before a month that
-- begins in more than a week. The next migration checks both rules.
DO $$
DECLARE
  newest text;
  month timestamp := date_trunc('month', (now() + interval '7 days') AT TIME ZONE 'UTC') + interval '1 month';
BEGIN
  SELECT greatest(max(id), 'whd_' || substr(max(event_id), 5)) INTO newest FROM webhook_delivery;
  FOR tries IN 1..24 LOOP -- a machine's clock may have been ahead
    EXIT WHEN newest IS NULL OR newest < pg_temp.first_id_at('whd', month AT TIME ZONE 'UTC');
    month := month + interval '1 month';
    IF tries = 24 THEN
      RAISE EXCEPTION 'The id % of webhook_delivery, or of its event, was made in the far future, by a wrong clock. Give it another id', newest;
    END IF;
  END LOOP;
  EXECUTE format('ALTER TABLE webhook_delivery ADD CONSTRAINT %I CHECK (id < %L) NOT VALID,
                    ADD CONSTRAINT webhook_delivery_of_event CHECK (event_id IS NULL OR id = webhook_delivery_id(endpoint_id, event_id)
                      OR (id < %2$L AND event_id < %L)) NOT VALID',
                 'before_' || to_char(month, 'YYYY_MM'), pg_temp.first_id_at('whd', month AT TIME ZONE 'UTC'),
                 pg_temp.first_id_at('evt', month AT TIME ZONE 'UTC'));
END $$;
