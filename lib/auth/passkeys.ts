import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isDatabaseAway } from "@/lib/core/database-error";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { auditPerson } from "./audit";
import { hashToken, newToken } from "./token";

/** Loaded on first use: its parsers of certificates are large. */
const library = () => import("@simplewebauthn/server");

/** Web Authentication's name of this site, and the only origin that may ask. */
const relyingParty = () => ({ id: new URL(env().APP_URL).hostname, origin: env().APP_URL });

// EdDSA, ES256, RS256: every supported Node verifies these.
const algorithms = [-8, -7, -257];

export type ChallengePurpose = "register" | "confirm" | "sign_in";

interface ChallengeUse {
  purpose: ChallengePurpose;
  /** The session's id, or before the sign-in the value of the browser's cookie. */
  boundTo: string;
}

/** Long enough to fetch a security key. */
const challengeMinutes = 5;

/** A challenge for one use by one browser. */
async function newChallenge(tx: Db, { purpose, boundTo }: ChallengeUse): Promise<string> {
  const { token: challenge, hash } = newToken();
  const expires_at = new Date(Date.now() + challengeMinutes * 60_000);
  await tx.passkeyChallenge.create({ data: { hash, purpose, bound_to: hashToken(boundTo), expires_at } });
  return challenge;
}

/** Consumes a challenge. Of two simultaneous uses, only one succeeds. */
async function consumeChallenge(tx: Db, challenge: string, { purpose, boundTo }: ChallengeUse): Promise<boolean> {
  const { count } = await tx.passkeyChallenge.deleteMany({
    where: { hash: hashToken(challenge), purpose, bound_to: hashToken(boundTo), expires_at: { gt: new Date() } },
  });
  return count === 1;
}

const encoder = new TextEncoder();

/** The options for the browser's `navigator.credentials.create`. */
export async function creationOptions(tx: Db, user: { id: string; email: string; name: string }, sessionId: string) {
  const { generateRegistrationOptions } = await library();
  const registered = await tx.passkey.findMany({ where: { user_id: user.id } });
  const challenge = await newChallenge(tx, { purpose: "register", boundTo: sessionId });
  return generateRegistrationOptions({
    rpName: "Paydesk",
    rpID: relyingParty().id,
    userID: encoder.encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    challenge: Buffer.from(challenge, "base64url"),
    timeout: challengeMinutes * 60_000,
    attestationType: "none",
    excludeCredentials: registered.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
}

/** What the browser has made, verified; null when it does not answer a challenge of this session. */
export async function verifyNewPasskey(tx: Db, response: RegistrationResponseJSON, sessionId: string) {
  const { verifyRegistrationResponse } = await library();
  const { id, origin } = relyingParty();
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => consumeChallenge(tx, challenge, { purpose: "register", boundTo: sessionId }),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(refused);
  if (!result?.verified || isFramed(response)) return null;
  const { credential, credentialBackedUp } = result.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: credential.publicKey,
    counter: BigInt(credential.counter),
    transports: credential.transports ?? [],
    backed_up: credentialBackedUp,
  };
}

/**
 * The options for the browser's `navigator.credentials.get`.
 * @param userId the person whose passkeys the browser offers; without it, any passkey of this site, so that the options name no account
 */
export async function requestOptions(tx: Db, use: ChallengeUse, userId?: string) {
  const { generateAuthenticationOptions } = await library();
  const own = userId ? await tx.passkey.findMany({ where: { user_id: userId } }) : [];
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: Buffer.from(await newChallenge(tx, use), "base64url"),
    timeout: challengeMinutes * 60_000,
    userVerification: "required",
    allowCredentials: own.map(({ credential_id: id, transports }) => ({ id, transports })),
  });
}

/**
 * Verifies a passkey's response: the challenge, used up by it, the origin, the site, the user's verification by the device, the signature.
 * @returns the person whose passkey it is, or null
 */
export async function verifyPasskey(
  tx: Db,
  response: AuthenticationResponseJSON,
  use: ChallengeUse,
): Promise<string | null> {
  const { verifyAuthenticationResponse } = await library();
  const { id, origin } = relyingParty();
  const passkey = await tx.passkey.findUnique({ where: { credential_id: response.id } });
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => consumeChallenge(tx, challenge, use),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    // An unknown passkey fails at the signature, like a wrong one. The counter is compared below, once the signature is known to be right.
    credential: { id: response.id, publicKey: new Uint8Array(passkey?.public_key ?? unknownKey), counter: 0 },
  }).catch(refused);
  if (!passkey || !result?.verified || isFramed(response)) return null;
  const { userHandle } = response.response;
  if (userHandle && userHandle !== Buffer.from(passkey.user_id).toString("base64url")) return null;
  const { newCounter, credentialBackedUp } = result.authenticationInfo;
  return (await countUse(tx, passkey.id, newCounter, credentialBackedUp)) ? passkey.user_id : null;
}

/**
 * Records the use of a passkey. A counter that does not grow means a copy of the device's key, so the use is refused. Passkeys that
 * devices share have no counter: always 0.
 */
async function countUse(tx: Db, id: string, counter: number, backed_up: boolean): Promise<boolean> {
  const [used] = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`
    UPDATE passkey SET counter = ${counter}::bigint, backed_up = ${backed_up}, last_used_at = clock_timestamp()
     WHERE id = ${id} AND (counter < ${counter}::bigint OR (counter = 0 AND ${counter}::bigint = 0))
    RETURNING id`,
  );
  if (used) return true;
  const passkey = await tx.passkey.findUnique({ where: { id } });
  if (!passkey) return false; // removed a moment ago
  log.warn({ user: passkey.user_id, passkey: id }, "a passkey's counter went back: it may have been copied");
  const about = { resource_id: passkey.user_id, about: passkey.name };
  // In a transaction of its own: with an Idempotency-Key, the refusal rolls the caller's back.
  await transaction(db, (tx) => auditPerson(tx, passkey.user_id, { action: "account.passkey_refused", ...about }));
  return false;
}

/** Pages of ours are never in a frame. The library accepts a frame if the browser does not name its page. */
function isFramed({ response }: { response: { clientDataJSON: string } }): boolean {
  const client: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
  return (client as { crossOrigin?: boolean }).crossOrigin === true;
}

/** The library throws for each wrong property, with the caller's values in the text. */
function refused(error: unknown): null {
  if (isDatabaseAway(error)) throw error;
  log.debug({ err: error }, "a passkey's response was refused");
  return null;
}

/** An Ed25519 key that has signed nothing (COSE), for responses with an unknown passkey. */
const unknownKey = Buffer.from(`a4010103272006215820${"11".repeat(32)}`, "hex");
