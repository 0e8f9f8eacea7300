import { formatMoney } from "@/lib/core/money";
import { compareBalances } from "@/lib/ledger/balance-check";
import { checkBooks, compareWithGateways, type Sums } from "@/lib/ledger/books";

const columns: [name: string, of: (sums: Sums) => string][] = [
  ["business", ({ business_id }) => String(business_id)],
  ["mode", ({ livemode }) => (livemode ? "live" : "test")],
  ["currency", ({ currency }) => currency],
  ["payments", ({ payments }) => String(payments)],
  ["paid", ({ paid, currency }) => formatMoney(paid, currency)],
  ["refunded", ({ refunded, currency }) => formatMoney(refunded, currency)],
  ["disputed", ({ disputed, currency }) => formatMoney(disputed, currency)],
  ["fees", ({ fees, currency }) => formatMoney(fees, currency)],
  ["paid out", ({ paid_out, currency }) => formatMoney(paid_out, currency)],
  ["balance", ({ balance, currency }) => formatMoney(balance, currency)],
  ["unmatched", ({ unmatched, currency }) => formatMoney(unmatched, currency)],
  ["by hand", ({ manual, currency }) => formatMoney(manual, currency)],
  ["open", ({ open }) => String(open)],
  ["fees unknown", ({ unknown_fees }) => String(unknown_fees)],
];

function print(sums: Sums[]): void {
  const rows = [columns.map(([name]) => name), ...sums.map((row) => columns.map(([, of]) => of(row)))];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  "));
}

/**
 * Prints the books, and everything that does not balance.
 * @param days how many days to compare with the gateways; 0: none
 * @returns the number of mistakes and differences
 */
export async function reportBooks(days: number, json: boolean): Promise<number> {
  const { sums, imbalances } = await checkBooks();
  // Before the gateways are asked: that takes long, and can fail.
  if (!json && sums.length === 0) console.log("The books are empty.");
  else if (!json) print(sums);
  for (const line of imbalances) console.error(line);
  const differences = days > 0 ? [...(await compareWithGateways(days)), ...(await compareBalances())] : [];
  if (json) console.log(JSON.stringify({ sums, imbalances, differences }));
  for (const line of differences) console.error(line);
  const wrong = imbalances.length + differences.length;
  if (wrong === 0 && !json) console.log(days > 0 ? "Balanced, here and at the gateways." : "Balanced.");
  if (wrong > 0 && !json) console.error(`NOT BALANCED: ${wrong} mistakes.`);
  return wrong;
}
