-- The first charge of a future start is announced. Until now, `noticed_period` 0 meant that it is not.
UPDATE subscription SET noticed_period = -1
 WHERE next_period = 0 AND noticed_period = 0 AND status = 'created' AND deleted_at IS NULL AND next_charge_at > now();
