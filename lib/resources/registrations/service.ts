import { audit, auditPerson } from "@/lib/auth/audit";
import { allLimits, digest, takeAll, takeAllOrThrow, tooMany } from "@/lib/auth/limits";
import { hashPassword } from "@/lib/auth/password";
import type { Role } from "@/lib/auth/scopes";
import { findSession } from "@/lib/auth/session";
import { checkPassword } from "@/lib/auth/sign-in";
import { hashToken, isToken, newToken } from "@/lib/auth/token";
import { isWeakPassword, weakPasswordText } from "@/lib/auth/weak-password";
import { acting } from "@/lib/core/acting";
import { type Db, db, isUniqueViolation, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError, type FieldErrors, ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { type Client, networkOf } from "@/lib/core/network";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { type BusinessInput, newPassword } from "@/lib/resources/account/contract";
import { invitationOf, type OpenInvitation, takePlace } from "@/lib/resources/team/invitations";
import type { Acceptance, AcceptInput, Registration, RegistrationInput, ResetInput } from "./contract";

/** Whether strangers may register a business: said by REGISTRATION; unless it is, not where APP_URL is https. */
export const registrationOpen = (): boolean => env().REGISTRATION === "open";

/** @throws ApiError registration_closed */
export function needOpen(): void {
  if (!registrationOpen()) throw new ApiError("registration_closed");
}

/** Counts a business that an address makes. @throws ApiError too_many_attempts */
export const countRegistration = (address: string): Promise<void> =>
  takeAllOrThrow([{ from: allLimits().registration, key: digest(networkOf(address)) }]);

/** Makes a business with its owner, in the caller's transaction. @returns its id */
export async function makeBusiness(
  tx: Db,
  { name, currency, timezone }: BusinessInput,
  ownerId: string,
): Promise<number> {
  const { id } = await tx.business.create({ data: { name, currency, timezone } });
  await tx.membership.create({ data: { business_id: id, user_id: ownerId, role: "owner" } });
  const who = { ...acting(), type: "user", id: ownerId } as const;
  await audit(tx, id, { action: "business.registered", about: name, after: { name, currency, timezone }, who });
  return id;
}

/**
 * Makes a business and its owner.
 * @throws ApiError registration_closed, too_many_attempts; ValidationError
 */
export async function register(input: RegistrationInput, client: Client): Promise<Registration> {
  needOpen();
  const { business_name, currency, timezone, name } = input;
  const email = input.email.toLowerCase();
  await needStrong(input.password, [name, email, business_name]);
  await countRegistration(client.address);
  const password_hash = await hashPassword(input.password);
  try {
    return await transaction(db, async (tx) => {
      const user = await tx.user.create({ data: { id: newId("usr"), email, name, password_hash } });
      const business_id = await makeBusiness(tx, { name: business_name, currency, timezone }, user.id);
      const created_at = user.created_at.toISOString().replace("Z", "000Z");
      return { _id: user.id, name, email, business_id, business_name, currency, timezone, created_at };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
}

const emailTaken = () =>
  new ValidationError({ email: ["There is an account with this e-mail already. Sign in with it instead."] });

async function needStrong(password: string, known: string[], more: FieldErrors = {}): Promise<void> {
  const errors = { ...more };
  if (await isWeakPassword(password, known)) errors.password = [weakPasswordText];
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
}

const resetHour = 3_600_000;

/** A new way to set somebody's password, for an hour. @returns its address */
export async function makeReset(tx: Db, userId: string): Promise<{ url: string; expires_at: Date }> {
  const { token, hash } = newToken();
  const expires_at = new Date(Date.now() + resetHour);
  await tx.passwordReset.create({ data: { token_hash: hash, user_id: userId, expires_at } });
  return { url: `${env().APP_URL}/reset/${token}`, expires_at };
}

/**
 * Sends a mail to whoever has the address, if anybody does. The answer waits for none of it, so that its time tells nothing.
 * @throws ApiError too_many_attempts
 */
export async function forgot(given: string, client: Client): Promise<{ _id: string; email: string }> {
  const { forgotAddress } = allLimits();
  await takeAllOrThrow([{ from: forgotAddress, key: digest(networkOf(client.address)) }]);
  sendReset(given.toLowerCase()).catch((error: unknown) => log.error({ err: error }, "could not queue a reset"));
  return { _id: "password_reset", email: given };
}

async function sendReset(email: string): Promise<void> {
  const user = await db.user.findUnique({ where: { email }, include: { memberships: { take: 1 } } });
  const membership = user?.memberships[0];
  if (!user || !membership) return;
  // Said to nobody: one who asks too often has the mails already.
  if (await takeAll([{ from: allLimits().forgotAccount, key: digest(email) }])) return;
  await transaction(db, async (tx) => {
    const { url, expires_at } = await makeReset(tx, user.id);
    await queueStaffMail(tx, {
      template: "password_reset",
      to: email,
      businessId: membership.business_id,
      livemode: true,
      props: { link: url, expires_at: expires_at.toISOString() },
    });
  });
}

const resetGone = () => new ValidationError({ token: ["This address no longer works. Ask for a new one."] });

/** Whether the address still works: for its page. */
export async function isResetOpen(token: string): Promise<boolean> {
  if (!isToken(token)) return false;
  const row = await db.passwordReset.findUnique({ where: { token_hash: hashToken(token) } });
  return row !== null && row.used_at === null && row.expires_at.getTime() > Date.now();
}

/** Takes a new password, once, and ends every session of the person. @throws ValidationError */
export async function resetPassword({ token, password }: ResetInput): Promise<{ _id: string; email: string }> {
  if (!(await isResetOpen(token))) throw resetGone();
  const token_hash = hashToken(token);
  const { user } = await db.passwordReset.findUniqueOrThrow({ where: { token_hash }, include: { user: true } });
  await needStrong(password, [user.name, user.email]);
  const password_hash = await hashPassword(password);
  await transaction(db, async (tx) => {
    // The person first, as whoever changes a password does: of two at once one waits, and finds its address used or gone.
    await tx.user.update({ where: { id: user.id }, data: { password_hash } });
    const { count } = await tx.passwordReset.updateMany({
      where: { token_hash, used_at: null, expires_at: { gt: new Date() } },
      data: { used_at: new Date() },
    });
    if (count === 0) throw resetGone();
    await tx.passwordReset.deleteMany({ where: { user_id: user.id, used_at: null } });
    await tx.session.deleteMany({ where: { user_id: user.id } });
    const who = { ...acting(), type: "user", id: user.id } as const;
    await auditPerson(tx, user.id, { action: "account.password_reset", about: user.email, who });
  });
  return { _id: "password_reset", email: user.email };
}

/**
 * Makes a member of whoever holds the invitation.
 * @param sessionId of the browser, where it has signed in
 * @throws ApiError invitation_not_open, too_many_attempts; ValidationError
 */
export async function accept(input: AcceptInput, client: Client, sessionId: string | null): Promise<Acceptance> {
  const invitation = await invitationOf(db, input.token);
  if (!invitation) throw new ApiError("invitation_not_open");
  const userId = invitation.userId
    ? await acceptKnown({ ...invitation, userId: invitation.userId }, input, client, sessionId)
    : await acceptNew(invitation, input);
  const { email, role, businessId: business_id, businessName: business_name } = invitation;
  return { _id: userId, email, role: role as Role, business_id, business_name };
}

async function acceptKnown(
  invitation: OpenInvitation & { userId: string },
  { password }: AcceptInput,
  { address }: Client,
  sessionId: string | null,
): Promise<string> {
  const { userId, email } = invitation;
  const session = sessionId ? await findSession(sessionId) : null;
  if (session?.userId !== userId) {
    if (password === null) throw new ValidationError({ password: ["The password field is required."] });
    const checked = await checkPassword(email, password, address);
    if (checked.outcome === "limited") throw tooMany(checked.retryAt);
    if (checked.outcome === "wrong") throw new ValidationError({ password: ["The password is wrong."] });
  }
  await transaction(db, (tx) => takePlace(tx, invitation, userId));
  return userId;
}

async function acceptNew(invitation: OpenInvitation, { name, password }: AcceptInput): Promise<string> {
  const errors: FieldErrors = {};
  if (name === null) errors.name = ["The name field is required."];
  const judged = newPassword.safeParse(password);
  if (password === null) errors.password = ["The password field is required."];
  else if (!judged.success) errors.password = judged.error.issues.map(({ message }) => message);
  if (name === null || password === null || !judged.success) throw new ValidationError(errors);
  await needStrong(password, [name, invitation.email, invitation.businessName]);
  const password_hash = await hashPassword(password);
  const id = newId("usr");
  try {
    await transaction(db, async (tx) => {
      await tx.user.create({ data: { id, email: invitation.email, name, password_hash } });
      await takePlace(tx, invitation, id);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError("invitation_not_open"); // accepted twice at once
    throw error;
  }
  return id;
}
