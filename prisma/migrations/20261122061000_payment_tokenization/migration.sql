-- What a saved card was charged, which its page shows: the filter of GET /payments. Most payments are of no saved card.
CREATE INDEX payment_tokenization ON payment (tokenization_id, created_at, id) WHERE tokenization_id IS NOT NULL;
