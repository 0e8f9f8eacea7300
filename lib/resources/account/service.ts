import type { Actor } from "@/lib/auth/actor";
import { auditPerson, changed } from "@/lib/auth/audit";
import { assertNewPassword, keepFormerPassword } from "@/lib/auth/former-passwords";
import { allLimits, giveBack, type Take, takeAllOrThrow } from "@/lib/auth/limits";
import { lockPerson } from "@/lib/auth/membership";
import { verifyPasskey } from "@/lib/auth/passkeys";
import { hashPassword, verifyPassword } from "@/lib/auth/password";
import { confirmationMinutes } from "@/lib/auth/step-up";
import {
  beginTwoFactor,
  confirmTwoFactor,
  consumeCode,
  disableTwoFactor,
  type Enrolment,
  hasSecondFactor,
} from "@/lib/auth/two-factor";
import { isWeakPassword, weakPasswordText } from "@/lib/auth/weak-password";
import { isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { fieldMessages } from "@/lib/core/field-messages";
import { iso } from "@/lib/http/list";
import type { Account, ConfirmationInput, PasswordInput } from "./contract";

/** The person and the session behind an actor. @throws ApiError forbidden for a key */
export function personOf({ who, session }: Actor): { userId: string; sessionId: string } {
  if (who.type !== "user" || !session) throw new ApiError("forbidden");
  return { userId: who.id, sessionId: session.id };
}

export async function getAccount(tx: Db, actor: Actor): Promise<Account> {
  const { userId } = personOf(actor);
  const [row] = await queryRows<Account>(
    tx,
    Prisma.sql`
    SELECT u.id AS _id, u.name, u.email, m.role, m.business_id, b.name AS business_name,
           u.two_factor_at IS NOT NULL AS two_factor,
           (SELECT count(*)::int FROM passkey p WHERE p.user_id = u.id) AS passkeys,
           (SELECT count(*)::int FROM recovery_code r WHERE r.user_id = u.id AND r.used_at IS NULL) AS recovery_codes_left,
           ${iso("u.created_at")} AS created_at, ${iso("u.updated_at")} AS updated_at,
           u.email_verified_at IS NOT NULL AS email_verified
      FROM staff_user u JOIN membership m ON m.user_id = u.id JOIN business b ON b.id = m.business_id
     WHERE u.id = ${userId} AND m.business_id = ${actor.businessId}`,
  );
  if (!row) throw new ApiError("unauthenticated"); // removed since the session was looked up
  return row;
}

export async function rename(tx: Db, actor: Actor, name: string): Promise<Account> {
  const { userId } = personOf(actor);
  return transaction(tx, async (tx) => {
    const was = await getAccount(tx, actor);
    await tx.user.update({ where: { id: userId }, data: { name } });
    const is = await getAccount(tx, actor);
    const difference = changed(was, is);
    if (difference) await auditPerson(tx, userId, { action: "account.renamed", about: is.email, ...difference });
    return is;
  });
}

/**
 * Changes the password and ends every other session of the person.
 * @throws ValidationError when the current one is wrong or the new one weak; ApiError too_many_attempts
 */
export async function changePassword(tx: Db, actor: Actor, input: PasswordInput): Promise<Account> {
  const { userId, sessionId } = personOf(actor);
  const was = await assertPassword(tx, userId, input.current_password, "current_password");
  const { name, email, business_name } = await getAccount(tx, actor);
  if (await isWeakPassword(input.password, [name, email, business_name]))
    throw new ValidationError({ password: [weakPasswordText] });
  await assertNewPassword(userId, was, input.password);
  const password_hash = await hashPassword(input.password);
  await transaction(tx, async (tx) => {
    // A change that began before a reset must not undo the reset.
    const { count } = await tx.user.updateMany({
      where: { id: userId, password_hash: was },
      data: { password_hash },
    });
    if (count === 0) throw wrongPassword("current_password");
    await keepFormerPassword(tx, userId, was);
    await tx.passwordReset.deleteMany({ where: { user_id: userId } });
    await tx.session.deleteMany({ where: { user_id: userId, id: { not: sessionId } } });
    await auditPerson(tx, userId, { action: "account.password_changed", about: email });
  });
  return getAccount(tx, actor);
}

/** @throws ApiError two_factor_on */
export async function beginEnrolment(tx: Db, actor: Actor): Promise<Enrolment & { _id: string }> {
  const { userId } = personOf(actor);
  const { email } = await getAccount(tx, actor);
  return { _id: userId, ...(await beginTwoFactor(tx, { id: userId, email })) };
}

/** @throws ValidationError for a wrong code; ApiError unauthenticated, too_many_attempts, two_factor_on, two_factor_off */
export async function confirmEnrolment(
  tx: Db,
  actor: Actor,
  code: string,
): Promise<Account & { recovery_codes: string[] }> {
  const { userId } = personOf(actor);
  const codes = await limitGuesses(userId, () =>
    transaction(tx, async (tx) => {
      await lockPerson(tx, actor, userId);
      return confirmTwoFactor(tx, userId, code);
    }),
  );
  if (!codes) throw wrongCode();
  return { ...(await getAccount(tx, actor)), recovery_codes: codes };
}

/** @throws ValidationError for a wrong password; ApiError unauthenticated, too_many_attempts, two_factor_off */
export async function turnOffTwoFactor(tx: Db, actor: Actor, password: string): Promise<Account> {
  const { userId } = personOf(actor);
  if (!(await getAccount(tx, actor)).two_factor) throw new ApiError("two_factor_off");
  await assertPassword(tx, userId, password, "password");
  return transaction(tx, async (tx) => {
    await lockPerson(tx, actor, userId);
    await disableTwoFactor(tx, userId);
    await assertMayLoseFactor(tx, userId);
    return getAccount(tx, actor);
  });
}

/**
 * Call it once the factor is removed.
 * @throws ApiError two_factor_needed where a business of a person without a second factor requires one
 */
export async function assertMayLoseFactor(tx: Db, userId: string): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return;
  const requiring = { user_id: userId, business: { two_factor_since: { not: null } } };
  if ((await tx.membership.count({ where: requiring })) > 0) throw new ApiError("two_factor_needed");
}

