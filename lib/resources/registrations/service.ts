import { audit, auditPerson } from "@/lib/auth/audit";
import { assertNewPassword, keepFormerPassword } from "@/lib/auth/former-passwords";
import { allLimits, digest, takeAll, takeAllOrThrow } from "@/lib/auth/limits";
import { hashPassword } from "@/lib/auth/password";
import { unlockSignIn } from "@/lib/auth/sign-in";
import { hashToken, isToken, newToken } from "@/lib/auth/token";
import { isWeakPassword, weakPasswordText } from "@/lib/auth/weak-password";
import { acting } from "@/lib/core/acting";
import { isoMicros } from "@/lib/core/clock";
import { type Db, db, isUniqueViolation, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { type Client, networkOf } from "@/lib/core/network";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import type { BusinessInput } from "@/lib/resources/account/contract";
import { sendVerification } from "@/lib/resources/account/email-verification";
import { spelledTimezone } from "@/lib/resources/settings/timezone";
import { dropUnproven } from "./claim";
import type { Registration, RegistrationInput, ResetInput } from "./contract";

export const registrationOpen = (): boolean => env().REGISTRATION === "open";

/** @throws ApiError registration_closed */
export function assertRegistrationOpen(): void {
  if (!registrationOpen()) throw new ApiError("registration_closed");
}

/** Counts a registration from an address. @throws ApiError too_many_attempts */
export const countRegistration = (address: string): Promise<void> =>
  takeAllOrThrow([{ from: allLimits().registration, key: digest(networkOf(address)) }]);

/** @throws ValidationError on the time zone */
export async function insertBusiness(
  tx: Db,
  input: BusinessInput,
  ownerId: string,
): Promise<{ id: number; timezone: string }> {
  const { name, currency } = input;
  const timezone = await spelledTimezone(tx, input.timezone);
  const { id } = await tx.business.create({ data: { name, currency, timezone } });
  await tx.membership.create({ data: { business_id: id, user_id: ownerId, role: "owner" } });
  const who = { ...acting(), type: "user", id: ownerId } as const;
  await audit(tx, id, { action: "business.registered", about: name, after: { name, currency, timezone }, who });
  return { id, timezone };
}

/**
 * Creates a business and its owner.
 * @throws ApiError registration_closed, too_many_attempts; ValidationError
 */
export async function register(input: RegistrationInput, client: Client): Promise<Registration> {
  assertRegistrationOpen();
  const { business_name, currency, name } = input;
  const email = input.email.toLowerCase();
  await takeAllOrThrow([{ from: allLimits().passwordCheck, key: digest(networkOf(client.address)) }]);
  await assertStrong(input.password, [name, email, business_name]);
  await countRegistration(client.address);
  const password_hash = await hashPassword(input.password);
  try {
    return await transaction(db, async (tx) => {
      const user = await tx.user.create({ data: { id: newId("usr"), email, name, password_hash } });
      const business = { name: business_name, currency, timezone: input.timezone };
      const { id: business_id, timezone } = await insertBusiness(tx, business, user.id);
      if (env().SMTP_URL) await sendVerification(tx, user, business_id);
      const created_at = isoMicros(user.created_at);
      return { _id: user.id, name, email, business_id, business_name, currency, timezone, created_at };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
}

const emailTaken = () =>
  new ValidationError({ email: ["There is an account with this e-mail already. Sign in with it instead."] });

/** @throws ValidationError */
export async function assertStrong(password: string, known: string[]): Promise<void> {
  if (await isWeakPassword(password, known)) throw new ValidationError({ password: [weakPasswordText] });
}

const resetLifetimeMs = 3_600_000;

/** Creates a password reset link, valid for an hour. */
export async function createPasswordReset(tx: Db, userId: string): Promise<{ url: string; expires_at: Date }> {
  const { token, hash } = newToken();
  const expires_at = new Date(Date.now() + resetLifetimeMs);
  await tx.passwordReset.create({ data: { token_hash: hash, user_id: userId, expires_at } });
  return { url: `${env().APP_URL}/reset/${token}`, expires_at };
}

/**
 * Sends a mail if the address has an account. The response does not wait for it, so that its time reveals nothing.
 * @throws ApiError too_many_attempts
 */
export async function requestPasswordReset(given: string, client: Client): Promise<{ _id: string; email: string }> {
  const { forgotAddress } = allLimits();
  await takeAllOrThrow([{ from: forgotAddress, key: digest(networkOf(client.address)) }]);
  sendReset(given.toLowerCase()).catch((error: unknown) => log.error({ err: error }, "could not queue a reset"));
  return { _id: "password_reset", email: given };
}

async function sendReset(email: string): Promise<void> {
  const user = await db.user.findUnique({ where: { email }, include: { memberships: { take: 1 } } });
  const membership = user?.memberships[0];
  if (!user || !membership) return;
  // Silently: the person already has the earlier mails.
  if (await takeAll([{ from: allLimits().forgotAccount, key: digest(email) }])) return;
  await transaction(db, async (tx) => {
    const { url, expires_at } = await createPasswordReset(tx, user.id);
    await queueStaffMail(tx, {
      template: "password_reset",
      to: email,
      businessId: membership.business_id,
      livemode: true,
      props: { link: url, expires_at: expires_at.toISOString() },
    });
  });
}

const resetNotOpen = () => new ValidationError({ token: ["This address no longer works. Ask for a new one."] });

export async function isResetOpen(token: string): Promise<boolean> {
  if (!isToken(token)) return false;
  const row = await db.passwordReset.findUnique({ where: { token_hash: hashToken(token) } });
  return row !== null && row.used_at === null && row.expires_at.getTime() > Date.now();
}

/**
 * Sets a new password, once, and ends every session of the person. The link proves the mailbox: in an account that was never
 * confirmed, it also drops what its registrant set up.
 * @throws ValidationError
 */
export async function resetPassword(
  { token, password }: ResetInput,
  { address }: Client,
): Promise<{ _id: string; email: string }> {
  if (!(await isResetOpen(token))) throw resetNotOpen();
  const token_hash = hashToken(token);
  const { user } = await db.passwordReset.findUniqueOrThrow({ where: { token_hash }, include: { user: true } });
  await assertStrong(password, [user.name, user.email]);
  if (user.email_verified_at) await assertNewPassword(user.id, user.password_hash, password);
  const password_hash = await hashPassword(password);
  await transaction(db, async (tx) => {
    // Locks the person first, as every change of a password does: a concurrent reset waits, and then finds its address used.
    const email_verified_at = user.email_verified_at ?? new Date();
    await tx.user.update({ where: { id: user.id }, data: { password_hash, email_verified_at } });
    const { count } = await tx.passwordReset.updateMany({
      where: { token_hash, used_at: null, expires_at: { gt: new Date() } },
      data: { used_at: new Date() },
    });
    if (count === 0) throw resetNotOpen();
    await tx.passwordReset.deleteMany({ where: { user_id: user.id, used_at: null } });
    await tx.session.deleteMany({ where: { user_id: user.id } });
    if (user.email_verified_at) await keepFormerPassword(tx, user.id, user.password_hash);
    else await dropUnproven(tx, user.id);
    const who = { ...acting(), type: "user", id: user.id } as const;
    await auditPerson(tx, user.id, { action: "account.password_reset", about: user.email, who });
  });
  await unlockSignIn(user.email, address);
  return { _id: "password_reset", email: user.email };
}
