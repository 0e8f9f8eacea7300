-- AlterTable
ALTER TABLE "membership" ADD COLUMN     "sessions_ended_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "staff_user" ADD COLUMN     "email_verified_at" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "former_password" (
    "user_id" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "replaced_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "former_password_pkey" PRIMARY KEY ("user_id","password_hash")
);

-- AddForeignKey
ALTER TABLE "former_password" ADD CONSTRAINT "former_password_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Accounts from before count as confirmed: nobody could confirm an address, and a password reset of an unconfirmed account drops
-- its second factor and revokes its keys, which would break working businesses.
UPDATE staff_user SET email_verified_at = created_at;

-- Links of earlier invitations were shown to those who sent them, so they prove no mailbox. They expire: "Resend" sends new ones.
UPDATE invitation SET expires_at = now() WHERE accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now();
