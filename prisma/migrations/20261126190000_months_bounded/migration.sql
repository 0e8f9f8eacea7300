-- Requests, attempts and mails get a partition for each month (decision 66). This bounds the rows that there are: ids sort by the time at
-- which they were made, and all of these come before a month that begins in more than a week. The next migration checks it.
CREATE OR REPLACE FUNCTION pg_temp.first_id_at(prefix text, at timestamptz) RETURNS text LANGUAGE sql AS $$
  SELECT prefix || '_' || string_agg(
           substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * (9 - n))) & 31)::int + 1, 1), '' ORDER BY n)
    FROM generate_series(0, 9) AS n, (SELECT (extract(epoch FROM at) * 1000)::bigint AS ms) AS time
$$;

DO $$
DECLARE
  entry record;
  newest text;
  month timestamp;
BEGIN
  FOR entry IN SELECT * FROM (VALUES ('api_request', 'req'), ('webhook_attempt', 'wha'), ('email', 'eml')) AS monthly(name, prefix) LOOP
    EXECUTE format('SELECT max(id) FROM %I', entry.name) INTO newest;
    month := date_trunc('month', (now() + interval '7 days') AT TIME ZONE 'UTC') + interval '1 month';
    FOR tries IN 1..24 LOOP -- a machine's clock may have been ahead
      EXIT WHEN newest IS NULL OR newest < pg_temp.first_id_at(entry.prefix, month AT TIME ZONE 'UTC');
      month := month + interval '1 month';
      IF tries = 24 THEN
        RAISE EXCEPTION 'The id % of % was made in the far future, by a wrong clock. Give it another id', newest, entry.name;
      END IF;
    END LOOP;
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (id < %L) NOT VALID', entry.name,
                   'before_' || to_char(month, 'YYYY_MM'), pg_temp.first_id_at(entry.prefix, month AT TIME ZONE 'UTC'));
  END LOOP;
END $$;
