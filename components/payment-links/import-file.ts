import Papa from "papaparse";
import { fromCents } from "@/components/ui/amount";
import { disarmed, rearmed } from "@/lib/core/csv-text";
import { toPercent } from "@/lib/core/tax";
import { toCents } from "@/lib/core/typed-amount";
import { importColumns, maxRows } from "@/lib/resources/payment-links/csv-contract";
import type { TextsOf } from "@/messages/texts-of";

interface FileRow {
  /** As a spreadsheet numbers it: the first row below the headings is 2. */
  row: number;
  cells: Record<string, string>;
}

interface Content {
  columns: string[];
  rows: FileRow[];
  /** The first row with too many cells, or with quotes that do not match. */
  broken: { problem: "moreCells" | "quotes"; row: number } | null;
}

export interface ParsedFile extends Content {
  /** Hash of the content: the API uses it to skip rows that were imported before. */
  id: string;
  name: string;
  uncertain: string[];
}

/** First bytes of Excel and OpenDocument files, as text: zip, and the older Excel format. */
const workbooks = ["pk\u0003\u0004", "ðï\u0011à"];

export const required: readonly string[] = ["email", "currency", "title"];

/** All but the required columns and the two of the amount, one of which is required. */
export const optional = importColumns.filter((name) => !required.includes(name) && !name.startsWith("amount"));

export function problemOf(t: TextsOf<"paymentLinks.import">, file: Content): string | null {
  if (workbooks.some((begin) => file.columns[0]?.startsWith(begin))) return t("workbook");
  const missing = required.filter((name) => !file.columns.includes(name));
  if (!file.columns.includes("amount") && !file.columns.includes("amount_cents")) missing.push("amount");
  if (missing.length > 0) return t("missingColumns", { missing: missing.join(", "), known: importColumns.join(", ") });
  if (file.broken) return t(file.broken.problem, { row: String(file.broken.row) });
  if (file.rows.length === 0) return t("noRows");
  return null;
}

/** Blank lines are skipped but counted, so that row numbers match the spreadsheet's. */
export function parseText(text: string): Content {
  const delimiter = separatorOf(text);
  const { data, errors } = Papa.parse<string[]>(withLineFeeds(text.replace(/^\ufeff/, ""), delimiter), {
    delimiter,
    newline: "\n",
  });
  const [titles = [], ...lines] = data;
  const names = titles.map((title) => title.trim().toLowerCase());
  const rows = lines.flatMap((line, index) =>
    line.every(isBlank)
      ? []
      : [{ row: index + 2, cells: Object.fromEntries(names.map((name, i) => [name, cleaned(name, line[i] ?? "")])) }],
  );
  // A quote also moves the cells behind it, so it is named before them.
  const quotes = errors.find(({ type }) => type === "Quotes")?.row;
  const width = names.findLastIndex((name) => name !== "") + 1;
  // Blank cells count, too: after "10,50," the last one may be blank only because the others have moved.
  const long = lines.findIndex(
    (line) => !line.every(isBlank) && (line.length > titles.length || !line.slice(width).every(isBlank)),
  );
  const broken: Content["broken"] =
    quotes !== undefined
      ? { problem: "quotes", row: quotes + 1 }
      : long >= 0
        ? { problem: "moreCells", row: long + 2 }
        : null;
  return { columns: names, rows, broken };
}

const isBlank = (cell: string): boolean => cell.trim() === "";

/** The most frequent separator of the headings: rows may also have decimal commas. */
function separatorOf(text: string): string {
  const [heading = ""] = /^.*/.exec(text) ?? [];
  const count = (separator: string) => heading.split(separator).length;
  return [";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best), ",");
}

/** Ends every line with \n, except within quoted cells: Papa expects the same line end in the whole file. */
const withLineFeeds = (text: string, separator: string): string =>
  text.replace(new RegExp(`(?<![^${separator}\r\n])"[^"]*(?:""[^"]*)*"|\r\n?`, "g"), (part) =>
    part.startsWith('"') ? part : "\n",
  );

/** Keeps surrounding spaces in free text and removes them from all other values. */
const cleaned = (name: string, cell: string): string => (freeText.has(name) ? rearmed(cell) : rearmed(cell).trim());
const values = [
  "email",
  "currency",
  "amount",
  "amount_cents",
  "phone_no",
  "redirect_url",
  "expires_at",
  "tax_percent",
  "language",
];
const freeText: ReadonlySet<string> = new Set(importColumns.filter((name) => !values.includes(name)));

export async function parseFile(file: File): Promise<ParsedFile> {
  const { text, certain } = decode(await file.arrayBuffer());
  const parsed = parseText(text);
  return { id: await hashOf(text), name: file.name, ...parsed, uncertain: certain ? [] : uncertainIn(parsed.rows) };
}

/** UTF-8, or UTF-16 with a byte order mark. Otherwise Windows-1252, as Excel saves in Western Europe: a guess. */
export function decode(bytes: ArrayBuffer): { text: string; certain: boolean } {
  const [first, second] = new Uint8Array(bytes);
  const marked =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return { text: new TextDecoder(marked, { fatal: true }).decode(bytes), certain: true };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), certain: false };
  }
}

