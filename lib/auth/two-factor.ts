import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { seal, unseal } from "@/lib/core/secrets";
import { auditPerson } from "./audit";
import { hashWithSalt, saltOf } from "./password";
import { hashToken } from "./token";

// RFC 6238 with the parameters of every authenticator app. Codes follow the system's clock, never a test clock.
const periodSeconds = 30;
export const sealContext = (userId: string) => `${userId} two_factor_secret`;
const totpOf = (secret: string, label: string) =>
  new TOTP({
    issuer: "Paydesk",
    label,
    secret: Secret.fromBase32(secret),
    period: periodSeconds,
    digits: 6,
    algorithm: "SHA1",
  });

export interface Enrolment {
  secret: string;
  otpauth_uri: string;
  qr_svg: string;
}

/** Stores a new secret that is not active yet. A second call replaces the first secret. @throws ApiError two_factor_on */
export async function beginTwoFactor(tx: Db, user: { id: string; email: string }): Promise<Enrolment> {
  const secret = new Secret({ size: 20 }).base32;
  const { count } = await tx.user.updateMany({
    where: { id: user.id, two_factor_at: null },
    data: { two_factor_secret: seal(secret, sealContext(user.id)), two_factor_step: null },
  });
  if (count === 0) throw new ApiError("two_factor_on");
  const otpauth_uri = totpOf(secret, user.email).toString();
  return { secret, otpauth_uri, qr_svg: renderSVG(otpauth_uri, { border: 2, ecc: "M" }) };
}

const recoveryCodeCount = 10;

/**
 * Activates the secret once a code proves that the person's app has it.
 * @returns the recovery codes, or null when the code is wrong
 * @throws ApiError two_factor_on, two_factor_off
 */
export function confirmTwoFactor(tx: Db, userId: string, code: string): Promise<string[] | null> {
  return transaction(tx, async (tx) => {
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    if (user.two_factor_at) throw new ApiError("two_factor_on");
    if (!user.two_factor_secret) throw new ApiError("two_factor_off");
    if (!(await consumeTotp(tx, user, code))) return null;
    const { count } = await tx.user.updateMany({
      where: { id: userId, two_factor_at: null, two_factor_secret: user.two_factor_secret },
      data: { two_factor_at: new Date() },
    });
    if (count === 0) throw new ApiError("two_factor_on");
    const codes = await renewRecoveryCodes(tx, userId);
    await auditPerson(tx, userId, { action: "account.two_factor_on", about: user.email, after: { two_factor: true } });
    return codes;
  });
}

/** Replaces the recovery codes. @returns the new ones */
export async function renewRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const hashes = await hashCodes(codes.map(digestOf), randomBytes(saltBytes));
  await tx.recoveryCode.deleteMany({ where: { user_id: userId } });
  await tx.recoveryCode.createMany({ data: hashes.map((hash) => ({ user_id: userId, hash })) });
  return codes;
}

/** Whether the person signs in with a second factor: an authenticator app or a passkey. */
export async function hasSecondFactor(tx: Db, userId: string): Promise<boolean> {
  const any = { OR: [{ two_factor_at: { not: null } }, { passkeys: { some: {} } }] };
  return (await tx.user.count({ where: { id: userId, ...any } })) > 0;
}

/** Ends the codes of the authenticator app. Without another second factor, the recovery codes end too. */
export async function disableTwoFactor(tx: Db, userId: string): Promise<void> {
  await transaction(tx, async (tx) => {
    const off = { two_factor_at: null, two_factor_secret: null, two_factor_step: null };
    const { email } = await tx.user.update({ where: { id: userId }, data: off });
    await endUnusedRecoveryCodes(tx, userId);
    const what = { about: email, before: { two_factor: true }, after: { two_factor: false } };
    await auditPerson(tx, userId, { action: "account.two_factor_off", ...what });
  });
}

/** Ends every second factor of a person who has lost them all. */
export async function removeSecondFactors(tx: Db, userId: string): Promise<void> {
  await transaction(tx, async (tx) => {
    await tx.passkey.deleteMany({ where: { user_id: userId } });
    await disableTwoFactor(tx, userId);
  });
}

