-- DropIndex
DROP INDEX "payment_link_business_id_livemode_created_at_id_idx";

-- DropIndex
DROP INDEX "payment_link_business_id_livemode_status_created_at_id_idx";

-- DropIndex
DROP INDEX "subscription_business_id_livemode_created_at_id_idx";

-- DropIndex
DROP INDEX "subscription_package_id_idx";

-- DropIndex
DROP INDEX "webhook_delivery_endpoint_id_status_created_at_id_idx";

-- DropIndex
DROP INDEX "webhook_delivery_endpoint_id_type_created_at_id_idx";

-- CreateIndex
CREATE INDEX "email_business_id_livemode_template_status_created_at_id_idx" ON "email"("business_id", "livemode", "template", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "payment_business_id_livemode_currency_gateway_status_create_idx" ON "payment"("business_id", "livemode", "currency", "gateway", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "refund_business_id_livemode_status_created_at_id_idx" ON "refund"("business_id", "livemode", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "subscription_package_id_status_created_at_id_idx" ON "subscription"("package_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_type_status_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "type", "status", "created_at", "id");

-- By hand: the indexes of lists (docs/decisions/0019-lists-at-scale.md). Making them reads each table once per index and blocks its
-- writes until the commit: seconds for 100,000 payment links, some ten minutes for 10,000,000.
CREATE INDEX payment_link_list ON payment_link (business_id, livemode, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX payment_link_facets ON payment_link (business_id, livemode, currency,
  (CASE WHEN expiry_recorded AND status IN ('Active', 'Inactive') THEN 'Expired' ELSE status END), created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX subscription_list ON subscription (business_id, livemode, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX subscription_facets ON subscription (business_id, livemode, status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX tokenization_facets ON tokenization (business_id, livemode,
  (CASE WHEN expiry_recorded AND status = 'pending' THEN 'expired' ELSE status END), created_at, id);
CREATE INDEX api_request_facets ON api_request (business_id, livemode, method, (status / 100), actor_type, created_at, id);
CREATE INDEX audit_entry_resource ON audit_entry (resource_id, created_at, id) WHERE resource_id IS NOT NULL;

DROP INDEX payment_link_reference, payment_link_reference_2;
CREATE INDEX payment_link_reference ON payment_link (business_id, livemode, reference, created_at, id)
  WHERE reference IS NOT NULL;
CREATE INDEX payment_link_reference_2 ON payment_link (business_id, livemode, reference_2, created_at, id)
  WHERE reference_2 IS NOT NULL;

-- Free text (the lists' q parameter): words, by prefix. Each word begins with its scope, the tenant and the day, so that a search
-- reads the entries of one day of one tenant. A business has too few packages to need an index.
CREATE FUNCTION search_scope(business_id int, livemode boolean, day date) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT business_id::text || CASE WHEN livemode THEN 'l' ELSE 't' END || (day - date '1970-01-01')::text || 'd'
$$;
CREATE FUNCTION search_words(scope text, words text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_tsvector('simple'::regconfig, regexp_replace(' ' || lower(words), '[^[:alnum:]]+', ' ' || scope, 'g'))
$$;

DROP INDEX payment_link_search, tokenization_search, package_search, subscription_search;
-- Without fastupdate, because a search reads the list of pending entries for each day.
CREATE INDEX payment_link_search ON payment_link USING gin (search_words(
  search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date),
  title || ' ' || email || ' ' || coalesce(reference, '') || ' ' || coalesce(reference_2, '') || ' ' || coalesce(description, '')))
  WITH (fastupdate = off);
CREATE INDEX tokenization_search ON tokenization USING gin (search_words(
  search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date), title || ' ' || email))
  WITH (fastupdate = off);
CREATE INDEX subscription_search ON subscription USING gin (search_words(
  search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date), email || ' ' || coalesce(phone_no, '')))
  WITH (fastupdate = off);
