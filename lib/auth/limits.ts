import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { counterPool } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";

const quarterHour = 15 * 60;
const hour = 3600;
export const month = 30 * 24 * hour;

function limiter(keyPrefix: string, points: number, duration: number): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: counterPool(),
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
  /** The same for the codes of the second factor, each as narrow as its password's. */
  codePair: limiter("code_pair", 5, quarterHour),
  codeAccount: limiter("code_account", 10, quarterHour),
  codeOwner: limiter("code_owner", 10, quarterHour),
  /** Passwords and codes that are asked for of somebody who has signed in: a stolen session guesses no further. */
  person: limiter("person", 10, quarterHour),
  /** Mails that a stranger may have sent to one person, and one address may have sent at all. */
  forgotAccount: limiter("forgot_account", 3, hour),
  forgotAddress: limiter("forgot_address", 10, hour),
  /** Businesses and people that one address may create. */
  registration: limiter("registration", 10, hour),
});

let limits: ReturnType<typeof makeLimits> | undefined;

export const allLimits = () => {
  limits ??= makeLimits();
  return limits;
};

export interface Take {
  from: RateLimiterPostgres;
  key: string;
}

/** Takes a point from each, narrowest first; on a refusal the others get theirs back. Returns when to try again. */
export async function takeAll(takes: Take[]): Promise<Date | null> {
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

export async function giveBack(takes: Take[]): Promise<void> {
  for (const { from, key } of takes) await from.reward(key);
}

/** @throws ApiError too_many_attempts */
export async function needAll(takes: Take[]): Promise<void> {
  const retryAt = await takeAll(takes);
  if (retryAt) throw tooMany(retryAt);
}

export function tooMany(retryAt: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1000));
  return new ApiError("too_many_attempts", undefined, { "Retry-After": String(seconds) });
}

/** Keys are hashed: the table of counters is no list of our users, and no input grows a key beyond its column. */
export const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");
