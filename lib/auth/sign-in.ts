import { createHash, randomUUID } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { db, pool } from "@/lib/db";
import { log } from "@/lib/log";
import { networkOf } from "@/lib/network";
import { hashPassword, verifyPassword } from "./password";
import { startSession } from "./session";

export interface SignInAttempt {
  email: string;
  password: string;
  /** The client's address, as the front server saw it. */
  address: string;
}

export type SignInResult =
  | { outcome: "signed_in"; sessionId: string; userId: string }
  | { outcome: "wrong" }
  | { outcome: "limited"; retryAt: Date };

const quarterHour = 15 * 60;
const month = 30 * 24 * 3600;

function limiter(keyPrefix: string, points: number, duration: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool(),
    storeType: "pool",
    tableName: "rate_limit",
    tableCreated: true,
    keyPrefix,
    points,
    duration,
  });
}

// Counted in PostgreSQL, so that several processes share one count and a restart does not reset it (a crash of the database does).
const makeLimits = () => ({
  /** One account from one address. Below the account's own limit: a single guesser cannot use that up for all others. */
  pair: limiter("signin_pair", 5, quarterHour),
  /** One address, whatever the account: stuffing lists of stolen passwords. Wide enough for an office behind one address. */
  address: limiter("signin_address", 50, quarterHour),
  /** One account, from all addresses that never signed in to it: guessing from many machines. */
  account: limiter("signin_account", 10, quarterHour),
  /** Not a limit but a memory: which addresses have signed in to which account. */
  known: limiter("signin_known", 1, month),
  /** What an address that has signed in before may try, so that strangers' guesses never lock its owner out. */
  owner: limiter("signin_owner", 10, quarterHour),
});

let limits: ReturnType<typeof makeLimits> | undefined;
let dummy: Promise<string> | undefined;

/**
 * Checks an e-mail and a password and starts a session. Refuses before it hashes once there were too many attempts; an
 * unknown e-mail takes as long as a known one.
 */
export async function signIn({ email, password, address }: SignInAttempt): Promise<SignInResult> {
  const account = email.trim().toLowerCase();
  if (!isPossible(account, 254) || !isPossible(password, 1024)) return { outcome: "wrong" };
  limits ??= makeLimits();
  const { pair, address: perAddress, account: perAccount, known, owner } = limits;
  const network = networkOf(address);
  const keys = { account: digest(account), pair: digest(`${account} ${network}`), address: digest(network) };
  const trusted = (await known.get(keys.pair)) !== null;
  const taken: Take[] = trusted
    ? [
        { from: owner, key: keys.pair },
        { from: perAddress, key: keys.address },
      ]
    : [
        { from: pair, key: keys.pair },
        { from: perAddress, key: keys.address },
        { from: perAccount, key: keys.account },
      ];
  const retryAt = await takeAll(taken);
  if (retryAt) {
    log.warn({ address: network }, "sign-in refused: too many attempts");
    return { outcome: "limited", retryAt };
  }

  dummy ??= hashPassword(randomUUID());
  const decoy = await dummy;
  const user = await db.user.findUnique({
    where: { email: account },
    include: { memberships: { orderBy: { created_at: "asc" }, take: 1 } },
  });
  const right = await verifyPassword(user?.password_hash ?? decoy, password);
  const membership = user?.memberships[0];
  if (!right || !user || !membership) return { outcome: "wrong" };

  await giveBack(taken);
  await known.set(keys.pair, 1, month);
  const sessionId = await startSession(user.id, membership.business_id);
  log.info({ user: user.id, session: sessionId.slice(0, 14) }, "signed in");
  return { outcome: "signed_in", sessionId, userId: user.id };
}

/** What no account can have is not looked up: PostgreSQL refuses a NUL, and length costs time. */
const isPossible = (text: string, most: number): boolean =>
  text !== "" && text.length <= most && text.isWellFormed() && !text.includes("\0");

interface Take {
  from: RateLimiterPostgres;
  key: string;
}

/** Takes a point from each, narrowest first; on a refusal the others get theirs back. Returns when to try again. */
async function takeAll(takes: Take[]): Promise<Date | null> {
  for (const [index, { from, key }] of takes.entries()) {
    try {
      await from.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      await giveBack(takes.slice(0, index));
      return new Date(Date.now() + refusal.msBeforeNext);
    }
  }
  return null;
}

async function giveBack(takes: Take[]): Promise<void> {
  for (const { from, key } of takes) await from.reward(key);
}

/** Keys are hashed: the table of counters is no list of our users, and no input grows a key beyond its column. */
const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");
