-- By hand: the lists by e-mail with all columns of their order (docs/decisions/0019-lists-at-scale.md). Making the indexes reads each
-- table once and blocks its writes until the commit.
DROP INDEX subscription_customer, tokenization_customer;
CREATE INDEX subscription_customer ON subscription (business_id, livemode, lower(email COLLATE "C"), created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX tokenization_customer ON tokenization (business_id, livemode, lower(email COLLATE "C"), created_at, id);
