import { Client, type ClientConfig, type QueryConfig } from "pg";

type Connected = Parameters<Client["connect"]>[0] & {};

/** Milliseconds after which PostgreSQL ends a statement, a wait for a lock, or a transaction without statements. */
const limits = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] as const;

/**
 * A connection that sets its limits with its first statement, for one round trip more: PgBouncer refuses a startup packet that
 * has them.
 */
export class LimitedClient extends Client {
  /** `query_timeout` is pg's, but its types leave it out. */
  readonly #limits: QueryConfig & { query_timeout?: number };

  constructor(config: ClientConfig = {}) {
    const without = Object.fromEntries(limits.map((name) => [name, undefined]));
    super({ ...config, ...without });
    const text = limits.filter((name) => config[name]).map((name) => `SET ${name} = ${Number(config[name])}`);
    // Like connecting: the network may be lost between the two, and then no answer ever comes.
    this.#limits = { text: text.join("; "), query_timeout: config.connectionTimeoutMillis };
  }

  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<this> | undefined {
    const connected = this.#connectLimited();
    if (!callback) return connected;
    connected.then(() => (callback as (error?: Error) => void)(), callback as (error: Error) => void);
  }

  async #connectLimited(): Promise<this> {
    // An "error" event without a listener ends the process, and callers add theirs only afterwards. They learn of a lost
    // connection here, because connect or query then rejects.
    const ignore = () => undefined;
    this.on("error", ignore);
    try {
      await super.connect();
      if (this.#limits.text) await this.query(this.#limits);
      return this;
    } catch (error) {
      void this.end().catch(ignore);
      throw error;
    } finally {
      this.off("error", ignore);
    }
  }
}
