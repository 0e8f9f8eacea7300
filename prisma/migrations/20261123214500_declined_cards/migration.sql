ALTER TABLE "tokenization" ADD COLUMN     "decline_reason" TEXT,
ADD COLUMN     "declined_at" TIMESTAMPTZ(6);

ALTER TABLE tokenization ADD CONSTRAINT tokenization_declined CHECK (num_nulls(declined_at, decline_reason) <> 1);

-- A card that was last declined for good is not charged again, as from now on.
UPDATE tokenization t SET declined_at = p.settled_at, decline_reason = p.reason
  FROM (SELECT DISTINCT ON (tokenization_id) tokenization_id, settled_at, reason FROM payment
         WHERE status = 'failed' AND tokenization_id IS NOT NULL AND settled_at IS NOT NULL
           AND reason IN ('expired_card', 'incorrect_number', 'incorrect_cvc', 'card_not_supported', 'card_blocked')
         ORDER BY tokenization_id, settled_at DESC) p
 WHERE t.id = p.tokenization_id AND t.status = 'active'
   AND NOT EXISTS (SELECT FROM payment later WHERE later.tokenization_id = t.id AND later.status = 'succeeded'
                      AND later.settled_at > p.settled_at);
