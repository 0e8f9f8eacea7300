-- AlterTable
ALTER TABLE "email" ADD COLUMN     "copy_of" TEXT,
ADD COLUMN     "staff" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "email_business_id_livemode_to_created_at_id_idx" ON "email"("business_id", "livemode", "to", "created_at", "id");

-- By hand: what the Prisma schema cannot say.

UPDATE email SET staff = true WHERE template IN ('invitation', 'password_reset', 'webhook_failing');

-- What is queued, lane by lane (lib/mail/lanes.ts).
DROP INDEX email_due;
CREATE INDEX email_lane ON email (staff, business_id, next_attempt_at) WHERE status = 'queued';

-- How often somebody was sent a mail again (lib/emails/service.ts).
CREATE INDEX email_copies ON email (business_id, livemode, lower("to" COLLATE "C"), created_at) WHERE copy_of IS NOT NULL;
