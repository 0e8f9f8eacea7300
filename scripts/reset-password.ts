import { parseArgs } from "node:util";
import { disableTwoFactor } from "@/lib/auth/two-factor";
import { db } from "@/lib/core/db";
import { makeReset } from "@/lib/resources/registrations/service";
import { withDatabase } from "@/server/with-database";

const usage = `Usage:
  npm run -s reset-password -- --email ada@example.com [--without-two-factor]

Prints an address at which the person sets a new password, once, within an hour. With --without-two-factor, signing in
takes no code any more: for somebody who has lost both the app and the recovery codes.

The database is found through DATABASE_URL, else through DATA_DIR (.data), whether Paydesk is running or not.`;

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
    if (!user) throw new Error(`Nobody has the e-mail ${email}.`);
    if (values["without-two-factor"]) {
      await disableTwoFactor(db, user.id);
      console.error("Signing in takes no code any more.");
    }
    console.log((await makeReset(db, user.id)).url);
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
