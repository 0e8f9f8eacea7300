import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { Client, type PoolClient } from "pg";
import { PrismaClient } from "@/lib/generated/prisma/client";
import { BoundedPool } from "./bounded-pool";
import { connectionLimits, statementTimeoutMs } from "./connection-limits";
import { env, required } from "./env";
import { LimitedClient } from "./limited-client";
import { log } from "./log";
import { observed, observesStatements, summaryOf } from "./observe";
import { openPipeline } from "./pipeline";
import { Scope } from "./scope";
import { type SilenceWatch, watchSilence } from "./silence";
import { emptyWrite, type Standby, watchStandby } from "./standby";

const counterConnections = 2;
const lookupConnections = 4;

/**
 * Whether DATABASE_URL is a pooler that gives each transaction another session. A setting of a session would reach other
 * clients, so a connection sets no limits: it has those of its role (server/role-limits.ts).
 */
const isPooled = (): boolean => env().DATABASE_URL_DIRECT !== undefined;

const settings = () => ({
  connectionString: required("DATABASE_URL"),
  application_name: "paydesk",
  ...(isPooled() ? {} : connectionLimits),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000, // else the system's two hours
});

const lookupSettings = () => ({
  ...settings(),
  connectionTimeoutMillis: 2_000,
  // A lookup waits for a lock only if its whole table is locked. Then it delays those behind it.
  ...(isPooled() ? {} : { lock_timeout: 300 }),
});

interface DatabaseSession {
  client: Client | PoolClient;
  release(): void;
}

/** A session of PostgreSQL for locks that outlive a transaction: past the pooler if it pools transactions. */
export async function openSession(): Promise<DatabaseSession> {
  const { DATABASE_URL_DIRECT } = env();
  if (!DATABASE_URL_DIRECT) {
    const client = await connection().pool.connect();
    return { client, release: () => client.release() };
  }
  const client = new LimitedClient({
    ...settings(),
    ...connectionLimits,
    connectionString: DATABASE_URL_DIRECT,
    connectionTimeoutMillis: 2_000,
  });
  client.on("error", onLost);
  await client.connect();
  return { client, release: () => void client.end().catch(() => undefined) };
}

// When the server closes an idle connection, the process must not end: the next query opens another one.
// Only the message is logged: the error object carries the whole client with its queries.
const onLost = ({ message }: Error) => log.warn({ reason: message }, "database connection lost");

/** Runs `work` on a new connection. @returns null if it fails */
async function onNewConnection<T>(work: (client: Client) => Promise<T>, query_timeout = 1_000): Promise<T | null> {
  const { connectionString, application_name } = settings();
  const client = new Client({ connectionString, application_name, connectionTimeoutMillis: 1_000, query_timeout });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch {
    return null;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Asks PostgreSQL on a new connection which of our connections it works for. @returns their process ids; null without an answer */
export function busyBackends(): Promise<ReadonlySet<number> | null> {
  return onNewConnection(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE usename = current_user AND state = 'active'",
    );
    return new Set(rows.map(({ pid }) => pid));
  });
}

/** Longer than Patroni needs to notice that a standby was killed: a round (`loop_wait` in deploy/cluster/patroni.yml). */
const commitWaitMs = 1_500;

/**
 * Ends waits of commits for a synchronous standby, also those of processes that have died: PostgreSQL limits them by no timeout, and
 * meanwhile they hold locks and connections.
 */
