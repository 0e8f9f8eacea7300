-- CreateTable
CREATE TABLE "customer" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "notes" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "customer" ADD CONSTRAINT "customer_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand, to the end (docs/decisions/0055-customers.md).
ALTER TABLE customer
  ADD CONSTRAINT customer_email CHECK (email = lower(email COLLATE "C")),
  ADD CONSTRAINT customer_name CHECK (char_length(name) BETWEEN 1 AND 200),
  ADD CONSTRAINT customer_notes CHECK (char_length(notes) BETWEEN 1 AND 5000),
  ADD CONSTRAINT customer_metadata CHECK (jsonb_typeof(metadata) = 'object');

-- The triggers come before the rows: from here on the three tables cannot be written until the commit.
CREATE FUNCTION add_customer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  address text := lower(NEW.email COLLATE "C");
BEGIN
  -- Most addresses are known. Then this is one lookup.
  IF NOT EXISTS (SELECT FROM customer c
                  WHERE c.business_id = NEW.business_id AND c.livemode = NEW.livemode AND c.email = address) THEN
    INSERT INTO customer (id, business_id, livemode, email, created_at, updated_at)
    VALUES ('cus_' || substr(split_part(NEW.id, '_', 2), 1, 10) || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26),
            NEW.business_id, NEW.livemode, address, NEW.created_at, NEW.created_at)
    ON CONFLICT (business_id, livemode, email) DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['payment_link', 'subscription', 'tokenization'] LOOP
    EXECUTE format('CREATE TRIGGER add_customer AFTER INSERT ON %I FOR EACH ROW EXECUTE FUNCTION add_customer()', name);
    EXECUTE format('CREATE TRIGGER change_customer AFTER UPDATE OF email ON %I FOR EACH ROW
      WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION add_customer()', name);
  END LOOP;
END
$$;

-- Reads each of the three tables once: seconds for 100,000 payment links, some minutes for 10,000,000.
INSERT INTO customer (id, business_id, livemode, email, created_at, updated_at)
SELECT 'cus_' || min(head) || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26), business_id, livemode, email, min(created_at),
       min(created_at)
  FROM (
    SELECT substr(split_part(id, '_', 2), 1, 10) AS head, business_id, livemode, lower(email COLLATE "C") AS email, created_at
      FROM payment_link
    UNION ALL
    SELECT substr(split_part(id, '_', 2), 1, 10), business_id, livemode, lower(email COLLATE "C"), created_at FROM subscription
    UNION ALL
    SELECT substr(split_part(id, '_', 2), 1, 10), business_id, livemode, lower(email COLLATE "C"), created_at FROM tokenization
  ) AS seen
 GROUP BY business_id, livemode, email;

-- CreateIndex
CREATE UNIQUE INDEX "customer_business_id_livemode_email_key" ON "customer"("business_id", "livemode", "email");

-- CreateIndex
CREATE INDEX "customer_business_id_livemode_created_at_id_idx" ON "customer"("business_id", "livemode", "created_at", "id");

CREATE INDEX customer_search ON customer USING gin (search_words(
  search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date), email || ' ' || coalesce(name, '')))
  WITH (fastupdate = off);

CREATE TRIGGER stamp_row BEFORE INSERT ON customer FOR EACH ROW
  WHEN (NEW.created_at IS NULL OR NEW.updated_at IS NULL) EXECUTE FUNCTION stamp_row();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON customer FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_in_business_time();
