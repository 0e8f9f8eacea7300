import { parseArgs } from "node:util";
import { db } from "@/lib/core/db";
import { renewLinks } from "@/lib/resources/team/invitations";
import { required, runCommand } from "@/server/command";

const usage = `Usage:
  npm run -s invitation-link -- --email grace@example.com

Prints the link of each pending invitation of an address, for an installation without a mail server, or if the mail does not
arrive. Give it to the invited person only: anyone who opens it joins the team in their name. It works once, for seven
days; an earlier link stops working.

Uses the database of DATABASE_URL, else of DATA_DIR (.data), whether Paydesk is running or not.`;

await runCommand(usage, async () => {
  const { values } = parseArgs({ options: { email: { type: "string" } } });
  const email = required("email", values.email?.trim().toLowerCase());
  return async () => {
    const links = await renewLinks(db, email);
    if (links.length === 0)
      throw new Error(`No invitation of ${email} is pending. Invite the person on the page Team.`);
    for (const { businessName, role, url } of links) {
      console.error(`${businessName}, ${role}:`);
      console.log(url);
    }
  };
});
