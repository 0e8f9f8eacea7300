-- By hand: payment links that are not a period of a subscription, which the dashboard lists by default. The first column has one
-- value: by it the list chooses this index (docs/decisions/0051-rows-and-side-peek.md). Making it reads the table once and blocks
-- its writes until the commit: seconds for 100,000 payment links, some minutes for 10,000,000.
CREATE INDEX payment_link_standalone ON payment_link (business_id, livemode,
  (CASE WHEN subscription_id IS NULL THEN 'none' END), currency,
  (CASE WHEN expiry_recorded AND status IN ('Active', 'Inactive') THEN 'Expired' ELSE status END), created_at, id)
  WHERE deleted_at IS NULL AND subscription_id IS NULL;
