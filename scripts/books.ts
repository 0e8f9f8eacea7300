import { parseArgs } from "node:util";
import { formatMoney } from "@/lib/core/money";
import { compareBalances } from "@/lib/ledger/balance-check";
import { checkBooks, compareWithGateways, type Sums } from "@/lib/ledger/books";
import { runCommand, UsageError } from "@/server/command";

const usage = `Usage: npm run -s books [-- --json] [-- --ask-gateways DAYS]

Adds up payments, refunds, disputes, fees and payouts for each business, mode and currency, and checks that the books balance.
"balance" is the money at the gateways, "unmatched" what they took although staff had recorded the payment as failed, "by hand" the
money of manual payments. With --ask-gateways it also compares every
payment of the last DAYS days with its gateway, and what the journal has at each gateway account with the gateway's own
balance, and lists the gateway's charges that the ledger lacks. Exits with 1 if anything differs.`;

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

async function report(days: number, json: boolean): Promise<void> {
  const { sums, imbalances } = await checkBooks();
  const differences = days > 0 ? [...(await compareWithGateways(days)), ...(await compareBalances())] : [];
  if (json) console.log(JSON.stringify({ sums, imbalances, differences }));
  else if (sums.length === 0) console.log("The books are empty.");
  else print(sums);
  for (const line of [...imbalances, ...differences]) console.error(line);
  const wrong = imbalances.length + differences.length;
  if (wrong > 0) process.exitCode = 1;
  else if (!json) console.log(days > 0 ? "Balanced, here and at the gateways." : "Balanced.");
  if (wrong > 0 && !json) console.error(`NOT BALANCED: ${wrong} mistakes.`);
}

await runCommand(usage, async () => {
  const options = { json: { type: "boolean" }, "ask-gateways": { type: "string", default: "0" } } as const;
  const { json, "ask-gateways": days } = parseArgs({ options }).values;
  if (!/^\d{1,5}$/.test(days)) throw new UsageError("--ask-gateways must be a number of days.");
  return () => report(Number(days), json ?? false);
});
