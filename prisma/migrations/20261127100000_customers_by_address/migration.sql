-- The look-up of an address was planned while the table was empty. Then it read all customers of the business for each row, until
-- PostgreSQL analyzed the table. Here only the unique index gives the order without a sort, so the plan does not depend on statistics.
-- The insert alone would do, but it waits for a transaction that changes the customer: both could wait for each other.
CREATE OR REPLACE FUNCTION add_customer() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  address text := lower(NEW.email COLLATE "C");
  nearest text;
BEGIN
  -- Most addresses are known. Then this is one lookup.
  SELECT c.email INTO nearest FROM customer c
   WHERE c.business_id = NEW.business_id AND c.livemode = NEW.livemode AND c.email >= address ORDER BY c.email LIMIT 1;
  IF nearest IS DISTINCT FROM address THEN
    INSERT INTO customer (id, business_id, livemode, email, created_at, updated_at)
    VALUES ('cus_' || substr(split_part(NEW.id, '_', 2), 1, 10) || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26),
            NEW.business_id, NEW.livemode, address, NEW.created_at, NEW.created_at)
    ON CONFLICT (business_id, livemode, email) DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
