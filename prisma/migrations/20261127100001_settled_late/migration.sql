-- Lists by the time of settlement are read by the time of creation. Most rows settle within a day of it: these are the others.
CREATE INDEX payment_settled_late ON payment (business_id, livemode, settled_at) WHERE settled_at - created_at > interval '24 hours';
CREATE INDEX refund_settled_late ON refund (business_id, livemode, settled_at) WHERE settled_at - created_at > interval '24 hours';
