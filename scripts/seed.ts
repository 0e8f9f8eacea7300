import { parseArgs } from "node:util";
import { seedBusiness } from "@/server/seed/seed";
import { withDatabase } from "@/server/with-database";

const usage = `Usage:
  npm run -s seed -- --business 1

Fills the test mode of a business with demo data: payment links in every state, payments, subscriptions with months of
history, saved cards, e-mails and webhooks. The test mode must have no data yet.`;

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}

function readBusinessId(): number {
  try {
    const options = { business: { type: "string" }, mode: { type: "string", default: "test" } } as const;
    const { values } = parseArgs({ options });
    if (values.mode !== "test") fail("Demo data goes into test mode only, never into live mode.");
    if (!/^[1-9]\d{0,8}$/.test(values.business ?? "")) fail("--business must be a business's number.");
    return Number(values.business);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const businessId = readBusinessId();
try {
  await withDatabase(async () => {
    await seedBusiness(businessId);
    console.log(`Business ${businessId} now has demo data in test mode.`);
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
