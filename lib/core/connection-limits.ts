import { maxWaitMs } from "./bounded-pool";

export const statementTimeoutMs = 10_000;

/** The limits of a connection in milliseconds, by PostgreSQL's names. */
export const connectionLimits = {
  statement_timeout: statementTimeoutMs,
  // Releases the locks of a transaction whose connection the network has lost.
  idle_in_transaction_session_timeout: statementTimeoutMs,
  lock_timeout: maxWaitMs,
} as const;
