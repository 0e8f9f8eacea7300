-- AlterTable
ALTER TABLE "webhook_delivery" ADD COLUMN     "claim" TEXT,
ADD COLUMN     "tries" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "type" TEXT,
ALTER COLUMN "event_id" DROP NOT NULL;

-- Deliveries that were written before carried their event's type.
UPDATE webhook_delivery SET type = event.type FROM event WHERE event.id = event_id;
ALTER TABLE "webhook_delivery" ALTER COLUMN "type" SET NOT NULL;

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_status_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_endpoint_id_type_created_at_id_idx" ON "webhook_delivery"("endpoint_id", "type", "created_at", "id");


-- By hand: what the Prisma schema cannot say.

ALTER TABLE webhook_delivery
  ADD CONSTRAINT webhook_delivery_counts CHECK (attempt_count >= 0 AND tries >= 0);
