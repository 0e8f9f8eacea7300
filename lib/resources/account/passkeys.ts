import type { Actor } from "@/lib/auth/actor";
import { auditPerson } from "@/lib/auth/audit";
import { lockPerson } from "@/lib/auth/membership";
import { creationOptions, requestOptions, verifyNewPasskey } from "@/lib/auth/passkeys";
import { browserCookie, cookieOf } from "@/lib/auth/session";
import { personOfTicket } from "@/lib/auth/sign-in";
import { isToken, newToken } from "@/lib/auth/token";
import { endUnusedRecoveryCodes, hasSecondFactor, renewRecoveryCodes } from "@/lib/auth/two-factor";
import { type Db, db, isUniqueViolation, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import type { PlainListQuery } from "./contract";
import type { NewPasskey, Passkey, PasskeyInput } from "./passkeys-contract";
import { passkeys } from "./resource";
import { assertMayLoseFactor, personOf } from "./service";

const maxPasskeys = 20;

export const listPasskeys = (tx: Db, actor: Actor, query: PlainListQuery): Promise<Page<Passkey>> =>
  passkeys.list(tx, personOf(actor), query);

export async function beginPasskey(tx: Db, actor: Actor) {
  const { userId, sessionId } = personOf(actor);
  const { email, name } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  return { _id: "options", options: { ...(await creationOptions(tx, { id: userId, email, name }, sessionId)) } };
}

export async function beginConfirmation(tx: Db, actor: Actor) {
  const { userId, sessionId: boundTo } = personOf(actor);
  return { _id: "options", options: { ...(await requestOptions(tx, { purpose: "confirm", boundTo }, userId)) } };
}

/**
 * Options for a sign-in, which this browser alone can complete: the response's cookie names it.
 * @param headers of the response
 */
export async function beginPasskeySignIn(
  { ticket }: { ticket: string | null },
  cookies: string,
  headers: Record<string, string>,
) {
  const name = browserCookie();
  const known = cookieOf(cookies, name);
  const browser = known && isToken(known) ? known : newToken().token; // other tabs have begun with the known one
  const secure = env().APP_URL.startsWith("https:") ? "; Secure" : "";
  headers["Set-Cookie"] = `${name}=${browser}; Path=/; HttpOnly; SameSite=Strict; Max-Age=3600${secure}`;
  const userId = ticket === null ? null : personOfTicket(ticket);
  const options = await requestOptions(db, { purpose: "sign_in", boundTo: browser }, userId ?? undefined);
  return { _id: "options", options: { ...options } };
}

/**
 * @throws ValidationError for a response that is wrong or not of this session; ApiError unauthenticated, too_many_passkeys,
 * passkey_exists
 */
export async function addPasskey(tx: Db, actor: Actor, { name, passkey }: PasskeyInput): Promise<NewPasskey> {
  const { userId, sessionId } = personOf(actor);
  const made = await verifyNewPasskey(tx, passkey, sessionId);
  if (!made) throw new ValidationError({ passkey: ["The passkey could not be verified. Start again."] });
  try {
    return await transaction(tx, async (tx) => {
      await lockPerson(tx, actor, userId);
      if ((await tx.passkey.count({ where: { user_id: userId } })) >= maxPasskeys)
        throw new ApiError("too_many_passkeys");
      const isFirstFactor = !(await hasSecondFactor(tx, userId));
      const row = await passkeys.insert(tx, { id: newId("pky"), user_id: userId, name, ...made });
      await auditPerson(tx, userId, { action: "account.passkey_added", about: name });
      return { ...row, recovery_codes: isFirstFactor ? await renewRecoveryCodes(tx, userId) : null };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError("passkey_exists");
    throw error;
  }
}

/** @throws ApiError unauthenticated, not_found, two_factor_needed */
export async function removePasskey(tx: Db, actor: Actor, id: string): Promise<Passkey & { deleted: true }> {
  const person = personOf(actor);
  const { userId } = person;
  return transaction(tx, async (tx) => {
    await lockPerson(tx, actor, userId);
    const passkey = await passkeys.get(tx, person, id);
    await tx.passkey.delete({ where: { id } });
    await assertMayLoseFactor(tx, userId);
    await endUnusedRecoveryCodes(tx, userId);
    await auditPerson(tx, userId, { action: "account.passkey_removed", about: passkey.name });
    return { ...passkey, deleted: true };
  });
}
