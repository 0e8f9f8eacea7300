import { randomUUID } from "node:crypto";
import { db } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { networkOf } from "@/lib/core/network";
import { usedPasskeyJson } from "@/lib/core/passkey-json";
import { seal, unseal } from "@/lib/core/secrets";
import { allLimits, digest, giveBack, month, type Take, takeAll } from "./limits";
import { verifyPasskey } from "./passkeys";
import { hashPassword, verifyPassword } from "./password";
import { type Refusal, recordRefusal } from "./refused-sign-ins";
import { type SignInClient, startSession } from "./session";
import { consumeCode } from "./two-factor";

type From = Omit<SignInClient, "agent"> & Partial<Pick<SignInClient, "agent">>;

export interface SignInAttempt extends From {
  email: string;
  password: string;
}

export type SignInResult =
  | { outcome: "signed_in"; sessionId: string; userId: string }
  /** The password was right. The ticket and a second factor complete the sign-in: a passkey, or a code or recovery code. */
  | { outcome: "factor_needed"; ticket: string; factors: "code" | "passkey" | "either" }
  | { outcome: "wrong" }
  | { outcome: "limited"; retryAt: Date };

/** Verified for an unknown e-mail, so that it takes as long as a known one. */
let decoyHash: Promise<string> | undefined;

/**
 * Checks an e-mail and a password, and starts a session or asks for the second factor. After too many attempts it refuses
 * before hashing. An unknown e-mail takes as long as a known one.
 */
export async function signIn({ email, password, agent = null, ...from }: SignInAttempt): Promise<SignInResult> {
  const account = email.trim().toLowerCase();
  const checked = await checkPassword(account, password, from.address);
  if (checked.outcome !== "right") return checked;
  const user = await db.user.findUnique({
    where: { id: checked.userId },
    select: { two_factor_at: true, passkeys: { take: 1, select: { id: true } } },
  });
  const [code, passkey] = [Boolean(user?.two_factor_at), Boolean(user?.passkeys.length)];
  if (code || passkey) {
    const factors = code && passkey ? "either" : code ? "code" : "passkey";
    return { outcome: "factor_needed", ticket: makeTicket(checked), factors };
  }
  return startLastSession(checked, account, { agent, ...from });
}

/** A user whose password was right, and the hash it was checked against. */
type VerifiedUser = { userId: string; passwordHash: string };

type Checked = ({ outcome: "right" } & VerifiedUser) | Extract<SignInResult, { outcome: "wrong" | "limited" }>;

/** Checks an account's password, with the limits. Does not reveal whether the account or the password is wrong. */
async function checkPassword(account: string, password: string, address: string): Promise<Checked> {
  if (!isPossible(account, 254) || !isPossible(password, 1024)) return { outcome: "wrong" };
  const { pair, address: perAddress, account: perAccount, known, knownPair } = allLimits();
  const network = networkOf(address);
  const keys = keysOf(account, network);
  const trusted = (await known.get(keys.pair)) !== null;
  const taken: Take[] = trusted
    ? [
        { from: knownPair, key: keys.pair },
        { from: perAddress, key: keys.address },
      ]
    : [
        { from: pair, key: keys.pair },
        { from: perAddress, key: keys.address },
        { from: perAccount, key: keys.account },
      ];
  const retryAt = await takeAll(taken);
  if (retryAt) {
    await recordRefusal({ reason: "too_many_attempts", address, account });
    return { outcome: "limited", retryAt };
  }
  decoyHash ??= hashPassword(randomUUID());
  const decoy = await decoyHash;
  const user = await db.user.findUnique({ where: { email: account } });
  const right = await verifyPassword(user?.password_hash ?? decoy, password);
  if (!right || !user) {
    const found = user ? { reason: "wrong_password" as const, user } : { reason: "unknown_account" as const };
    // The response does not wait, so that its time does not tell whether the account exists.
    recordRefusal({ ...found, address, account }).catch((error: unknown) =>
      log.error({ err: error }, "could not audit a refused sign-in"),
    );
    return { outcome: "wrong" };
  }
  await giveBack(taken);
  return { outcome: "right", userId: user.id, passwordHash: user.password_hash };
}

/** The second step: a code of the authenticator app or a recovery code, with the first step's ticket. Rate-limited. */
export async function signInWithCode(given: From & { ticket: string; code: string }): Promise<SignInResult> {
  const { address, agent = null, previousSession } = given;
  const ticket = readTicket(given.ticket);
  const user = ticket && (await db.user.findUnique({ where: { id: ticket.userId } }));
  // A password change invalidates tickets.
  if (!user || digest(user.password_hash) !== ticket.password || !isPossible(given.code, 64)) {
    await recordRefusal({ reason: "expired_ticket", address, account: user?.email, user: user ?? undefined });
    return { outcome: "wrong" };
  }
  const { codePair, codeAccount, codeKnownPair, known } = allLimits();
  const keys = keysOf(user.email, networkOf(address));
  const trusted = (await known.get(keys.pair)) !== null;
  const taken: Take[] = trusted
    ? [{ from: codeKnownPair, key: keys.pair }]
    : [
        { from: codePair, key: keys.pair },
        { from: codeAccount, key: keys.account },
      ];
  const retryAt = await takeAll(taken);
  if (retryAt) {
    await recordRefusal({ reason: "too_many_attempts", address, account: user.email, user });
    return { outcome: "limited", retryAt };
  }
  if (!(await consumeCode(db, user.id, given.code))) {
    await recordRefusal({ reason: "wrong_code", address, account: user.email, user });
    return { outcome: "wrong" };
  }
  await giveBack(taken);
  const verified = { userId: user.id, passwordHash: user.password_hash };
  return startLastSession(verified, user.email, { address, agent, previousSession });
}

