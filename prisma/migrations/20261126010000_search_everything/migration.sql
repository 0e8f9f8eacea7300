-- AlterTable
ALTER TABLE "payment" ADD COLUMN     "link_words" TEXT;

-- By hand. What people type to find a payment stands on its link. The payment keeps a copy from when the gateway has it, because an
-- index has columns of one table only. Attempts that are just being sent are not in the index, so that a charge writes to it once.
CREATE FUNCTION copy_link_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT title || ' ' || email || ' ' || coalesce(reference, '') || ' ' || coalesce(reference_2, '')
    INTO NEW.link_words FROM payment_link WHERE id = NEW.payment_link_id;
  RETURN NEW;
END $$;
CREATE TRIGGER copy_link_words BEFORE INSERT OR UPDATE ON payment FOR EACH ROW
  WHEN (NEW.link_words IS NULL AND NEW.status NOT IN ('created', 'sending')) EXECUTE FUNCTION copy_link_words();

ALTER TABLE payment DISABLE TRIGGER USER;
UPDATE payment p
   SET link_words = l.title || ' ' || l.email || ' ' || coalesce(l.reference, '') || ' ' || coalesce(l.reference_2, '')
  FROM payment_link l WHERE l.id = p.payment_link_id AND p.status NOT IN ('created', 'sending');
ALTER TABLE payment ENABLE TRIGGER USER;

-- Amounts are words, too: "0c1250" for 12.50.
CREATE INDEX payment_search ON payment USING gin (search_words(
  search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date),
  link_words || ' ' || currency || ' 0c' || amount_cents::text || ' ' || coalesce(card_brand, '') || ' ' || coalesce(card_last4, '')
    || ' ' || coalesce(gateway_ref, '') || ' ' || coalesce(reference, '')))
  WITH (fastupdate = off) WHERE status NOT IN ('created', 'sending');

DROP INDEX payment_link_search, tokenization_search;
CREATE INDEX payment_link_search ON payment_link USING gin (search_words(
  search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date),
  title || ' ' || email || ' ' || coalesce(reference, '') || ' ' || coalesce(reference_2, '') || ' ' || coalesce(description, '')
    || ' ' || currency || ' 0c' || amount_cents::text))
  WITH (fastupdate = off);
CREATE INDEX tokenization_search ON tokenization USING gin (search_words(
  search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date),
  title || ' ' || email || ' ' || coalesce(card_brand, '') || ' ' || coalesce(card_last4, '')))
  WITH (fastupdate = off);
