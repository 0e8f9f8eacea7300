import { parseArgs } from "node:util";
import { businessId, runCommand, UsageError } from "@/server/command";
import { seedBusiness } from "@/server/seed/seed";

const usage = `Usage:
  npm run -s seed -- --business 1

Fills the test mode of a business with demo data: payment links in every state, payments, subscriptions with months of
history, saved cards, e-mails and webhooks. The test mode must have no data yet.`;

await runCommand(usage, async () => {
  const options = { business: { type: "string" }, mode: { type: "string", default: "test" } } as const;
  const { business, mode } = parseArgs({ options }).values;
  if (mode !== "test") throw new UsageError("Demo data goes into test mode only, never into live mode.");
  const id = businessId(business);
  return async () => {
    await seedBusiness(id);
    console.log(`Business ${id} now has demo data in test mode.`);
  };
});