function cancelCommitWaits(): Promise<unknown> {
  return onNewConnection((client) =>
    client.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE usename = current_user AND application_name = 'paydesk' AND wait_event = 'SyncRep'
          AND state_change < clock_timestamp() - $1 * interval '1 millisecond'`,
      [commitWaitMs - 100],
    ),
  );
}

/** Makes an empty commit. @returns whether a standby confirmed it, or none has to */
async function isConfirmed(standby: Pick<Standby, "failUnconfirmed">): Promise<boolean> {
  const late = setTimeout(() => void cancelCommitWaits(), commitWaitMs);
  const confirmed = await onNewConnection(async (client) => {
    standby.failUnconfirmed(client);
    await client.query(emptyWrite);
    return true;
  }, 2 * commitWaitMs);
  clearTimeout(late);
  if (!confirmed) await sleep(commitWaitMs / 3, undefined, { ref: false });
  return confirmed === true;
}

function open(max: number, watch: SilenceWatch, standby: Standby): BoundedPool {
  const pool = new BoundedPool({ ...settings(), max, Client: LimitedClient });
  pool.on("error", onLost);
  standby.refuseWrites(pool);
  // A connection in use reports the loss through its failing query.
  pool.on("connect", (client) => {
    client.on("error", onLost);
    standby.failUnconfirmed(client);
    standby.refuseWrites(client);
    watch.add(client, statementTimeoutMs + 2_000);
  });
  return pool;
}

/** A connection's transaction that Prisma's client is to join. */
interface Joining {
  client: PoolClient;
  joined: boolean;
}

/** Shows the statements of Prisma's client to an observer that wants them. */
function observeQueries(adapter: Awaited<ReturnType<PrismaPg["connect"]>>): void {
  const { queryRaw, executeRaw } = adapter;
  // Called as methods of the adapter, or of an object that inherits from it.
  adapter.queryRaw = function (this: typeof adapter, query) {
    const send = () => queryRaw.call(this, query);
    return observesStatements() ? observed("statement", summaryOf(query.sql), send) : send();
  };
  adapter.executeRaw = function (this: typeof adapter, query) {
    const send = () => executeRaw.call(this, query);
    return observesStatements() ? observed("statement", summaryOf(query.sql), send) : send();
  };
}

/** Lets Prisma's client join a connection's open transaction, without sending BEGIN or COMMIT. */
function joinable(factory: PrismaPg, joining: Scope<Joining>): PrismaPg {
  const connectTo = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connectTo();
    const begin = adapter.startTransaction.bind(adapter);
    observeQueries(adapter);
    adapter.startTransaction = async (level) => {
      const transaction = joining.get();
      if (!transaction) return begin(level);
      transaction.joined = true;
      const nothing = async () => undefined;
      // Runs the adapter's queries on this connection instead of its pool.
      return Object.create(adapter, {
        client: { value: transaction.client },
        options: { value: { usePhantomQuery: true } }, // Prisma sends no COMMIT or ROLLBACK
        commit: { value: nothing },
        rollback: { value: nothing },
      });
    };
    return adapter;
  };
  return factory;
}

function connect() {
  const standby: Standby = watchStandby(() => isConfirmed(standby));
  const watch = watchSilence(busyBackends, () => pool.waitingCount > 0, { limitMs: commitWaitMs, cancelCommitWaits });
  const pool = open(env().DATABASE_POOL, watch, standby);
  const counters = open(counterConnections, watch, standby);
  const lookups = openPipeline(lookupSettings(), lookupConnections, watch);
  /** Statement names by SQL text, so that PostgreSQL parses each statement once per connection. Lives as long as the pool. */
  const names = new Map<string, string>();
  const statementName = (sql: string): string => {
    const known = names.get(sql);
    if (known) return known;
    if (names.size >= 500) return ""; // unnamed: PostgreSQL does not keep the statement
    const name = `p${names.size}`;
    names.set(sql, name);
    return name;
  };
  const joining = new Scope<Joining>();
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) });
  const db = new PrismaClient({
    adapter: joinable(adapter, joining),
    transactionOptions: { maxWait: 2_500, timeout: 10_000 },
  });
  async function end(): Promise<void> {
    await db.$disconnect();
    await lookups.end();
    for (const open of [pool, counters]) if (!open.ended) await open.end();
  }
  return { pool, counters, lookups, watch, statementName, db, joining, end };
}

type Connections = ReturnType<typeof connect>;

/** The framework's bundles are separate module graphs in one process, and share the pool and its statement names. */
const shared = globalThis as typeof globalThis & { paydesk?: Connections };

/** The connections of this process, opened at first use, not at import. */
export function connection(): Connections {
  shared.paydesk ??= connect();
  return shared.paydesk;
}
