import { parseArgs } from "node:util";
import { disableTwoFactor } from "@/lib/auth/two-factor";
import { db } from "@/lib/core/db";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { withDatabase } from "@/server/with-database";

const usage = `Usage:
  npm run -s reset-password -- --email ada@example.com [--without-two-factor]

Prints a link with which the person sets a new password, once, within an hour. --without-two-factor also turns two-factor
sign-in off, for a person who has lost both the app and the recovery codes.

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}

function read() {
  try {
    return parseArgs({ options: { email: { type: "string" }, "without-two-factor": { type: "boolean" } } }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const values = read();
const email = values.email?.trim().toLowerCase() || fail("--email is missing.");

try {
  await withDatabase(async () => {
    const user = await db.user.findUnique({ where: { email }, select: { id: true } });
    if (!user) throw new Error(`No user has the e-mail ${email}.`);
    if (values["without-two-factor"]) {
      await disableTwoFactor(db, user.id);
      console.error("Two-factor sign-in is off.");
    }
    console.log((await createPasswordReset(db, user.id)).url);
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
