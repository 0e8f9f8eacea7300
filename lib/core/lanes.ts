import { setTimeout as sleep } from "node:timers/promises";
import { log } from "./log";

/** One part of a queue that must not delay the others: a webhook endpoint, a business's mails, a gateway account. */
export interface Lane {
  key: string;
  /** Lanes of one group share the group's limit, if the policy has one: the endpoints of one business. */
  group: string;
}

/** What this process knows of a lane that has due items or items in flight. */
export interface LaneState extends Lane {
  inFlight: number;
  /** By performance.now(): when the lane's last item ended, or when its first one in flight began. */
  waitingSince: number;
  /** What the last item's run, or `findDue`, said of the lane. */
  failing: boolean;
  slow: boolean;
}

/** What an item's run says of its lane. */
export interface LaneReport {
  failing?: boolean;
  slow?: boolean;
  /** Nothing of the whole queue is claimed before the next look: what all lanes depend on is away. */
  away?: boolean;
}

export interface LaneQueue<Item extends { lane: Lane }> {
  /** For the log. */
  name: string;
  /** Milliseconds between two looks for due items. */
  pollMs: number;
  /** Milliseconds that items in flight have to end by themselves when the process stops; then `stopping` is aborted. */
  graceMs: number;
  /** Lanes with due items. It must cost as much as there are such lanes, not as there are items. */
  findDue(): Promise<(Lane & { failing?: boolean })[]>;
  /**
   * The policy: how many items to claim of each lane now.
   * @param ready lanes that may have due items, the longest unserved first
   * @param all these and every other lane with items in flight
   */
  share(ready: LaneState[], all: LaneState[]): Map<string, number>;
  /** Leases at most so many due items of each lane. Any number of processes may: none gets what another has. */
  claim(wanted: Map<string, number>): Promise<Item[]>;
  /** Does an item and writes down what came of it. An error counts as a failure of the lane. */
  run(item: Item, stopping: AbortSignal): Promise<LaneReport>;
}

/** Gives each lane one item in turn, until `room` items are given. */
export function evenShares(ready: LaneState[], room: number): Map<string, number> {
  const wanted = new Map<string, number>();
  for (let given = 0; given < room && ready.length > 0; given++) {
    const { key } = ready[given % ready.length] as LaneState;
    wanted.set(key, (wanted.get(key) ?? 0) + 1);
  }
  return wanted;
}

/**
 * Works through a queue lane by lane, until it is stopped: looks for lanes with due items, claims as many as the policy
 * allows, and claims again as soon as an item has ended.
 * @returns the stop: it claims nothing more, and resolves when nothing is in flight
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
    // A lane with more due items is ready again when an item of it ends, or at the next look.
    for (const key of share.keys()) ready.delete(key);
    for (const item of await queue.claim(share)) start(item);
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
      log.warn({ err, queue: queue.name }, "an item failed; its lease ends by itself");
    }
  }

  /** Claims within 10 ms, once for all who ask meanwhile. */
  function claimSoon(): void {
    if (stopped || claiming || scheduled) return;
    scheduled = setTimeout(() => {
      scheduled = undefined;
      claiming = claim()
        .catch((err: unknown) => log.warn({ err, queue: queue.name }, "could not claim; tried again"))
        .finally(() => {
          claiming = null;
          if (ready.size > 0 && wanted().size > 0) claimSoon();
        });
    }, 10);
  }

  async function look(): Promise<void> {
    for (const lane of await queue.findDue()) {
      const state = stateOf(lane);
      state.failing = lane.failing ?? state.failing;
      ready.add(lane.key);
    }
    away = false;
    claimSoon();
  }

  const looking = (async () => {
    while (!stopped) {
      await look().catch((err: unknown) => log.warn({ err, queue: queue.name }, "could not look for due items"));
      await sleep(queue.pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  return async () => {
    stopped = true;
    clearTimeout(scheduled);
    await claiming;
    await Promise.race([Promise.all(inFlight), sleep(queue.graceMs, undefined, { ref: false })]);
    stopping.abort();
    await Promise.all([...inFlight, looking]);
  };
}