/**
 * Confirms the person's identity for the next minutes of the session: with the second factor, or with the password if there is none.
 * @throws ValidationError for a missing or wrong one; ApiError too_many_attempts
 */
export async function confirmIdentity(
  tx: Db,
  actor: Actor,
  input: ConfirmationInput,
): Promise<{ _id: string; confirmed_until: string }> {
  const { userId, sessionId } = personOf(actor);
  if (!(await hasSecondFactor(tx, userId))) {
    if (input.password === null) throw required("password");
    await assertPassword(tx, userId, input.password, "password");
  } else if (input.passkey) {
    const owner = await verifyPasskey(tx, input.passkey, { purpose: "confirm", boundTo: sessionId });
    if (owner !== userId) throw new ValidationError({ passkey: ["The passkey could not be verified. Start again."] });
  } else {
    const { code } = input;
    if (code === null) throw required("code");
    if (!(await limitGuesses(userId, async () => (await consumeCode(tx, userId, code)) || null))) throw wrongCode();
  }
  const now = new Date();
  const { count } = await tx.session.updateMany({ where: { id: sessionId }, data: { confirmed_at: now } });
  if (count === 0) throw new ApiError("unauthenticated"); // ended a moment ago
  return { _id: sessionId, confirmed_until: isoMicros(new Date(now.getTime() + confirmationMinutes * 60_000)) };
}

const required = (field: string) => new ValidationError({ [field]: [fieldMessages.required(field)] });

const wrongCode = () => new ValidationError({ code: ["The code is wrong, or was used already."] });

const wrongPassword = (field: string) => new ValidationError({ [field]: ["The password is wrong."] });

/** @returns the hash that the password was checked against */
async function assertPassword(tx: Db, userId: string, password: string, field: string): Promise<string> {
  const right = await limitGuesses(userId, async () => {
    const { password_hash } = await tx.user.findUniqueOrThrow({
      where: { id: userId },
      select: { password_hash: true },
    });
    return (await verifyPassword(password_hash, password)) ? password_hash : null;
  });
  if (right === null) throw wrongPassword(field);
  return right;
}

/** Limits wrong guesses. @param work returns null for a wrong one */
async function limitGuesses<T>(userId: string, work: () => Promise<T | null>): Promise<T | null> {
  const points: Take[] = [{ from: allLimits().person, key: userId }];
  await takeAllOrThrow(points);
  const result = await work();
  if (result !== null) await giveBack(points);
  return result;
}
