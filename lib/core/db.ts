import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolClient, type QueryResult } from "pg";
import { Prisma, PrismaClient } from "@/lib/generated/prisma/client";
import { env, required } from "./env";
import { log } from "./log";
import { OneTransaction } from "./one-transaction";

/**
 * Where a query goes: the pool (`db`), or the transaction that the caller opened with `transaction`. Models go through
 * Prisma's client, SQL through `queryRows` and `execute`.
 */
export type Db = Omit<Prisma.TransactionClient, `$${string}`>;

/** How many connections what counts attempts has for itself. */
const counting = 2;

function open(max: number): Pool {
  const pool = new Pool({
    connectionString: required("DATABASE_URL"),
    max,
    // A request that finds no free connection answers 503 within 3 s (contract, section 5).
    connectionTimeoutMillis: 2_500,
    application_name: "paydesk",
    // Nor does one wait longer for a row that somebody else holds; either answers 503 (isDatabaseAway).
    lock_timeout: 2_000,
    statement_timeout: 10_000,
  });
  // An idle connection that the server cuts must not end the process; the next query opens another.
  // Its message alone: the error carries the whole client, queries and all.
  const lost = ({ message }: Error) => log.warn({ reason: message }, "database connection lost");
  pool.on("error", lost);
  // Nor one that is in use just then: its query fails, which is told to whoever asked.
  pool.on("connect", (client) => client.on("error", lost));
  return pool;
}

/** The transaction that Prisma's client is about to join. */
interface Joining {
  client: PoolClient;
  joined: boolean;
}

/** Lets Prisma's client join a transaction that has begun on a connection: it neither begins nor ends it. */
function joinable(factory: PrismaPg, joining: AsyncLocalStorage<Joining>): PrismaPg {
  const connectTo = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connectTo();
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => {
      const transaction = joining.getStore();
      if (!transaction) return begin(level);
      transaction.joined = true;
      const nothing = async () => undefined;
      // The adapter's own way to run a query, on this connection in place of its pool.
      return Object.create(adapter, {
        client: { value: transaction.client },
        options: { value: { usePhantomQuery: true } }, // no COMMIT and no ROLLBACK of Prisma's
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
  const counters = open(counting);
  /** Names statements by their text, so that PostgreSQL parses each once per connection. Lives as long as the pool. */
  const names = new Map<string, string>();
  const statementName = (sql: string): string => {
    const known = names.get(sql);
    if (known) return known;
    if (names.size >= 500) return ""; // unnamed: PostgreSQL keeps nothing of it
    const name = `p${names.size}`;
    names.set(sql, name);
    return name;
  };
  return { pool, counters, statementName, ...clientOn(pool, statementName) };
}

function clientOn(pool: Pool, statementName: (sql: string) => string) {
  const joining = new AsyncLocalStorage<Joining>();
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) });
  const db = new PrismaClient({
    adapter: joinable(adapter, joining),
    transactionOptions: { maxWait: 2_500, timeout: 10_000 },
  });
  return { db, joining };
}

// The framework's bundles and ours are separate module graphs in one process: they share the pool, and what names the
// statements on its connections, through globalThis.
const shared = globalThis as typeof globalThis & { paydesk?: ReturnType<typeof connect> };

/** What `inOneTransaction` works on in place of the pool. */
const held = new AsyncLocalStorage<ReturnType<typeof connect>>();

function connection() {
  shared.paydesk ??= connect();
  return held.getStore() ?? shared.paydesk;
}

/** The Prisma client. Opens connections at first use, not at import. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => Reflect.get(connection().db, property),
});

/** The pool under the client, for the one or two queries that every request makes. */
export const pool = (): Pool => connection().pool;

/**
 * For what counts attempts. That is also asked within a transaction, which holds one of the pool's connections: if it had to
 * wait for another one of these, as many requests at once as there are connections would wait for each other.
 */
export const counterPool = (): Pool => connection().counters;

/** Gives all connections back. */
export async function disconnect(): Promise<void> {
  await db.$disconnect();
  for (const one of [pool(), counterPool()]) if (!one.ended) await one.end();
}

/** The connections of the transactions that are open. */
const connections = new WeakMap<object, PoolClient>();

function connectionOf(tx: Db): Pool | PoolClient {
  const client = tx === db ? pool() : connections.get(tx);
  if (!client) throw new Error("The transaction has ended, or transaction() did not open it.");
  return client;
}

async function query<Row extends object>(tx: Db, sql: Prisma.Sql): Promise<QueryResult<Row>> {
  const { text, values } = sql;
  const name = connection().statementName(text) || undefined;
  return (connectionOf(tx) as Pool).query<Row>({ name, text, values });
}

/**
 * Runs SQL that returns rows, as a prepared statement past Prisma's client: through it the same read costs about twice as
 * much (npm run bench).
 */
export async function queryRows<Row extends object>(tx: Db, sql: Prisma.Sql): Promise<Row[]> {
  return (await query<Row>(tx, sql)).rows;
}

