-- A customer's payments are also those of links that were deleted, which payment_link_customer leaves out. They are few, so
-- making a link costs nothing more.
CREATE INDEX payment_link_deleted_customer ON payment_link (business_id, livemode, lower(email COLLATE "C"))
  WHERE deleted_at IS NOT NULL;
