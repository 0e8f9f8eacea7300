/** Refusals of the secret key: status and the envelope's code. */
export const keyRefusals = {
  key_unknown: [401, undefined, "Invalid API key provided: ****"],
  key_expired: [401, "api_key_expired", "Expired API key provided: ****"],
  key_forbidden: [403, undefined, "The provided key does not have the required permissions for this endpoint."],
  account_invalid: [403, "account_invalid", "The provided key does not have access to the account."],
} as const;

/** Returns a number in [0, 1), like Math.random. */
export type Random = () => number;

/** Refusals with status 429, and the envelope's code. */
export const limits = { rate_limited: "rate_limit", lock_timeout: "lock_timeout" } as const;

/**
 * A fault of API requests. `error_500`: Stripe does nothing and stores nothing. `error_500_stored`: it does nothing, and stores its
 * answer under the idempotency key. `proxy_limited`: a proxy before Stripe answers 429, with a page.
 */
export type FaultRule = {
  method?: string;
  path?: RegExp;
  kind:
    | "lost_reply"
    | "error_500"
    | "error_500_stored"
    | "lost_request"
    | "proxy_limited"
    | "slow"
    | keyof typeof limits
    | keyof typeof keyRefusals;
  /** Number of affected requests: 1 by default, unless there is a `share`. */
  times?: number;
  /** Share of affected requests, 0 to 1. */
  share?: number;
  /** Delay of `slow`, in milliseconds. */
  ms?: number;
};

/** Pseudo-random numbers in [0, 1), reproducible by their seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The active rules. The first matching rule applies. */
export class Faults {
  private readonly rules = new Set<{ rule: FaultRule; left: number }>();

  constructor(private readonly random: Random) {}

  add(rule: FaultRule): () => void {
    const entry = { rule, left: rule.times ?? (rule.share === undefined ? 1 : Number.POSITIVE_INFINITY) };
    this.rules.add(entry);
    return () => void this.rules.delete(entry);
  }

  /** Finds the fault of this request, if any, and counts it. */
  draw(method: string, path: string): FaultRule | null {
    for (const entry of this.rules) {
      const { rule } = entry;
      if (entry.left <= 0 || (rule.method && rule.method !== method) || (rule.path && !rule.path.test(path))) continue;
      if (rule.share !== undefined && this.random() >= rule.share) continue;
      entry.left--;
      return rule;
    }
    return null;
  }
}
