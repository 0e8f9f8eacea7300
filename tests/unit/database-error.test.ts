import { expect, it } from "vitest";
import { databaseErrorText, isDatabaseAway, unreachable } from "@/lib/core/database-error";
import { ApiError } from "@/lib/core/errors";

const errorOf = (message: string, code?: string, more = {}) =>
  Object.assign(new Error(message), code === undefined ? {} : { code }, more);

/** As the adapter makes it of the driver's error. */
const ofPrisma = (cause: object) =>
  errorOf("\nInvalid `prisma.user.findMany()` invocation:\n\nDatabase error.", "P2039", {
    meta: { driverAdapterError: { name: "DriverAdapterError", cause } },
  });

it.each([
  errorOf("connect ECONNREFUSED 127.0.0.1:5432", "ECONNREFUSED", { syscall: "connect" }),
  Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" }), // of the two addresses of localhost
  errorOf("connect ENOENT /tmp/x/.s.PGSQL.5432", "ENOENT", { syscall: "connect" }),
  errorOf("getaddrinfo ENOTFOUND database", "ENOTFOUND"),
  errorOf("read ECONNRESET", "ECONNRESET"),
  errorOf("write EPIPE", "EPIPE"),
  errorOf("getaddrinfo EAI_AGAIN database", "EAI_AGAIN"),
  errorOf("Server has closed the connection.", "P1017"),
  errorOf("timeout expired"),
  errorOf("timeout exceeded when trying to connect"),
  errorOf("Connection terminated unexpectedly"),
  errorOf("Client has encountered a connection error and is not queryable"),
  errorOf("Server has closed the connection."),
  ofPrisma({ kind: "DatabaseNotReachable", host: "127.0.0.1", port: 5432 }),
  ofPrisma({ kind: "ConnectionClosed" }),
])("says that PostgreSQL cannot be reached: %s", (error) => {
  expect(databaseErrorText(error)).toBe(unreachable);
  expect(isDatabaseAway(error)).toBe(true);
});

/** Of raw SQL, as Prisma makes it. */
const ofRawSql = (cause: object) => Object.assign(ofPrisma(cause), { code: "P2010" });

const deadlock = { kind: "TransactionWriteConflict", originalCode: "40P01", originalMessage: "deadlock detected" };

it.each([
  [errorOf("sorry, too many clients already", "53300"), /^PostgreSQL has too many connections\. /],
  [ofPrisma({ kind: "TooManyConnections", originalCode: "53300", cause: "sorry" }), /^PostgreSQL has too many/],
  [errorOf('could not extend file "base/1": No space left on device', "53100"), /^The database's disk is full: could/],
  [errorOf("canceling statement due to statement timeout", "57014"), /now \(canceling statement due to statement/],
  [errorOf("the database system is starting up", "57P03"), /^PostgreSQL could not do this now \(the database system/],
  [
    ofPrisma({ kind: "postgres", code: "57P03", message: "the database system is starting up" }),
    /\(the database system/,
  ],
  [errorOf("terminating connection due to administrator command", "57P01"), /\(terminating connection/],
  [errorOf("terminating connection because of crash of another server process", "57P02"), /\(terminating connection/],
  [errorOf("terminating connection due to idle-in-transaction timeout", "25P03"), /\(terminating connection/],
  [
    ofPrisma({ kind: "postgres", code: "25P04", message: "terminating connection due to transaction timeout" }),
    /\(term/,
  ],
  [errorOf("canceling statement due to lock timeout", "55P03"), /\(canceling statement due to lock timeout\)/],
  [errorOf("could not serialize access due to concurrent update", "40001"), /\(could not serialize access/],
  [errorOf("connection failure", "08006"), /\(connection failure\)/],
  [errorOf('prepared statement "a" does not exist', "26000"), /\(prepared statement/],
  [errorOf("Query read timeout"), /\(Query read timeout\)/],
  [errorOf("Transaction API error: Unable to start a transaction in the given time.", "P2028"), /\(Transaction API/],
  [errorOf("Transaction failed due to a write conflict or a deadlock.", "P2034"), /\(Transaction failed/],
  [errorOf("No standby has confirmed the commit.", "08007"), /No standby has confirmed/],
  [ofRawSql(deadlock), /\(deadlock detected\)/],
  [ofPrisma(deadlock), /^PostgreSQL could not do this now \(deadlock detected\)\. Run the command again\.$/],
  [
    errorOf("cannot execute INSERT in a read-only transaction", "25006"),
    /^PostgreSQL takes no writes now: it is a standby/,
  ],
  [errorOf("Connection terminated"), /^A transaction took too long\. Run the command again\.$/],
  [errorOf("Client was closed and is not queryable"), /^A transaction took too long\./],
])("says what happened: %s", (error, text) => {
  expect(databaseErrorText(error)).toMatch(text);
  expect(isDatabaseAway(error)).toBe(true);
});

it.each([
  errorOf("Stripe gave no usable answer (StripeConnectionError, ECONNREFUSED)."),
  errorOf("fetch failed", undefined, { cause: errorOf("connect ECONNREFUSED 127.0.0.1:9", "ECONNREFUSED") }),
  errorOf("ENOENT: no such file or directory, open '/backups/a.tar'", "ENOENT", { path: "/backups/a.tar" }),
  errorOf("duplicate key value violates unique constraint", "23505"),
  errorOf('password authentication failed for user "paydesk"', "28P01"),
  new ApiError("conflict"),
  errorOf("boom"),
  "text",
  null,
])("leaves other errors their own message: %s", (error) => {
  expect(databaseErrorText(error)).toBeNull();
  expect(isDatabaseAway(error)).toBe(false);
});
