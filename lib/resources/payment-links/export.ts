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

const atOnce = 1000;

const look: Papa.UnparseConfig = { newline: "\r\n", header: false };

/** The links that the filters find as a CSV file, and a note of who asked for it. */
export async function exportPaymentLinks(actor: Actor, query: ExportQuery): Promise<AsyncIterable<string>> {
  await noteExport(actor, query);
  return fileOf(actor, query);
}

/**
 * The links that the filters find as the text of a CSV file, page by page: the memory it takes does not grow with the
 * number of links.
 */
async function* fileOf(actor: Actor, { bom, ...query }: ExportQuery): AsyncGenerator<string> {
  yield `${bom ? "\ufeff" : ""}${csvColumns.join(",")}\r\n`;
  let cursor: string | null = null;
  do {
    const { rows, page }: Page<PaymentLink> = await pageFrom(actor, query, cursor);
    if (rows.length > 0) yield `${Papa.unparse(rows.map(cellsOf), look)}\r\n`;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

const cellsOf = (row: PaymentLink): unknown[] =>
  csvColumns.map((name) => (typeof row[name] === "string" ? disarmed(row[name]) : row[name]));

/** That it was begun, and with which filters. */
function noteExport({ businessId, livemode }: Actor, { bom: _, ...query }: ExportQuery): Promise<void> {
  const filters = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
  return audit(db, businessId, { action: "payment_links.exported", livemode, after: { filters } });
}

/** Whoever reads on does so later, when the clock of the request is not set any more. */
function pageFrom(actor: Actor, query: Omit<ExportQuery, "bom">, cursor: string | null): Promise<Page<PaymentLink>> {
  const asked = { ...query, per_page: atOnce, cursor, with_total: null };
  return clock.ahead(actor.clockAhead, () => paymentLinks.list(db, actor, asked));
}