/** Runs SQL. @returns how many rows it wrote */
export async function execute(tx: Db, sql: Prisma.Sql): Promise<number> {
  return (await query(tx, sql)).rowCount ?? 0;
}

/** What an INSERT or UPDATE writes: by column. */
type Values = Readonly<Record<string, unknown>>;

const given = (values: Values) => Object.entries(values).filter(([, value]) => value !== undefined);

/** `(columns) VALUES (values)` of an INSERT. The names come from our own code, the values are parameters. */
export function inserted(values: Values): Prisma.Sql {
  const entries = given(values);
  const columns = Prisma.raw(entries.map(([name]) => `"${name}"`).join(", "));
  return Prisma.sql`(${columns}) VALUES (${Prisma.join(entries.map(([, value]) => value))})`;
}

/** `column = value, ...` of an UPDATE; a column whose value is undefined keeps its own. Empty when all are. */
export function assigned(values: Values): Prisma.Sql {
  const entries = given(values).map(([name, value]) => Prisma.sql`${Prisma.raw(`"${name}"`)} = ${value}`);
  return entries.length === 0 ? Prisma.empty : Prisma.join(entries);
}

type Models = Record<PropertyKey, Record<PropertyKey, (args: unknown) => Promise<unknown>>>;

/** Prisma's client in a connection's transaction: it joins when a model is first used, and leaves before the end. */
function joinPrisma(client: PoolClient, timeout: number) {
  let leave = () => {};
  let left: Promise<void> | undefined;
  let joined: Promise<Models> | undefined;
  const stay = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const join = () => {
    joined ??= new Promise<Models>((resolve, reject) => {
      const { db, joining } = connection();
      const transaction = { client, joined: false };
      const wait = async (tx: Prisma.TransactionClient): Promise<void> => {
        if (!transaction.joined) throw new Error("Prisma's client began a transaction of its own.");
        resolve(tx as unknown as Models);
        return stay;
      };
      left = joining.run(transaction, () => db.$transaction(wait, { timeout })).catch(reject);
    });
    return joined;
  };
  const model = (name: PropertyKey) =>
    new Proxy({}, { get: (_, method) => async (args: unknown) => (await join())[name]?.[method]?.(args) });
  return {
    // A promise asks what it is resolved with for its `then`.
    tx: new Proxy({}, { get: (_, name) => (name === "then" ? undefined : model(name)) }) as Db,
    leave: async () => {
      leave();
      await left;
    },
  };
}

/**
 * Runs `work` in the transaction that the caller is in, or in one of its own: all of it is written, or nothing. It costs less
 * than half of one through Prisma's client, which joins only where a model is used (docs/decisions/0016-resources.md).
 * @param options.timeoutMs after which it is rolled back and its connection closed
 */
export async function transaction<T>(tx: Db, work: (tx: Db) => Promise<T>, { timeoutMs = 10_000 } = {}): Promise<T> {
  if (tx !== db) return work(tx);
  const client = await pool().connect();
  let released = false;
  const release = (error?: Error) => {
    if (!released) client.release(error);
    released = true;
  };
  const overdue = setTimeout(() => release(new Error("a transaction took too long")), timeoutMs);
  const prisma = joinPrisma(client, timeoutMs);
  connections.set(prisma.tx, client);
  try {
    await client.query("BEGIN");
    const result = await work(prisma.tx);
    await prisma.leave();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await prisma.leave();
    await client.query("ROLLBACK").catch(release); // a connection that cannot roll back is closed
    throw error;
  } finally {
    connections.delete(prisma.tx);
    clearTimeout(overdue);
    release();
  }
}

/**
 * Runs `work` in one transaction on one connection, with every statement and transaction of the services that it calls: all
 * is kept or nothing, and other processes see nothing before the end. One thing at a time: `work` must not open two
 * transactions side by side.
 */
export function inOneTransaction<T>(work: () => Promise<T>): Promise<T> {
  const { statementName } = connection();
  const inTransaction = async (tx: Db): Promise<T> => {
    const pool = new OneTransaction(connectionOf(tx) as PoolClient);
    const own = clientOn(pool, statementName);
    try {
      return await held.run({ pool, counters: pool, statementName, ...own }, work);
    } finally {
      await own.db.$disconnect();
    }
  };
  return transaction(db, inTransaction, { timeoutMs: 60_000 });
}

/** Whether a statement was refused because a row like it is there already. */
export const isUniqueViolation = (error: unknown): boolean => isViolation(error, "23505", "P2002");

/** Whether a statement was refused because what it refers to is not there (any more). */
export const isForeignKeyViolation = (error: unknown): boolean => isViolation(error, "23503", "P2003");

/** By the driver's code, the client's, or the client's for raw SQL. */
function isViolation(error: unknown, state: string, known: string): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  if (code === state || code === known) return true;
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    code === "P2010" &&
    JSON.stringify(error.meta ?? {}).includes(state)
  );
}

export { Prisma };
