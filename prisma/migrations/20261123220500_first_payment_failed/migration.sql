-- For the overview: first periods whose charge failed. A subscription that starts has paid its own, so these are few.
CREATE INDEX payment_link_first_failed ON payment_link (business_id, livemode)
  WHERE period_index = 0 AND attempt_count > 0 AND status = 'Active' AND deleted_at IS NULL;
