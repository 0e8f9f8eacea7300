-- Lists of customers are filtered by metadata, as the others are. Customers without metadata, which are most, are not in the index.
CREATE INDEX customer_metadata_entries ON customer USING gin (metadata_entries(
  search_scope(business_id, livemode, (created_at AT TIME ZONE 'UTC')::date), metadata))
  WITH (fastupdate = off) WHERE metadata <> '{}';
