import { setTimeout as sleep } from "node:timers/promises";
import { log } from "./log";

/** A part of a queue that must not delay the other parts: a webhook endpoint's deliveries, a business's mails. */
export interface Lane {
  key: string;
  /** Lanes of one group, such as the endpoints of one business, share the group's limit if the policy has one. */
  group: string;
}

/** What this process knows of a lane that has due items or items in flight. */
export interface LaneState extends Lane {
  inFlight: number;
  /** performance.now() when the lane's last item ended, or when its first item in flight started. */
  waitingSince: number;
  /** From the last item's report or from `findDue`. */
  failing: boolean;
  slow: boolean;
}

/** What `run` reports about its item's lane. */
export interface LaneReport {
  failing?: boolean;
  slow?: boolean;
  /** A dependency of all lanes is unavailable: the queue claims nothing before the next poll. */
  away?: boolean;
}

export interface LaneQueue<Item extends { lane: Lane }> {
  name: string;
  /** Milliseconds between two polls for due items. */
  pollMs: number;
  /** At shutdown, milliseconds that items in flight get to finish before `stopping` is aborted. */
  graceMs: number;
  /** Lanes with due items. Its cost must depend on the number of such lanes, not of items. */
  findDue(): Promise<(Lane & { failing?: boolean })[]>;
  /**
   * The policy: how many items of each lane to claim now.
   * @param ready lanes that may have due items, the longest unserved first
   * @param all the ready lanes and every other lane with items in flight
   */
  share(ready: LaneState[], all: LaneState[]): Map<string, number>;
  /** Leases at most the wanted number of each lane's due items. Several processes never lease the same item. */
  claim(wanted: Map<string, number>): Promise<Item[]>;
  /** Processes an item and stores the outcome. An error counts as a failure of the lane. */
  run(item: Item, stopping: AbortSignal): Promise<LaneReport>;
}

/** Shares `capacity` items among the lanes, one each in turn. */
export function evenShares(ready: LaneState[], capacity: number): Map<string, number> {
  const wanted = new Map<string, number>();
  for (let shared = 0; shared < capacity && ready.length > 0; shared++) {
    const { key } = ready[shared % ready.length] as LaneState;
    wanted.set(key, (wanted.get(key) ?? 0) + 1);
  }
  return wanted;
}

/**
 * Processes a queue until it is stopped: polls for lanes with due items, claims as many as the policy allows, and claims
 * again as soon as an item ends.
 * @returns stops claiming, and resolves when nothing is in flight
 */
export function startLanes<Item extends { lane: Lane }>(queue: LaneQueue<Item>): () => Promise<void> {
  const known = new Map<string, LaneState>();
  const ready = new Set<string>();
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  let stopped = false;
  let away = false;
  let claiming: Promise<void> | null = null;
  let scheduled: NodeJS.Timeout | undefined;

  function stateOf({ key, group }: Lane): LaneState {
    const state = known.get(key) ?? { key, group, inFlight: 0, waitingSince: 0, failing: false, slow: false };
    known.set(key, state);
    return state;
  }

  function wanted(): Map<string, number> {
    if (away) return new Map();
    const lanes = [...ready].flatMap((key) => known.get(key) ?? []);
    return queue.share(lanes, [...known.values()]);
  }

  async function claim(): Promise<void> {
    const share = wanted();
    if (share.size === 0) return;
    for (const key of share.keys()) ready.delete(key);
    const claimed = await queue.claim(share);
    // A lane from which all wanted items came may have more, so it is ready again, behind the others. Any other lane becomes
    // ready when one of its items ends, or at the next poll.
    for (const [key, count] of share)
      if (claimed.filter(({ lane }) => lane.key === key).length === count) ready.add(key);
    for (const item of claimed) start(item);
    for (const [key, state] of known) if (state.inFlight === 0 && !ready.has(key)) known.delete(key);
  }

  function start(item: Item): void {
    const lane = stateOf(item.lane);
    if (lane.inFlight === 0) lane.waitingSince = performance.now();
    lane.inFlight++;
    const work = run(item, lane).finally(() => {
      inFlight.delete(work);
      lane.inFlight--;
      lane.waitingSince = performance.now();
      known.set(lane.key, lane);
      ready.add(lane.key);
      claimSoon();
    });
    inFlight.add(work);
  }

  async function run(item: Item, lane: LaneState): Promise<void> {
    try {
      const report = await queue.run(item, stopping.signal);
      lane.failing = report.failing ?? lane.failing;
      lane.slow = report.slow ?? lane.slow;
      away ||= report.away === true;
    } catch (err) {
      lane.failing = true;
      log.warn({ err, queue: queue.name }, "an item failed; its lease will expire");
    }
  }

  /** Claims within 10 ms, once for all calls in that time. */
  function claimSoon(): void {
    if (stopped || claiming || scheduled) return;
    scheduled = setTimeout(() => {
      scheduled = undefined;
      claiming = claim()
        .catch((err: unknown) => log.warn({ err, queue: queue.name }, "could not claim; will try again"))
        .finally(() => {
          claiming = null;
          if (ready.size > 0 && wanted().size > 0) claimSoon();
        });
    }, 10);
  }

  async function poll(): Promise<void> {
    for (const lane of await queue.findDue()) {
      const state = stateOf(lane);
      state.failing = lane.failing ?? state.failing;
      ready.add(lane.key);
    }
    away = false;
    claimSoon();
  }

  const polling = (async () => {
    while (!stopped) {
      await poll().catch((err: unknown) => log.warn({ err, queue: queue.name }, "could not look for due items"));
      await sleep(queue.pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  return async () => {
    stopped = true;
    clearTimeout(scheduled);
    await claiming;
    await Promise.race([Promise.all(inFlight), sleep(queue.graceMs, undefined, { ref: false })]);
    stopping.abort();
    await Promise.all([...inFlight, polling]);
  };
}
