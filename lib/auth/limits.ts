import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { counterPool } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";

const quarterHour = 15 * 60;
const hour = 3600;
const day = 24 * hour;
export const month = 30 * day;

function limiter(keyPrefix: string, points: number, duration: number, blockDuration = 0): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: counterPool(),
    storeType: "pool",
    tableName: "rate_limit",
    tableCreated: true,
    keyPrefix,
    points,
    duration,
    blockDuration,
  });
}

/** Attempts are counted over LOCKOUT_MINUTES. The first one over the limit locks for as long. */
function lockout(keyPrefix: string, attempts: number): RateLimiterPostgres {
  const seconds = env().LOCKOUT_MINUTES * 60;
  return limiter(keyPrefix, attempts, seconds, seconds);
}

// Counted in PostgreSQL: processes share the counts, and a restart of Paydesk keeps them (a crash of the database does not).
const makeLimits = (attempts = env().LOCKOUT_ATTEMPTS) => ({
  /** One account from one address. Below `account`: one guesser cannot use up the account's limit. */
  pair: lockout("signin_pair", Math.ceil(attempts / 2)),
  /** One address over all accounts, against credential stuffing. Wide enough for an office behind one address. */
  address: limiter("signin_address", 50, quarterHour),
  /** One account from all unknown addresses, against distributed guessing. */
  account: lockout("signin_account", attempts),
  /** Not a limit: stores which addresses have signed in to which account. */
  known: limiter("signin_known", 1, month),
  /** One account from one known address: guesses from unknown addresses never lock the owner out. */
  knownPair: lockout("signin_owner", attempts),
  codePair: lockout("code_pair", Math.ceil(attempts / 2)),
  codeAccount: lockout("code_account", attempts),
  codeKnownPair: lockout("code_owner", attempts),
  /** Password and code prompts within a session, against guessing with a stolen session. */
  person: lockout("person", attempts),
  /** Password reset mails to one person, and from one address. */
  forgotAccount: limiter("forgot_account", 3, hour),
  forgotAddress: limiter("forgot_address", 10, hour),
  /** Mails to confirm an address, to one person. */
  verification: limiter("verification", 5, 24 * hour),
  registration: limiter("registration", 10, hour),
  /** Passwords that a registration's check rates: each takes up to 0.1 s of the process. */
  passwordCheck: limiter("password_check", 60, hour),
  /** Live mails to payers (lib/outbox/mail/budget.ts), of one business and from it to one recipient. */
  mailsOfBusiness: limiter("mails_business", env().MAILS_PER_DAY, day),
  mailsOfRecipient: limiter("mails_recipient", env().MAILS_PER_RECIPIENT_PER_DAY, day),
  /** Mails with bundled notifications, to one member about one mode of a business. */
  notifications: limiter("notifications", 50, day),
  /** Invitations of one business, whose owner chooses the recipients and the business's name. */
  invitations: limiter("invitations", 50, day),
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

/**
 * Consumes one point of each limit, narrowest first. On a refusal, the points already consumed are given back.
 * @returns when to try again; null when no limit is reached
 */
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
export async function takeAllOrThrow(takes: Take[]): Promise<void> {
  const retryAt = await takeAll(takes);
  if (retryAt) throw tooMany(retryAt);
}

function tooMany(retryAt: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1000));
  return new ApiError("too_many_attempts", undefined, { "Retry-After": String(seconds) });
}

/** Hashes a limit's key: the counter table must not list our users, and long input must fit into the column. */
export const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");
