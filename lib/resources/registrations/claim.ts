import type { Db } from "@/lib/core/db";

/**
 * Takes an account with an unconfirmed e-mail address away from the person who registered it. Drops what they set up: the
 * second factor, passkeys, recovery codes, sessions, pending invitations and API keys. The businesses and their data stay.
 * The caller locks the account first, and sets the new password.
 */
export async function dropUnproven(tx: Db, userId: string): Promise<void> {
  await tx.user.update({
    where: { id: userId },
    data: { two_factor_at: null, two_factor_secret: null, two_factor_step: null },
  });
  await tx.passkey.deleteMany({ where: { user_id: userId } });
  await tx.recoveryCode.deleteMany({ where: { user_id: userId } });
  await tx.formerPassword.deleteMany({ where: { user_id: userId } });
  await tx.passwordReset.deleteMany({ where: { user_id: userId, used_at: null } });
  await tx.session.deleteMany({ where: { user_id: userId } });
  await tx.invitation.updateMany({
    where: { invited_by: userId, accepted_at: null, revoked_at: null },
    data: { revoked_at: new Date() },
  });
  await tx.apiKey.updateMany({ where: { created_by: userId, revoked_at: null }, data: { revoked_at: new Date() } });
}
