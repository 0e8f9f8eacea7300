import { actAs, acting } from "@/lib/core/acting";
import { type Db, Prisma } from "@/lib/core/db";
import { endKeysOf } from "@/lib/resources/api-keys/service";
import { withdrawAll } from "@/lib/resources/team/invitations";

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
  const memberships = await tx.membership.findMany({ where: { user_id: userId }, select: { business_id: true } });
  await actAs({ ...acting(), type: "user", id: userId }, async () => {
    await withdrawAll(tx, Prisma.sql`invited_by = ${userId}`);
    for (const { business_id } of memberships) await endKeysOf(tx, business_id, userId, { keep: [], keeper: null });
  });
}
