import Papa from "papaparse";
import { saveFile } from "@/components/ui/save-file";
import { disarmed } from "@/lib/core/csv-text";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { csvColumns } from "@/lib/resources/payment-links/csv-contract";

/** Saves links as a file like that of `GET /payment-links/export`. Excel knows UTF-8 by its first character. */
export function exportRows(links: readonly PaymentLink[]): void {
  const cells = links.map((link) =>
    csvColumns.map((name) => (typeof link[name] === "string" ? disarmed(link[name]) : link[name])),
  );
  const text = Papa.unparse([[...csvColumns], ...cells], { newline: "\r\n" });
  const name = `payment-links-${new Date().toISOString().slice(0, 10)}.csv`;
  saveFile(new Blob([`\ufeff${text}\r\n`], { type: "text/csv;charset=utf-8" }), name);
}
