-- CreateIndex
CREATE INDEX "webhook_attempt_created_at_idx" ON "webhook_attempt"("created_at");

-- DropIndex
DROP INDEX "api_request_created_at_idx";

-- CreateIndex
CREATE INDEX "api_request_created_at_idx" ON "api_request"("created_at");

-- By hand: what the Prisma schema cannot say.

-- What is deleted is found by its time in an index of its own: one of ranges (BRIN) finds less and less once the room of what
-- was deleted is used again.
-- What is deleted when it is old enough (lib/jobs/forget.ts).
CREATE INDEX email_forgotten ON email (created_at) WHERE NOT livemode AND status <> 'queued';
CREATE INDEX webhook_delivery_forgotten ON webhook_delivery (created_at) WHERE NOT livemode AND status <> 'pending';

-- That deliveries fail, or go well again, is no change of the endpoint: whoever edits it must not be told that somebody else did.
DROP TRIGGER touch_updated_at ON webhook_endpoint;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON webhook_endpoint FOR EACH ROW
  WHEN (to_jsonb(OLD) - '{failing_since,warned_at}'::text[] IS DISTINCT FROM to_jsonb(NEW) - '{failing_since,warned_at}'::text[])
  EXECUTE FUNCTION touch_updated_at();
