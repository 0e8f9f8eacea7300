-- AlterTable
ALTER TABLE "email" ADD COLUMN     "drop_reason" TEXT;

ALTER TABLE email
  DROP CONSTRAINT email_status,
  ADD CONSTRAINT email_status CHECK (status IN ('queued', 'sent', 'outbox', 'failed', 'dropped')),
  ADD CONSTRAINT email_dropped CHECK ((status = 'dropped') = (drop_reason IS NOT NULL));
