import { formatMoney } from "@/lib/core/money";
import { compareBalances } from "@/lib/ledger/balance-check";
import { checkBooks, compareWithGateways, type Sums } from "@/lib/ledger/books";
import { Comparison } from "@/lib/ledger/comparison";

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

interface Report {
  imbalances: number;
  /** null: no gateway was asked. */
  compared: Comparison | null;
  /** Whether nothing differs, and the comparison is complete. */
  isBalanced: boolean;
}

/**
 * Prints the books, everything that does not balance, and what could not be compared with the gateways. The last counts only
 * if it was needed for the money of an account in use.
 * @param days how many days to compare with the gateways; 0: none
 */
export async function reportBooks(days: number, json: boolean): Promise<Report> {
  const { sums, imbalances } = await checkBooks();
  // Before the gateways are asked: that takes long, and can fail.
  if (!json && sums.length === 0) console.log("The books are empty.");
  else if (!json) print(sums);
  for (const line of imbalances) console.error(line);
  const compared = days > 0 ? await compareAll(days) : null;
  const { differences = [], unchecked = new Set<string>(), isComplete = true } = compared ?? {};
  if (json) console.log(JSON.stringify({ sums, imbalances, differences, unchecked: [...unchecked] }));
  for (const line of differences) console.error(line);
  for (const line of unchecked) console.error(`not checked: ${line}`);
  const wrong = imbalances.length + differences.length;
  if (!isComplete) console.error("NOT COMPARED: calls to accounts in use failed.");
  if (wrong > 0 && !json) console.error(`NOT BALANCED: ${wrong} mistakes.`);
  const isBalanced = wrong === 0 && isComplete;
  if (isBalanced && !json)
    console.log(
      days === 0 ? "Balanced." : `Balanced, here and at the gateways${unchecked.size > 0 ? " that answered" : ""}.`,
    );
  return { imbalances: imbalances.length, compared, isBalanced };
}

/** Keeps what was found before a failure. */
async function compareAll(days: number): Promise<Comparison> {
  const found = new Comparison(days);
  for (const compare of [() => compareWithGateways(days, found), () => compareBalances(found)])
    await compare().catch((error: unknown) => found.addFailure("the comparison", null, error));
  return found;
}
