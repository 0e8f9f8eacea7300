import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, type PoolClient } from "pg";
import { Prisma, PrismaClient } from "@/lib/generated/prisma/client";
import { env, required } from "./env";
import { log } from "./log";

/** What a query can be asked of: the client itself or the transaction that a caller opened. */
export type Db = Prisma.TransactionClient;

/** A transaction straight on the driver, for `queryRows` alone: half the cost of one through Prisma's client. */
export interface SqlTransaction {
  readonly client: PoolClient;
}

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
  const db = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) }),
    transactionOptions: { maxWait: 2_500, timeout: 10_000 },
  });
  return { pool, counters, db, statementName };
}

// The framework's bundles and ours are separate module graphs in one process: they share the pool, and what names the
// statements on its connections, through globalThis.
const shared = globalThis as typeof globalThis & { paydesk?: ReturnType<typeof connect> };

function connection() {
  shared.paydesk ??= connect();
  return shared.paydesk;
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

/** Runs `work` in the transaction that the caller is in, or in one of its own. */
export function transaction<T>(tx: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return tx === db ? db.$transaction(work) : work(tx);
}

/**
 * Runs SQL that returns rows. Outside a transaction it goes to the driver as a prepared statement: through Prisma's
 * client the same read costs about twice as much (npm run bench).
 */
export async function queryRows<Row extends object>(tx: Db | SqlTransaction, sql: Prisma.Sql): Promise<Row[]> {
  const direct = "client" in tx ? tx.client : tx === db ? pool() : null;
  if (!direct) return (tx as Db).$queryRaw<Row[]>(sql);
  const name = connection().statementName(sql.text) || undefined;
  const { rows } = await direct.query<Row>({ name, text: sql.text, values: sql.values });
  return rows;
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

/** Runs `work` in a transaction of its own: all of it is written, or nothing. */
export async function sqlTransaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work({ client });
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure; // the connection is not given to anybody again
    });
    throw error;
  } finally {
    client.release(broken);
  }
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
