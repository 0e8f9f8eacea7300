import { parseArgs } from "node:util";
import { runCommand } from "@/server/command";
import { resealAll } from "@/server/reseal";

const usage = `Usage:
  npm run -s reseal

Encrypts with APP_SECRET every stored secret that APP_SECRET_PREVIOUS encrypted. Exits with 1, and names the rows, if neither
decrypts a secret.

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

await runCommand(usage, async () => {
  parseArgs({ options: {} });
  return async () => {
    const done = await resealAll();
    for (const { what, count } of done) console.log(`${count} ${what} encrypted anew`);
    const lost = done.flatMap(({ what, lost }) => lost.map((id) => `  ${id} (${what})`));
    if (lost.length > 0)
      throw new Error(`Neither APP_SECRET nor APP_SECRET_PREVIOUS decrypts these values:\n${lost.join("\n")}`);
    console.log(
      "APP_SECRET_PREVIOUS is now needed only for sessions, Idempotency-Keys and confirmation links of the last day, and for the\n" +
        "unsubscribe links in all mails that staff have got so far.",
    );
  };
});
