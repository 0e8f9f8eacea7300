import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolClient } from "pg";
import { PrismaClient } from "@/lib/generated/prisma/client";
import { env, required } from "./env";
import { log } from "./log";
import { openPipeline } from "./pipeline";
import { Scope } from "./scope";
import { closeWhenSilent } from "./silence";

const counterConnections = 2;
const lookupConnections = 4;

const settings = () => ({
  connectionString: required("DATABASE_URL"),
  // Without a free connection, a request gets a 503 within 3 s (contract, section 5).
  connectionTimeoutMillis: 2_500,
  application_name: "paydesk",
  // A request that waits too long for a row lock gets a 503 too (isDatabaseAway).
  lock_timeout: 2_000,
  statement_timeout: 10_000,
  keepAlive: true,
});

function open(max: number): Pool {
  const pool = new Pool({ ...settings(), max });
  // When the server closes an idle connection, the process must live on: the next query opens another one.
  // Only the message is logged: the error object carries the whole client with its queries.
  const onLost = ({ message }: Error) => log.warn({ reason: message }, "database connection lost");
  pool.on("error", onLost);
  // A connection in use reports the loss through its failing query.
  pool.on("connect", (client) => {
    client.on("error", onLost);
    closeWhenSilent(client, 12); // longer than statement_timeout
  });
  return pool;
}

/** A connection's transaction that Prisma's client is to join. */
interface Joining {
  client: PoolClient;
  joined: boolean;
}

/** Lets Prisma's client join a connection's open transaction, without sending BEGIN or COMMIT. */
function joinable(factory: PrismaPg, joining: Scope<Joining>): PrismaPg {
  const connectTo = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connectTo();
    const begin = adapter.startTransaction.bind(adapter);
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
  const pool = open(env().DATABASE_POOL);
  const counters = open(counterConnections);
  const lookups = openPipeline(settings(), lookupConnections);
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
  return { pool, counters, lookups, statementName, db, joining };
}

// The framework's bundles are separate module graphs in one process. They share the pool and its statement names through
// globalThis.
const shared = globalThis as typeof globalThis & { paydesk?: ReturnType<typeof connect> };

/** The connections of this process, opened at first use, not at import. */
export function connection() {
  shared.paydesk ??= connect();
  return shared.paydesk;
}
