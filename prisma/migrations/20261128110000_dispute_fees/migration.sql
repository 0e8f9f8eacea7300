-- By hand. The sums of fees have those of disputes, too, negative ones when the gateway gives them back. No payment is counted for them.
-- A trigger, so that processes of the version before count them as well. It locks the table against writers until the end.
CREATE FUNCTION count_dispute_fee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
  VALUES (NEW.business_id, NEW.livemode, NEW.created_at, NEW.fee_cents, 0, NEW.currency, 'fee');
  RETURN NULL;
END
$$;
CREATE TRIGGER count_dispute_fee AFTER INSERT ON dispute_movement FOR EACH ROW
  WHEN (NEW.fee_cents <> 0) EXECUTE FUNCTION count_dispute_fee();

INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
SELECT business_id, livemode, created_at, fee_cents, 0, currency, 'fee' FROM dispute_movement WHERE fee_cents <> 0;
