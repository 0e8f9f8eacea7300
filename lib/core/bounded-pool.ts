import { Pool, type PoolClient, type PoolConfig } from "pg";

/** The longest wait for a connection, and of one statement for a lock. With its lookups, a request gets a 503 within 3 s. */
export const maxWaitMs = 1_000;
const connectTimeoutMs = 2_200;
/** After a longer wait for a connection, the pool counts as exhausted, until for `calmMs` no wait was as long. */
const longWaitMs = 300;
const calmMs = 2_000;

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (error?: Error | boolean) => void,
) => void;

/**
 * Emits "waited" with the milliseconds that a caller had to wait for a connection, and whether it got one.
 *
 * A pool whose waits get shorter while it is exhausted, from `maxWaitMs` to `longWaitMs`. A request may wait several times, and
 * the pool does not know which requests have waited already. This is the rule of controlled delay (CoDel) for queues.
 */
export class BoundedPool extends Pool {
  /** When each waiting caller began to wait, the oldest first. */
  readonly #waiting = new Set<{ since: number }>();
  /** Connections whose lock_timeout is not the usual one. */
  readonly #lockTimeouts = new WeakMap<PoolClient, number>();
  /** Whether settings stay with a connection. Behind a pooler they do not: the config has no lock_timeout, and transactions set it. */
  readonly #keepsSettings: boolean;
  #exhaustedSince = 0;
  #lastLongWaitAt = Number.NEGATIVE_INFINITY;

  constructor(config: PoolConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
    this.#keepsSettings = config.lock_timeout !== undefined;
    this.on("acquire", (client) => {
      if ((client as PoolClient & { readyForQuery: boolean }).readyForQuery) void this.#boundLocks(client);
    });
  }

  /** Whether another caller would wait. Callers of the same turn get their idle connections only in the next one. */
  get isFull(): boolean {
    return this.idleCount <= this.waitingCount && this.totalCount >= this.options.max;
  }

  /** How long the pool has been exhausted; 0 if it is not. */
  exhaustedMs(): number {
    const now = performance.now();
    const [oldest] = this.#waiting;
    if (oldest && now - oldest.since >= longWaitMs) {
      if (now - this.#lastLongWaitAt > calmMs) this.#exhaustedSince = oldest.since;
      this.#lastLongWaitAt = now;
    }
    return now - this.#lastLongWaitAt > calmMs ? 0 : now - this.#exhaustedSince;
  }

  /** Begins a transaction. Behind a pooler, it limits its waits for locks while the pool is exhausted. */
  get begin(): string {
    const allowedMs = this.#allowedLockMs();
    return this.#keepsSettings || allowedMs === maxWaitMs ? "BEGIN" : `BEGIN; SET LOCAL lock_timeout = ${allowedMs}`;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (!callback && !this.isFull) return super.connect();
    if (!callback)
      return new Promise((resolve, reject) => {
        this.#wait((error, client) => (client ? resolve(client) : reject(error)));
      });
    if (this.isFull) this.#wait(callback);
    else super.connect(callback);
  }

  #wait(callback: Callback): void {
    const waiter = { since: performance.now() };
    const limitMs = Math.max(longWaitMs, maxWaitMs - this.exhaustedMs());
    this.#waiting.add(waiter);
    this.options.connectionTimeoutMillis = limitMs; // the pool reads it in `connect`
    super.connect((error, client, done) => {
      this.exhaustedMs(); // notes how long this one waited
      this.emit("waited", performance.now() - waiter.since, client !== undefined);
      this.#waiting.delete(waiter);
      const bounded = client && this.#boundLocks(client); // the last user's query may have failed just now
      if (bounded) void bounded.then(() => callback(error, client, done));
      else callback(error, client, done);
    });
    this.options.connectionTimeoutMillis = connectTimeoutMs;
  }

  /** How long a statement may wait for a lock. It has only three values, so that it seldom changes. */
  #allowedLockMs(): number {
    const exhaustedMs = this.exhaustedMs();
    if (exhaustedMs === 0) return maxWaitMs;
    return exhaustedMs < maxWaitMs / 2 ? maxWaitMs / 2 : longWaitMs;
  }

  /** Sets the connection's lock_timeout. */
  #boundLocks(client: PoolClient): Promise<unknown> | undefined {
    if (!this.#keepsSettings) return undefined;
    const allowedMs = this.#allowedLockMs();
    if ((this.#lockTimeouts.get(client) ?? maxWaitMs) === allowedMs) return undefined;
    this.#lockTimeouts.set(client, allowedMs);
    // If it fails, so do the caller's queries.
    return client.query(`SET lock_timeout = ${allowedMs}`).catch(() => undefined);
  }
}
