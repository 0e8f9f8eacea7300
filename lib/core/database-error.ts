/** What a command says when it could not connect to PostgreSQL, or was cut off. */
export const unreachable = "PostgreSQL cannot be reached. Is it running, and is DATABASE_URL right?";

/**
 * The texts, by what an error begins with: its SQLSTATE, a code of the network or of Prisma, or the driver's text if it has no code. Errors
 * of other hosts begin otherwise: they wrap the network's error, or name its code within a sentence, as Stripe's do.
 */
const texts: [begins: RegExp, text: (said: string) => string][] = [
  [
    /^(53300|TooManyConnections|P2037)/,
    () => "PostgreSQL has too many connections. Stop other processes, or raise max_connections.",
  ],
  [/^53100/, (said) => `The database's disk is full: ${said}`],
  [
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|ENOENT .*\.s\.PGSQL\.)/,
    () => unreachable,
  ],
  [/^(P10(01|02|08|17)|DatabaseNotReachable|ConnectionClosed|SocketTimeout)/, () => unreachable],
  [
    /^(timeout expi|timeout exceeded|Connection terminated (un|due)|Client has encountered|Server has closed)/,
    () => unreachable,
  ],
  // `transaction` (lib/core/db.ts) has closed the connection.
  [/^(Connection terminated$|Client was closed)/, () => "A transaction took too long. Run the command again."],
  [
    /^25006/,
    () =>
      "PostgreSQL takes no writes now: it is a standby, or read-only. If the address always leads to the primary, run the command again.",
  ],
  // 25P03, 25P04: a transaction was idle, or took, for too long. 26000: the statement before it should have prepared it, and failed.
  [
    /^((08|53|57)...|25P0[34]|55P03|40P01|40001|26000|P20(24|28|34)|Query read timeout)\b/,
    (said) => `PostgreSQL could not do this now (${said}). Run the command again.`,
  ],
];

/** The fields of a driver's error, and of the copy of it that Prisma's error has. */
interface Source {
  code?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  message?: unknown;
  originalMessage?: unknown;
}

/** The driver's error that Prisma's error wraps, else the error itself. */
function sourceOf(error: object): Source {
  const { meta } = error as { meta?: { driverAdapterError?: object } };
  const driver = (meta?.driverAdapterError ?? error) as { name?: unknown; cause?: Source };
  return driver.name === "DriverAdapterError" && driver.cause ? driver.cause : (error as Source);
}

/**
 * What a command says of a temporary error of PostgreSQL, or of the connection to it: what happened, and what to do.
 * @returns null for any other error, whose own message says it
 */
export function databaseErrorText(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const { kind, code = kind ?? "", originalCode = code, message = kind, originalMessage = message } = sourceOf(error);
  const said = String(originalMessage).trim().split("\n").at(-1) ?? ""; // Prisma's own begins with the call
  const beginning = `${originalCode} ${said}`.trim();
  return texts.find(([begins]) => begins.test(beginning))?.[1](said) ?? null;
}

/** Whether the database is away or busy, so that the same work can succeed later. */
export const isDatabaseAway = (error: unknown): boolean => databaseErrorText(error) !== null;
