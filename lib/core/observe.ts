/**
 * Work that metrics count and traces show. Statements and transactions are PostgreSQL's. A job is one of the queue; a poll is a run
 * of the worker's regular work, which mostly finds nothing to do.
 */
type Kind = "statement" | "transaction" | "gateway_call" | "job" | "poll" | "webhook" | "mail";

export interface Operation {
  kind: Kind;
  /** From our own code, never from input: it becomes a label and a span's name. */
  name: string;
}

/**
 * Runs work, and notes its time and its outcome. Must not change either.
 * @param outcomeOf names the outcome of work that did not throw, in few words
 */
export type Observer = <T>(
  operation: Operation,
  work: () => Promise<T>,
  outcomeOf: ((result: T) => string) | undefined,
) => Promise<T>;

let observers: { observer: Observer; statements: boolean }[] = [];

/** Whether an observer wants statements: they are the only work that is frequent enough to ask first. */
let wantsStatements = false;

export const observesStatements = (): boolean => wantsStatements;

/**
 * Adds an observer for the whole process.
 * @param options.statements whether it is also called for each SQL statement
 * @returns removes it
 */
export function addObserver(observer: Observer, { statements = false } = {}): () => void {
  const added = { observer, statements };
  const set = (next: typeof observers) => {
    observers = next;
    wantsStatements = next.some(({ statements }) => statements);
  };
  set([...observers, added]);
  return () => set(observers.filter((one) => one !== added));
}

/** Runs work under the process's observers; without any, it only runs it. */
export function observed<T>(
  kind: Kind,
  name: string,
  work: () => Promise<T>,
  outcomeOf?: (result: T) => string,
): Promise<T> {
  if (observers.length === 0) return work();
  const operation = { kind, name };
  return observers
    .filter(({ statements }) => statements || kind !== "statement")
    .reduceRight(
      (inner, { observer }) =>
        () =>
          observer(operation, inner, outcomeOf),
      work,
    )();
}

/** The verb of a statement and its first table, such as "UPDATE payment_link": never a value. */
export function summaryOf(sql: string): string {
  const known = summaries.get(sql);
  if (known !== undefined) return known;
  const verb = /\b(SELECT|INSERT|UPDATE|DELETE|SET|LOCK)\b/i.exec(sql)?.[1]?.toUpperCase() ?? "SQL";
  const table = /\b(?:FROM|INTO|UPDATE)\s+(?:ONLY\s+)?((?:"?\w+"?\.)*"?[a-z_]\w*"?)/i.exec(sql)?.[1];
  const summary = table ? `${verb} ${table.replaceAll('"', "").replace(/^public\./, "")}` : verb;
  if (summaries.size < maxSummaries) summaries.set(sql, summary);
  return summary;
}

const summaries = new Map<string, string>();
const maxSummaries = 1_000;
