import { parseArgs } from "node:util";
import { removeSecondFactors } from "@/lib/auth/two-factor";
import { db } from "@/lib/core/db";
import { createPasswordReset } from "@/lib/resources/registrations/service";
import { required, runCommand } from "@/server/command";

const usage = `Usage:
  npm run -s reset-password -- --email ada@example.com [--without-two-factor]

Prints a link with which the person sets a new password, once, within an hour. --without-two-factor also turns two-factor
sign-in off and removes the passkeys, for a person who has lost them and the recovery codes.

An account whose e-mail address was never confirmed also loses its second factor, recovery codes, pending invitations and
API keys with that, because the person who registered the address may not own it. If you know that it is theirs, run
verify-email first.

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

await runCommand(usage, async () => {
  const options = { email: { type: "string" }, "without-two-factor": { type: "boolean" } } as const;
  const { values } = parseArgs({ options });
  const email = required("email", values.email?.trim().toLowerCase());
  return async () => {
    const user = await db.user.findUnique({ where: { email }, select: { id: true, email_verified_at: true } });
    if (!user) throw new Error(`No user has the e-mail ${email}.`);
    if (values["without-two-factor"]) {
      await removeSecondFactors(db, user.id);
      console.error("Two-factor sign-in is off, and the passkeys are removed.");
    }
    if (!user.email_verified_at)
      console.error(
        "The address was never confirmed: a new password also ends the account's second factor, invitations and API keys. " +
          "If you know that the account is theirs, run verify-email first.",
      );
    console.log((await createPasswordReset(db, user.id)).url);
  };
});
