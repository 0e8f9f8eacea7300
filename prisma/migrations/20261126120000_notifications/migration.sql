-- CreateTable
CREATE TABLE "notification_state" (
    "business_id" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "bell" JSONB,
    "mail" JSONB,
    "bundles" BOOLEAN NOT NULL DEFAULT false,
    "digest" BOOLEAN NOT NULL DEFAULT false,
    "digest_day" DATE,
    "read_until" TIMESTAMPTZ(6),
    "read_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "mailed_until" TIMESTAMPTZ(6),
    "mailed_at" TIMESTAMPTZ(6),

    CONSTRAINT "notification_state_pkey" PRIMARY KEY ("business_id","user_id","livemode")
);

-- AddForeignKey
ALTER TABLE "notification_state" ADD CONSTRAINT "notification_state_business_id_user_id_fkey" FOREIGN KEY ("business_id", "user_id") REFERENCES "membership"("business_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE notification_state ALTER read_ids SET NOT NULL;
-- The client reads at most a hundred notifications, and marks no others.
ALTER TABLE notification_state ADD CONSTRAINT notification_state_read_ids CHECK (cardinality(read_ids) <= 200);
ALTER TABLE notification_state ADD CONSTRAINT notification_state_digest CHECK (NOT digest OR digest_day IS NOT NULL);
ALTER TABLE notification_state ADD CONSTRAINT notification_state_bundles CHECK (NOT bundles OR (mail IS NOT NULL AND mailed_until IS NOT NULL));

-- The jobs read only the members who get mails.
CREATE INDEX notification_state_bundled ON notification_state (business_id, user_id, livemode) WHERE bundles;
CREATE INDEX notification_state_digested ON notification_state (business_id, user_id, livemode) WHERE digest;

-- Present members begin with nothing unread.
INSERT INTO notification_state (business_id, user_id, livemode, read_until)
SELECT business_id, user_id, true, now() FROM membership;
