-- AlterTable
ALTER TABLE "business" ADD COLUMN     "two_factor_since" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "backed_up" BOOLEAN NOT NULL,
    "last_used_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passkey_challenge" (
    "hash" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "bound_to" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");

-- CreateIndex
CREATE INDEX "passkey_user_id_created_at_id_idx" ON "passkey"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge"("expires_at");

-- AddForeignKey
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE passkey_challenge ADD CONSTRAINT passkey_challenge_purpose CHECK (purpose IN ('register', 'confirm', 'sign_in'));

-- A passkey is a second factor, too.
CREATE OR REPLACE VIEW team_member AS
  SELECT m.business_id, m.user_id AS id, u.name, u.email, m.role,
         u.two_factor_at IS NOT NULL OR EXISTS (SELECT FROM passkey p WHERE p.user_id = u.id) AS two_factor, m.created_at,
         (SELECT max(s.last_seen_at) FROM session s WHERE s.business_id = m.business_id AND s.user_id = m.user_id)
           AS last_seen_at
    FROM membership m JOIN staff_user u ON u.id = m.user_id;