/**
 * A sign-in with a passkey: alone, or with the first step's ticket as the second step. The device has verified the person, so no other
 * factor is needed. Unknown and wrong passkeys are indistinguishable.
 * @param given.browser the value of the cookie that the challenge is bound to
 */
export async function signInWithPasskey(
  given: From & { passkey: unknown; ticket: string | null; browser: string | null },
): Promise<SignInResult> {
  const { browser, address, agent = null, previousSession } = given;
  const passkey = usedPasskeyJson.safeParse(given.passkey);
  const refuse = async (reason: Refusal): Promise<SignInResult> => {
    await recordRefusal({ reason, address });
    return { outcome: "wrong" };
  };
  if (!passkey.success || !browser) return refuse("wrong_passkey");
  const ticket = given.ticket === null ? null : readTicket(given.ticket);
  const taken = [{ from: allLimits().address, key: digest(networkOf(address)) }];
  const retryAt = await takeAll(taken);
  if (retryAt) {
    await recordRefusal({ reason: "too_many_attempts", address });
    return { outcome: "limited", retryAt };
  }
  const userId = await verifyPasskey(db, passkey.data, { purpose: "sign_in", boundTo: browser });
  const user = userId && (await db.user.findUnique({ where: { id: userId } }));
  if (!user) return refuse("wrong_passkey");
  if (given.ticket !== null && (ticket?.userId !== user.id || ticket.password !== digest(user.password_hash)))
    return refuse("expired_ticket");
  await giveBack(taken);
  const verified = { userId: user.id, passwordHash: user.password_hash };
  return startLastSession(verified, user.email, { address, agent, previousSession });
}

/** Whose sign-in with the password has begun; null for a wrong or old ticket. */
export const personOfTicket = (sealed: string): string | null => readTicket(sealed)?.userId ?? null;

/**
 * Starts a session in the person's last business, and marks the address as known. Refuses a person without a business, or
 * whose password has changed since it was checked.
 */
async function startLastSession(
  { userId, passwordHash }: VerifiedUser,
  account: string,
  client: SignInClient,
): Promise<SignInResult> {
  const refuse = async (reason: Refusal): Promise<SignInResult> => {
    await recordRefusal({ reason, address: client.address, account, user: { id: userId, email: account } });
    return { outcome: "wrong" };
  };
  const user = await db.user.findUnique({
    where: { id: userId },
    include: { memberships: { orderBy: { created_at: "asc" } } },
  });
  const last = user?.memberships.find(({ business_id }) => business_id === user.last_business_id);
  const membership = last ?? user?.memberships[0];
  if (!membership) return refuse("no_business");
  const sessionId = await startSession(userId, membership.business_id, passwordHash, client);
  if (sessionId === null) return refuse("password_changed");
  await allLimits().known.set(keysOf(account, networkOf(client.address)).pair, 1, month);
  log.info({ user: userId, session: sessionId.slice(0, 14) }, "signed in");
  return { outcome: "signed_in", sessionId, userId };
}

/** Ends a lockout for the person's address, after their identity was confirmed in another way. */
export async function unlockSignIn(account: string, address: string): Promise<void> {
  const { pair, account: perAccount, knownPair, codePair, codeAccount, codeKnownPair } = allLimits();
  const keys = keysOf(account, networkOf(address));
  for (const limit of [pair, knownPair, codePair, codeKnownPair]) await limit.delete(keys.pair);
  for (const limit of [perAccount, codeAccount]) await limit.delete(keys.account);
}

const ticketContext = "sign-in ticket";
const ticketMinutes = 10;

/** A short-lived proof that the password was right; encrypted, so that it cannot be forged. */
function makeTicket({ userId, passwordHash }: VerifiedUser): string {
  const until = Date.now() + ticketMinutes * 60_000;
  return seal(JSON.stringify({ userId, password: digest(passwordHash), until }), ticketContext);
}

function readTicket(sealed: string): { userId: string; password: string } | null {
  try {
    const ticket = JSON.parse(unseal(sealed, ticketContext)) as { userId: string; password: string; until: number };
    return ticket.until > Date.now() ? ticket : null;
  } catch {
    return null; // forged, or made with another APP_SECRET
  }
}

/** Filters input that is never valid: PostgreSQL refuses NUL, and long input costs time. */
const isPossible = (text: string, maxLength: number): boolean =>
  text !== "" && text.length <= maxLength && text.isWellFormed() && !text.includes("\0");

const keysOf = (account: string, network: string) => ({
  account: digest(account),
  pair: digest(`${account} ${network}`),
  address: digest(network),
});
