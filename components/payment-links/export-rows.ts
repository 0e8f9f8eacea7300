import Papa from "papaparse";
import { saveFile } from "@/components/ui/save-file";
import { cellOf } from "@/lib/core/csv-text";
import { customerNameColumn } from "@/lib/resources/customers/csv-contract";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { csvColumns } from "@/lib/resources/payment-links/csv-contract";

/** Saves links as a file like that of `GET /payment-links/export`. Excel knows UTF-8 by its first character. */
export async function exportRows(
  links: readonly PaymentLink[],
  nameOf: (email: string) => Promise<string | null>,
  today: string,
): Promise<void> {
  const rows = await Promise.all(
    links.map(async (link) => ({ ...link, [customerNameColumn]: await nameOf(link.email) })),
  );
  const cells = rows.map((row) => csvColumns.map((name) => cellOf(row[name])));
  const text = Papa.unparse([[...csvColumns], ...cells], { newline: "\r\n" });
  saveFile(new Blob([`\ufeff${text}\r\n`], { type: "text/csv;charset=utf-8" }), `payment-links-${today}.csv`);
}
