-- CreateIndex
CREATE INDEX "payment_amount" ON "payment"("business_id", "livemode", "amount_cents", "created_at", "id");

-- By hand: lists show no deleted links.
CREATE INDEX payment_link_amount ON payment_link (business_id, livemode, amount_cents, created_at, id) WHERE deleted_at IS NULL;
