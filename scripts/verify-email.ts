import { parseArgs } from "node:util";
import { auditPerson } from "@/lib/auth/audit";
import { db, transaction } from "@/lib/core/db";
import { required, runCommand } from "@/server/command";

const usage = `Usage:
  npm run -s verify-email -- --email ada@example.com

Confirms the e-mail address of an account without a mail, for a person whom you know.

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

await runCommand(usage, async () => {
  const { values } = parseArgs({ options: { email: { type: "string" } } });
  const email = required("email", values.email?.trim().toLowerCase());
  return () =>
    transaction(db, async (tx) => {
      const user = await tx.user.findUnique({ where: { email }, select: { id: true, email_verified_at: true } });
      if (!user) throw new Error(`No user has the e-mail ${email}.`);
      if (user.email_verified_at) return console.log(`${email} is confirmed already.`);
      await tx.user.update({ where: { id: user.id }, data: { email_verified_at: new Date() } });
      await auditPerson(tx, user.id, { action: "account.email_verified", about: email });
      console.log(`${email} is confirmed.`);
    });
});
