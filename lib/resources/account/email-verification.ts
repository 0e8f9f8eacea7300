import type { Actor } from "@/lib/auth/actor";
import { auditPerson } from "@/lib/auth/audit";
import { allLimits, takeAllOrThrow } from "@/lib/auth/limits";
import { type Db, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { seal, unseal } from "@/lib/core/secrets";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import type { Account } from "./contract";
import { getAccount, personOf } from "./service";

const sealContext = "e-mail verification";
const lifetimeMs = 24 * 3_600_000;

/**
 * Queues the mail with which a person confirms their address. Its link also needs the person's session: otherwise the owner
 * of the mailbox could be made to confirm an account that a stranger registered with the address.
 */
export async function sendVerification(tx: Db, user: { id: string; email: string }, businessId: number): Promise<void> {
  const until = Date.now() + lifetimeMs;
  const link = `${env().APP_URL}/verify/${seal(JSON.stringify({ userId: user.id, until }), sealContext)}`;
  const props = { link, expires_at: new Date(until).toISOString() };
  await queueStaffMail(tx, { template: "email_verification", to: user.email, businessId, livemode: true, props });
}

/** @throws ApiError email_verified, too_many_attempts */
export async function resendVerification(tx: Db, actor: Actor): Promise<Account> {
  const account = await getAccount(tx, actor);
  if (account.email_verified) throw new ApiError("email_verified");
  await takeAllOrThrow([{ from: allLimits().verification, key: account._id }]);
  await sendVerification(tx, { id: account._id, email: account.email }, actor.businessId);
  return account;
}

/** @throws ValidationError for a link that is too old, or of another person's account */
export async function confirmEmail(tx: Db, actor: Actor, token: string): Promise<Account> {
  const { userId } = personOf(actor);
  if (personOfToken(token) !== userId)
    throw new ValidationError({ token: ["This link no longer works, or belongs to another account."] });
  return transaction(tx, async (tx) => {
    const unproven = { id: userId, email_verified_at: null };
    const { count } = await tx.user.updateMany({ where: unproven, data: { email_verified_at: new Date() } });
    const account = await getAccount(tx, actor);
    if (count > 0) await auditPerson(tx, userId, { action: "account.email_verified", about: account.email });
    return account;
  });
}

function personOfToken(token: string): string | null {
  try {
    const { userId, until } = JSON.parse(unseal(token, sealContext)) as { userId: string; until: number };
    return until > Date.now() ? userId : null;
  } catch {
    return null; // forged, cut off, or made with another APP_SECRET
  }
}
