import { parseArgs } from "node:util";
import { advanceClock } from "@/lib/billing/test-clock";
import { clock, withClockOf } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import { ValidationError } from "@/lib/core/errors";
import { advanceTestClock } from "@/lib/resources/test-clock/service";
import { withDatabase } from "@/server/with-database";

const usage = `Usage:
  npm run -s test-clock -- read    --business 1
  npm run -s test-clock -- advance --business 1 --to 2027-02-28T00:00:00Z

Reads or advances the clock of a business's test mode. Everything that falls due in between happens before the command ends.`;

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}

function read() {
  try {
    const options = { business: { type: "string" }, to: { type: "string" } } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [command] = positionals;
    if (command !== "read" && command !== "advance") return fail("Which command?");
    if (!/^[1-9]\d{0,9}$/.test(values.business ?? "")) return fail("--business must be a business's number.");
    const to = command === "advance" ? new Date(values.to ?? "") : null;
    if (to && Number.isNaN(to.getTime())) return fail("--to must be a date and time.");
    return { businessId: Number(values.business), to };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { businessId, to } = read();
const show = () => withClockOf(businessId, false, async () => console.log(clock.now().toISOString()));

try {
  await withDatabase(async () => {
    if (!(await db.business.findUnique({ where: { id: businessId } })))
      throw new Error(`There is no business ${businessId}.`);
    if (to) {
      const who = { type: "api_key", id: "command" } as const;
      const actor = { businessId, livemode: false, clockAhead: 0, scopes: [], who };
      await withClockOf(businessId, false, () => advanceTestClock(db, actor, { to }));
      await advanceClock(businessId);
      // A running server's worker may be advancing the clock: waits for it.
      while ((await db.business.findUniqueOrThrow({ where: { id: businessId } })).test_clock_target !== null)
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await show();
  });
} catch (error) {
  const messages = error instanceof ValidationError ? Object.values(error.errors).flat().join(" ") : null;
  console.error(messages ?? (error instanceof Error ? error.message : String(error)));
  process.exit(1);
}