function uncertainIn(rows: FileRow[]): string[] {
  const found = new Set<string>();
  for (const { cells } of rows)
    for (const name of importColumns) {
      const cell = cells[name] ?? "";
      if (/[^\p{ASCII}]/u.test(cell)) found.add(cell.length > 60 ? `${cell.slice(0, 60)} …` : cell);
      if (found.size === 3) return [...found];
    }
  return [...found];
}

/** Browsers have SHA-256 only on https and localhost. On plain http a weaker checksum takes its place. */
async function hashOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  if (!crypto.subtle) return `plain-${bytes.length}-${bytes.reduce((sum, byte) => (sum * 31 + byte) % 2 ** 47, 7)}`;
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Just over the longest limit of a text, which the API then names. A longer one could exceed the limit of the body. */
const shortened = (cell: string): string => cell.replace(/^(.{5000}).+$/su, "$1…");

type ImportBodyRow = Record<string, unknown> & { row: number };

/** Refuses "1.234": a person sees how it was read while typing, but a program may have written thousandths. */
const centsOf = (amount: string, currency?: string): string | null =>
  /^[^0-9]*[0-9]{1,3}[.,][0-9]{3}[^0-9]*$/.test(amount) ? null : toCents(amount, currency);

/**
 * The API's body of a row: the amount in cents. If both amount columns are filled, as in an export, it sends
 * both, and the API refuses a row in which they differ.
 */
export function toRow({ row, cells }: FileRow, sendEmail: boolean): ImportBodyRow {
  const fields = Object.fromEntries(
    importColumns
      .filter((name) => !name.startsWith("amount"))
      // Metadata has no limit as a whole, and would no longer be JSON.
      .map((name) => [name, name === "metadata" ? cells[name] : shortened(cells[name] ?? "")] as const)
      .filter(([, cell]) => cell),
  );
  const { amount, amount_cents, tax_percent } = cells;
  const amounts = amount
    ? { amount: centsOf(amount, cells.currency) ?? amount, ...(amount_cents && { amount_cents }) }
    : { amount: amount_cents ?? "" };
  const tax = tax_percent && { tax_percent: toPercent(tax_percent) ?? tax_percent };
  return { row, ...fields, ...amounts, ...tax, send_email: sendEmail };
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Whether the API cannot read a batch. It then has one row. */
export const isTooLarge = (batch: ImportBodyRow[]): boolean => bytesOf(batch) > 60_000;

/** Each batch stays within the API's row limit and below its body limit of 64 kB, except for a row that is too large alone. */
export function batches(rows: ImportBodyRow[]): ImportBodyRow[][] {
  const all: ImportBodyRow[][] = [];
  let current: ImportBodyRow[] = [];
  let size = 0;
  for (const row of rows) {
    const bytes = bytesOf(row);
    if (current.length >= maxRows || (current.length > 0 && size + bytes > 50_000)) {
      all.push(current);
      current = [];
      size = 0;
    }
    current.push(row);
    size += bytes;
  }
  if (current.length > 0) all.push(current);
  return all;
}

export const rowWords = ({ cells }: FileRow): string =>
  [
    cells.title,
    cells.email,
    cells.amount || (/^\d+$/.test(cells.amount_cents ?? "") ? fromCents(Number(cells.amount_cents)) : ""),
    cells.currency,
  ]
    .filter(Boolean)
    .join(", ");

export const rowsAsCsv = (file: Pick<ParsedFile, "columns">, rows: FileRow[]): string =>
  `${Papa.unparse(
    [
      file.columns.map((name) => disarmed(name)),
      ...rows.map(({ cells }) => file.columns.map((name) => disarmed(cells[name] ?? ""))),
    ],
    {
      newline: "\r\n",
    },
  )}\r\n`;
