import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { Prisma, type PrismaClient } from "@/lib/generated/prisma/client";
import { busyBackends, connection, openSession } from "./connections";
import { isDatabaseAway } from "./database-error";
import { observed, observesStatements, summaryOf } from "./observe";
import type { Pipeline } from "./pipeline";
import { objectsOf } from "./rows";
import { Scope } from "./scope";
import { emptyWrite } from "./standby";

/**
 * The target of a query: the pool (`db`), or a transaction opened with `transaction`. Models go through Prisma's client,
 * SQL through `queryRows` and `execute`.
 */
export type Db = Omit<Prisma.TransactionClient, `$${string}`>;

/** The transaction of `inOneTransaction`, in place of the pool. */
const enclosing = new Scope<Db>();

/** The Prisma client. Opens connections at first use, not at import. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => Reflect.get(enclosing.get() ?? connection().db, property),
});

export const pool = (): Pool => connection().pool;

/**
 * The connections for counting attempts. Attempts are also counted inside a transaction, which holds a connection of the
 * pool. If counting used the pool too, enough simultaneous requests would deadlock waiting for connections.
 */
export const counterPool = (): Pool => connection().counters;

/** Whether this process can serve requests that need the database. The check does not wait behind them. */
export async function isDatabaseReady(): Promise<boolean> {
  const { pool } = connection();
  if (pool.exhaustedMs() > 0) return false;
  if (pool.isFull) return true; // every connection is in use, but no caller has waited long
  const answer = pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
  return Promise.race([answer, sleep(1_000, false, { ref: false })]);
}

/** Longer than it takes to find and close connections that the network has lost. */
const stuckMs = 30_000;

/** Just after a long outage, a process looks stuck until its first query is answered. This is longer than that takes. */
const confirmStuckMs = 5_000;
let looksStuckSince: number | undefined;

/**
 * Whether no connection of this process has received anything for `stuckMs`, although PostgreSQL answers on a new one. True only
 * after successive calls have found this for `confirmStuckMs`.
 */
export async function isStuck(): Promise<boolean> {
  const looksStuck = connection().watch.allSilentMs() > stuckMs && (await busyBackends()) !== null;
  looksStuckSince = looksStuck ? (looksStuckSince ?? performance.now()) : undefined;
  return looksStuckSince !== undefined && performance.now() - looksStuckSince >= confirmStuckMs;
}

const connections = new WeakMap<object, PoolClient>();

function connectionOf(tx: Db): Pool | PoolClient {
  const joined = tx === db ? enclosing.get() : tx;
  const client = joined ? connections.get(joined) : pool();
  if (!client) throw new Error("The transaction has ended, or transaction() did not open it.");
  return client;
}

async function query<Row extends object>(to: Pick<Pipeline, "query">, { text, values }: Prisma.Sql, prepared = true) {
  const name = (prepared && connection().statementName(text)) || undefined;
  const statement = { name, text, values, rowMode: "array" as const };
  const { fields, rows, rowCount } = await (observesStatements()
    ? observed("statement", summaryOf(text), () => to.query(statement))
    : to.query(statement));
  return { rows: objectsOf<Row>(fields, rows), rowCount };
}

/**
 * Runs SQL that returns rows, as a prepared statement. It bypasses Prisma's client, through which the same read costs about
 * twice as much (npm run bench).
 */
export async function queryRows<Row extends object>(tx: Db, sql: Prisma.Sql): Promise<Row[]> {
  return (await query<Row>(connectionOf(tx), sql)).rows;
}

/**
 * Like `queryRows`, planned at each run for its values. A prepared statement soon has one plan for all businesses, made for
 * one of average size, which may read all rows of a large one.
 */
export async function planAndQueryRows<Row extends object>(tx: Db, sql: Prisma.Sql): Promise<Row[]> {
  return (await query<Row>(connectionOf(tx), sql, false)).rows;
}

/** A lookup that fails later than this after its start is not repeated, so that the caller gets a 503 within 3 s. */
const repeatLookupMs = 750;

/**
 * Like `queryRows`, for a read of few rows by an index: outside a transaction, such reads share connections
 * (lib/core/pipeline.ts). If theirs is lost or blocked, they use one of the pool.
 */
export async function lookUp<Row extends object>(tx: Db, sql: Prisma.Sql): Promise<Row[]> {
  if (tx !== db || enclosing.get()) return (await query<Row>(connectionOf(tx), sql)).rows;
  const started = performance.now();
  try {
    return (await query<Row>(connection().lookups, sql)).rows;
  } catch (error) {
    if (!isDatabaseAway(error) || performance.now() - started > repeatLookupMs) throw error;
    return (await query<Row>(pool(), sql)).rows;
  }
}

/** Runs SQL. @returns the number of rows written */
export async function execute(tx: Db, sql: Prisma.Sql): Promise<number> {
  return (await query(connectionOf(tx), sql)).rowCount ?? 0;
}

/**
 * Makes the transaction's commit wait for the synchronous standby, if there is one, and so for all earlier commits: what the
 * transaction has read is then safe to acknowledge again.
 */
export async function confirmEarlierCommits(tx: Db): Promise<void> {
  await connectionOf(tx).query(emptyWrite);
}