export async function endUnusedRecoveryCodes(tx: Db, userId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) await tx.recoveryCode.deleteMany({ where: { user_id: userId } });
}

/** Checks and consumes a code of the app or a recovery code. Of two simultaneous uses, only one succeeds. */
export async function consumeCode(tx: Db, userId: string, given: string): Promise<boolean> {
  const user = await tx.user.findUnique({ where: { id: userId } });
  if (!user) return false;
  const code = given.replace(/[\s-]/g, "").toLowerCase();
  if (/^\d{6}$/.test(code)) return user.two_factor_at !== null && consumeTotp(tx, user, code);
  return consumeRecoveryCode(tx, userId, code);
}

async function consumeRecoveryCode(tx: Db, userId: string, code: string): Promise<boolean> {
  const unused = { user_id: userId, used_at: null };
  const stored = (await tx.recoveryCode.findMany({ where: unused, select: { hash: true } })).map(({ hash }) => hash);
  const salt = stored.map(saltOf).find((found) => found !== null);
  const digest = digestOf(code);
  // Codes from before argon2id was used are stored as plain digests until the job has hashed them (server/reseal.ts).
  const accepted = [digest, ...(salt ? await hashCodes([digest], salt) : [])];
  const { count } = await tx.recoveryCode.updateMany({
    where: { ...unused, hash: { in: accepted } },
    data: { used_at: new Date() },
  });
  return count > 0;
}

async function consumeTotp(
  tx: Db,
  user: { id: string; email: string; two_factor_secret: string | null },
  given: string,
): Promise<boolean> {
  const token = given.replace(/\s/g, "");
  if (!user.two_factor_secret || !/^\d{6}$/.test(token)) return false;
  const totp = totpOf(unseal(user.two_factor_secret, sealContext(user.id)), user.email);
  const now = Date.now();
  const delta = totp.validate({ token, timestamp: now, window: 1 }); // tolerates a clock that is 30 s off
  if (delta === null) return false;
  const step = BigInt(Math.floor(now / 1000 / periodSeconds) + delta);
  const { count } = await tx.user.updateMany({
    where: { id: user.id, OR: [{ two_factor_step: null }, { two_factor_step: { lt: step } }] },
    data: { two_factor_step: step },
  });
  return count > 0;
}

/** 80 bits in groups of four, without easily confused letters and digits. */
function newRecoveryCode(): string {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  const letters = Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join("");
  return letters.match(/.{4}/g)?.join("-") ?? letters;
}

const digestOf = (code: string): string => hashToken(code.replace(/-/g, ""));

const saltBytes = 16;

/** A code has 80 bits: argon2id makes guessing from a stolen database too slow. A person's codes have one salt. */
const hashCodes = (digests: string[], salt: Uint8Array): Promise<string[]> =>
  Promise.all(digests.map((digest) => hashWithSalt(digest, salt)));

/**
 * Hashes the recovery codes of the next person with plain digests, from before they were hashed with argon2id. Persons come in the
 * order of the primary key, so that all calls together read it once.
 * @param after the person of the call before; empty for the first call
 * @returns the person; null if there is none
 */
export async function hashOldRecoveryCodes(after: string): Promise<string | null> {
  const [old] = await queryRows<{ user_id: string }>(
    db,
    Prisma.sql`
    SELECT user_id FROM recovery_code WHERE user_id > ${after} AND hash NOT LIKE '$%' ORDER BY user_id LIMIT 1`,
  );
  if (!old) return null;
  const rows = await db.recoveryCode.findMany({
    where: { user_id: old.user_id, hash: { not: { startsWith: "$" } } },
  });
  const hashes = await hashCodes(
    rows.map(({ hash }) => hash),
    randomBytes(saltBytes),
  );
  await transaction(db, async (tx) => {
    for (const [index, { user_id, hash }] of rows.entries())
      await tx.recoveryCode.updateMany({ where: { user_id, hash }, data: { hash: hashes[index] } });
  });
  return old.user_id;
}
