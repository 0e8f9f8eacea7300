/** Lists as CSV files: every row that the filters find, not only a page. */
import Papa from "papaparse";
import type { Actor, Tenant } from "@/lib/auth/actor";
import { type AuditEntry, audit } from "@/lib/auth/audit";
import type { AuditAction } from "@/lib/auth/audit-actions";
import { clock } from "@/lib/core/clock";
import { cellAt, headingOf } from "@/lib/core/csv-text";
import { db } from "@/lib/core/db";
import type { Page } from "./handle";

const pageRows = 1000;

/** What the list needs for each page, beside the caller's filters. */
interface PageQuery {
  per_page: number;
  cursor: string | null;
  with_total: null;
}

interface Exported<Row, Query> {
  action: AuditAction;
  /** The row's fields, in the file's order (`cellAt`). */
  columns: readonly string[];
  list: (query: Query & PageQuery) => Promise<Page<Row>>;
}

/** The list as a file. Amounts are in currency units, instants in UTC. */
export function exportList<Row extends object, Query extends object>(
  actor: Actor,
  { bom, ...query }: Query & { bom: boolean | null },
  { action, columns, list }: Exported<Row, Omit<Query & { bom: boolean | null }, "bom">>,
): Promise<AsyncIterable<string>> {
  const filters = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
  // A stream is read after the request's own clock has ended.
  const pageFrom = (cursor: string | null) =>
    clock.ahead(actor.clockAhead, () => list({ ...query, per_page: pageRows, cursor, with_total: null }));
  return beginExport(actor, fileOf(columns, bom === true, pageFrom), { action, after: { filters } });
}

/**
 * Makes the file's first part and records the export in the audit log, both before the response's headers are sent. A file that cannot begin
 * is an error with its own status, and is not recorded.
 */
export async function beginExport(
  { businessId, livemode }: Tenant,
  parts: AsyncGenerator<string>,
  entry: Pick<AuditEntry, "action" | "after">,
): Promise<AsyncIterable<string>> {
  const first = await parts.next();
  await audit(db, businessId, { ...entry, livemode });
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* parts;
  })();
}

/**
 * Reads page by page, so that memory does not grow with the number of rows. The heading comes with the first page: a file whose
 * rows cannot be read must not begin.
 */
async function* fileOf<Row extends object>(
  columns: readonly string[],
  bom: boolean,
  pageFrom: (cursor: string | null) => Promise<Page<Row>>,
): AsyncGenerator<string> {
  let heading = `${bom ? "\ufeff" : ""}${headingOf(columns)}\r\n`;
  let cursor: string | null = null;
  do {
    const { rows, page }: Page<Row> = await pageFrom(cursor);
    const cells = rows.map((row) => columns.map((name) => cellAt(row, name)));
    const lines = cells.length > 0 ? `${Papa.unparse(cells, { newline: "\r\n", header: false })}\r\n` : "";
    if (heading || lines) yield heading + lines;
    heading = "";
    cursor = page.next_cursor;
  } while (cursor !== null);
}
