import { parseArgs } from "node:util";
import { recordCheck } from "@/lib/ledger/books-check";
import { reportBooks } from "@/server/books-report";
import { runCommand, UsageError } from "@/server/command";

const usage = `Usage: npm run -s books [-- --json] [-- --ask-gateways DAYS]

Adds up payments, refunds, disputes, fees and payouts for each business, mode and currency, and checks that the books balance.
"balance" is the money at the gateways, "unmatched" what they took although staff had recorded the payment as failed, "by hand" the
money of manual payments. With --ask-gateways it also compares every
payment of the last DAYS days with its gateway, and what the journal has at each gateway account with the gateway's own
balance, and lists the gateway's charges that the ledger lacks. Exits with 1 if anything differs, or if a
gateway could not be asked. "not checked" names the calls that failed. Those to replaced accounts, and for a balance that
a key may not read, do not count. The metrics keep the differences of a run with more DAYS until a run with as many finds
them gone.`;

await runCommand(usage, async () => {
  const options = { json: { type: "boolean" }, "ask-gateways": { type: "string", default: "0" } } as const;
  const { json, "ask-gateways": days } = parseArgs({ options }).values;
  if (!/^\d{1,5}$/.test(days)) throw new UsageError("--ask-gateways must be a number of days.");
  return async () => {
    const { imbalances, compared, isBalanced } = await reportBooks(Number(days), json ?? false);
    const neededDays = await recordCheck(imbalances, compared).catch(({ message }: Error) => {
      console.error(`The metrics do not show this check: ${message}`);
      return 0;
    });
    if (compared && neededDays > compared.days)
      console.error(`The metrics keep differences of an earlier run: check them with --ask-gateways ${neededDays}.`);
    if (!isBalanced) process.exitCode = 1;
  };
});
