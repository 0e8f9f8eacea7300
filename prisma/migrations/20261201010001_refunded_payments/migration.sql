-- By hand. The filter "refunded" of payments reads along it. Most payments are not in it.
CREATE INDEX payment_refunded ON payment (business_id, livemode, (CASE WHEN refunded_cents < amount_cents THEN 'partly' ELSE 'fully' END),
  created_at, id) WHERE refunded_cents > 0;
