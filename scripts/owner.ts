import { parseArgs } from "node:util";
import { z } from "zod";
import { db } from "@/lib/core/db";
import { currency, email, text } from "@/lib/http/fields";
import { createOwner } from "@/lib/resources/registrations/owner";
import { timezone } from "@/lib/resources/settings/contract";
import { required, runCommand, UsageError } from "@/server/command";

const usage = `Usage:
  npm run -s owner -- --email ada@example.com --name "Ada Lovelace" --business "Blue Bottle Books" [--currency EUR] [--timezone UTC]

Creates a business with its owner, also while registration is closed, and prints a link with which the owner sets a password, once,
within an hour. After that, reset-password prints another one. Give the link to the owner only.

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

const options = {
  email: { type: "string" },
  name: { type: "string" },
  business: { type: "string" },
  currency: { type: "string", default: "EUR" },
  timezone: { type: "string", default: "UTC" },
} as const;

const input = z.object({ email, name: text(100), business: text(100), currency, timezone });

await runCommand(usage, async () => {
  const { values } = parseArgs({ options });
  for (const name of ["email", "name", "business"] as const) required(name, values[name]);
  const { success, data, error } = input.safeParse(values);
  if (!success)
    throw new UsageError(error.issues.map(({ path, message }) => `--${path.join()}: ${message}`).join("\n"));
  return async () => {
    const { businessId, email: address, url } = await createOwner(db, data);
    console.error(`Created business ${businessId}, ${data.business}. ${address} sets a password here:`);
    console.log(url);
  };
});
