-- AlterTable
ALTER TABLE "business" ADD COLUMN     "currency" CHAR(3) NOT NULL DEFAULT 'EUR';

-- AlterTable
ALTER TABLE "staff_user" ADD COLUMN     "last_business_id" INTEGER,
ADD COLUMN     "two_factor_at" TIMESTAMPTZ(6),
ADD COLUMN     "two_factor_secret" TEXT,
ADD COLUMN     "two_factor_step" BIGINT;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "address" TEXT,
ADD COLUMN     "user_agent" TEXT;

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "replaced_by" TEXT;

-- CreateTable
CREATE TABLE "invitation" (
    "id" TEXT NOT NULL,
    "business_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "invited_by" TEXT,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "accepted_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery_code" (
    "user_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(6),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_id","hash")
);

-- CreateTable
CREATE TABLE "password_reset" (
    "token_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "password_reset_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_hash_key" ON "invitation"("token_hash");

-- CreateIndex
CREATE INDEX "invitation_business_id_created_at_id_idx" ON "invitation"("business_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "password_reset_user_id_idx" ON "password_reset"("user_id");

-- AddForeignKey
ALTER TABLE "invitation" ADD CONSTRAINT "invitation_business_id_fkey" FOREIGN KEY ("business_id") REFERENCES "business"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_reset" ADD CONSTRAINT "password_reset_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A member could do what a developer can, but for keys, and had no say over people.
ALTER TABLE membership DROP CONSTRAINT membership_role;
UPDATE membership SET role = 'developer' WHERE role = 'member';
ALTER TABLE membership
  ADD CONSTRAINT membership_role CHECK (role IN ('owner', 'admin', 'developer', 'support', 'viewer'));

ALTER TABLE business ADD CONSTRAINT business_currency CHECK (currency ~ '^[A-Z]{3}$');
ALTER TABLE staff_user ADD CONSTRAINT staff_user_two_factor CHECK (two_factor_at IS NULL OR two_factor_secret IS NOT NULL);

ALTER TABLE invitation
  ADD CONSTRAINT invitation_role CHECK (role IN ('owner', 'admin', 'developer', 'support', 'viewer')),
  ADD CONSTRAINT invitation_email CHECK (email = lower(email)),
  ADD CONSTRAINT invitation_end CHECK (accepted_at IS NULL OR revoked_at IS NULL);
CREATE UNIQUE INDEX invitation_one_open ON invitation (business_id, email) WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON invitation FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION touch_updated_at();

-- What the lists of people and of a person's businesses show.
CREATE VIEW team_member AS
  SELECT m.business_id, m.user_id AS id, u.name, u.email, m.role, u.two_factor_at IS NOT NULL AS two_factor, m.created_at,
         (SELECT max(s.last_seen_at) FROM session s WHERE s.business_id = m.business_id AND s.user_id = m.user_id)
           AS last_seen_at
    FROM membership m JOIN staff_user u ON u.id = m.user_id;
CREATE VIEW person_business AS
  SELECT b.id::text AS id, m.user_id, b.name, m.role, m.created_at
    FROM membership m JOIN business b ON b.id = m.business_id;
