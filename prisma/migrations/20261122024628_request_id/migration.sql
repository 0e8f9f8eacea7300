-- CreateIndex
CREATE INDEX "api_request_business_id_livemode_request_id_idx" ON "api_request"("business_id", "livemode", "request_id");
