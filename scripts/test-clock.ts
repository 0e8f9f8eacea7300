import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { advanceClock } from "@/lib/billing/test-clock";
import { clock, withClockOf } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { advanceTestClock } from "@/lib/resources/test-clock/service";
import { businessId, commandOf, runCommand, UsageError } from "@/server/command";
import { findHold } from "@/server/hold";

const usage = `Usage:
  npm run -s test-clock -- read    --business 1
  npm run -s test-clock -- advance --business 1 --to 2027-02-28T00:00:00Z

Reads or advances the clock of a business's test mode. Everything that falls due in between happens before the command ends.`;

const targetOf = async (id: number): Promise<Date | null> =>
  (await db.business.findUnique({ where: { id } }))?.test_clock_target ?? null;

async function advance(businessId: number, to: Date): Promise<void> {
  if (await findHold())
    throw new Error(
      "This database was restored and is not released: nothing is billed (docs/operations.md, After a restore).",
    );
  const who = { type: "api_key", id: "command" } as const;
  const actor = { businessId, livemode: false, clockAhead: 0, scopes: [], who };
  const isAdvancing = async () => (await targetOf(businessId))?.getTime() === to.getTime();
  // An advance to the same time that was interrupted is continued.
  if (!(await isAdvancing())) {
    await withClockOf(businessId, false, () => advanceTestClock(db, actor, { to })).catch(async (error: unknown) => {
      if (error instanceof ValidationError) throw new Error(Object.values(error.errors).flat().join(" "));
      const target = await targetOf(businessId);
      if (!(error instanceof ApiError) || !target) throw error;
      throw new Error(
        `The clock is being advanced to ${target.toISOString()}. Repeat the command with this time to wait for it.`,
      );
    });
  }
  // A running server's worker may be advancing the clock: waits for it, and continues if it ends early.
  while (await isAdvancing()) {
    await advanceClock(businessId);
    await setTimeout(200);
  }
}

await runCommand(usage, async () => {
  const options = { business: { type: "string" }, to: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const to = commandOf({ read: null, advance: new Date(values.to ?? "") }, positionals);
  const id = businessId(values.business);
  if (to && Number.isNaN(to.getTime())) throw new UsageError("--to must be a date and time.");
  return async () => {
    if (!(await db.business.findUnique({ where: { id } }))) throw new Error(`There is no business ${id}.`);
    if (to) await advance(id, to);
    await withClockOf(id, false, async () => console.log(clock.now().toISOString()));
  };
});