/** Waits for an exclusive lock on a text and keeps it until the transaction ends. */
export async function lockUntilCommit(tx: Db, text: string): Promise<void> {
  await execute(tx, Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${text}, 0))`);
}

type Values = Readonly<Record<string, unknown>>;

const definedEntries = (values: Values) => Object.entries(values).filter(([, value]) => value !== undefined);

/** `(columns) VALUES (values)` of an INSERT. The names come from our own code, the values are parameters. */
export function inserted(values: Values): Prisma.Sql {
  const entries = definedEntries(values);
  const columns = Prisma.raw(entries.map(([name]) => `"${name}"`).join(", "));
  return Prisma.sql`(${columns}) VALUES (${Prisma.join(entries.map(([, value]) => value))})`;
}

/** `column = value, ...` of an UPDATE. Leaves out columns whose value is undefined; empty when all are. */
export function assigned(values: Values): Prisma.Sql {
  const entries = definedEntries(values).map(([name, value]) => Prisma.sql`${Prisma.raw(`"${name}"`)} = ${value}`);
  return entries.length === 0 ? Prisma.empty : Prisma.join(entries);
}

/**
 * A subselect of values as one JSON parameter, because array parameters prevent a generic plan. With the LIMIT, a generic plan
 * expects ten rows. Without it, it expects a hundred and reads small tables whole.
 * @param columns names and types of the values' properties
 */
export const rowsOf = (values: object[], columns: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT * FROM json_to_recordset(${JSON.stringify(values)}::json) AS given (${columns}) LIMIT ${values.length}::int)`;

type Models = Record<PropertyKey, Record<PropertyKey, (args: unknown) => Promise<unknown>>>;

/** Prisma's client on a connection's transaction. It joins when a model is first used; `leave` before the commit. */
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
    // `await` reads `then` of the value it resolves with.
    tx: new Proxy({}, { get: (_, name) => (name === "then" ? undefined : model(name)) }) as Db,
    leave: async () => {
      leave();
      await left;
    },
  };
}

/**
 * Runs `work` in the caller's transaction, or in a new one: all of it is written, or nothing. It costs less than half of a
 * transaction through Prisma's client, which joins only where a model is used (docs/decisions/0016-resources.md).
 * @param options.timeoutMs after this time the transaction is rolled back and its connection closed
 */
export async function transaction<T>(tx: Db, work: (tx: Db) => Promise<T>, { timeoutMs = 10_000 } = {}): Promise<T> {
  if (tx !== db) return work(tx);
  const outer = enclosing.get();
  if (outer) return savepoint(outer, work);
  return observed("transaction", "transaction", () => openTransaction(work, timeoutMs));
}

async function openTransaction<T>(work: (tx: Db) => Promise<T>, timeoutMs: number): Promise<T> {
  const client = await pool().connect();
  let released = false;
  const release = (error?: Error) => {
    if (!released) client.release(error);
    released = true;
  };
  const timeout = setTimeout(() => release(new Error("a transaction took too long")), timeoutMs);
  const prisma = joinPrisma(client, timeoutMs);
  connections.set(prisma.tx, client);
  try {
    await client.query(connection().pool.begin);
    const result = await work(prisma.tx);
    await prisma.leave();
    const { command } = await client.query("COMMIT");
    // After a failed statement, PostgreSQL answers COMMIT with ROLLBACK and no error.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back because a statement in it had failed.");
    return result;
  } catch (error) {
    await prisma.leave();
    await client.query("ROLLBACK").catch(release); // a connection that cannot roll back is closed
    throw error;
  } finally {
    connections.delete(prisma.tx);
    clearTimeout(timeout);
    release();
  }
}

/**
 * Runs `work` in one transaction, which every statement and transaction of the services it calls joins. Other processes see
 * nothing before the commit. `work` must not open two transactions concurrently.
 */
export function inOneTransaction<T>(work: () => Promise<T>): Promise<T> {
  return transaction(db, (tx) => enclosing.run(tx, work), { timeoutMs: 60_000 });
}

async function savepoint<T>(tx: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = connectionOf(tx);
  await client.query("SAVEPOINT nested");
  try {
    const result = await work(tx);
    await client.query("RELEASE SAVEPOINT nested");
    return result;
  } catch (error) {
    await client.query("ROLLBACK TO SAVEPOINT nested");
    await client.query("RELEASE SAVEPOINT nested");
    throw error;
  }
}

/**
 * Runs `work` on at most one process at a time, without a transaction.
 * @param lock two numbers; no other lock may use the first
 * @returns null when another process holds the lock
 */
export async function whileLocked<T>(lock: [space: number, id: number], work: () => Promise<T>) {
  const session = await openSession();
  try {
    const { rows } = await session.client.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS free", lock);
    if (!rows[0]?.free) return null;
    try {
      return { result: await work() };
    } finally {
      await session.client.query("SELECT pg_advisory_unlock($1, $2)", lock);
    }
  } finally {
    session.release();
  }
}

export const isUniqueViolation = (error: unknown): boolean => isViolation(error, "23505", "P2002");

export const isForeignKeyViolation = (error: unknown): boolean => isViolation(error, "23503", "P2003");

/** Checks the driver's SQLSTATE, Prisma's code, and Prisma's wrapper for raw SQL. */
function isViolation(error: unknown, sqlState: string, prismaCode: string): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  if (code === sqlState || code === prismaCode) return true;
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    code === "P2010" &&
    JSON.stringify(error.meta ?? {}).includes(sqlState)
  );
}

export { Prisma };
