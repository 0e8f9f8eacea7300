/** A number from 0 to 1, as Math.random's. */
export type Random = () => number;

/** The faults of requests to the API. */
export type FaultRule = {
  method?: string;
  path?: RegExp;
  kind: "lost_reply" | "error_500" | "lost_request" | "slow" | "rate_limited";
  /** How often. Once, unless there is a `share`. */
  times?: number;
  /** The share of matching requests, 0 to 1. */
  share?: number;
  /** How long `slow` waits before it executes. */
  ms?: number;
};

/** The same numbers for the same seed, so that a run that failed can be had again. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The rules in force; the first that fits a request decides. */
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
