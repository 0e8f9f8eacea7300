import Papa from "papaparse";
import type { Actor } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { clock } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import type { Page } from "@/lib/http/handle";
import type { PaymentLink } from "./contract";
import { csvColumns, type ExportQuery } from "./csv-contract";
import { disarmed } from "./csv-text";
import { paymentLinks } from "./resource";

const pageRows = 1000;

const csvOptions: Papa.UnparseConfig = { newline: "\r\n", header: false };

export async function exportPaymentLinks(actor: Actor, query: ExportQuery): Promise<AsyncIterable<string>> {
  await auditExport(actor, query);
  return fileOf(actor, query);
}

/** Reads page by page, so that memory does not grow with the number of links. */
async function* fileOf(actor: Actor, { bom, ...query }: ExportQuery): AsyncGenerator<string> {
  yield `${bom ? "\ufeff" : ""}${csvColumns.join(",")}\r\n`;
  let cursor: string | null = null;
  do {
    const { rows, page }: Page<PaymentLink> = await pageFrom(actor, query, cursor);
    if (rows.length > 0) yield `${Papa.unparse(rows.map(cellsOf), csvOptions)}\r\n`;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

const cellsOf = (row: PaymentLink): unknown[] =>
  csvColumns.map((name) => (typeof row[name] === "string" ? disarmed(row[name]) : row[name]));

function auditExport({ businessId, livemode }: Actor, { bom: _, ...query }: ExportQuery): Promise<void> {
  const filters = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
  return audit(db, businessId, { action: "payment_links.exported", livemode, after: { filters } });
}

/** Sets the test clock for each page: a stream is read after the request's own clock has ended. */
function pageFrom(actor: Actor, query: Omit<ExportQuery, "bom">, cursor: string | null): Promise<Page<PaymentLink>> {
  const page = { ...query, per_page: pageRows, cursor, with_total: null };
  return clock.ahead(actor.clockAhead, () => paymentLinks.list(db, actor, page));
}
