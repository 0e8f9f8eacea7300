import { monthlyTables, monthStart, partitionState } from "@/server/partitions";
import { type Finding, ok, problem, warning } from "./finding";

const remedy =
  "Start a worker with the owner's address (DATABASE_MIGRATE_URL), or run npm run -s doctor -- --repair with it.";

/** A worker makes and drops within an hour. */
const graceMs = 2 * 24 * 3_600_000;

/** The partitions of tables by month: made ahead, and dropped after their retention. */
export async function checkPartitions(now = new Date()): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const table of monthlyTables) {
    const state = await partitionState(table, now);
    if (!state) continue; // the schema's check says that a migration is missing
    const until = state.madeUntil.toISOString().slice(0, 10);
    if (state.late)
      found.push(problem(`${table.name} has no partition for rows since ${until}: they share the last one`, remedy));
    else if (state.madeUntil < monthStart(now, 2))
      found.push(warning(`${table.name} has partitions only until ${until}`, remedy));
    const overdue = state.expired.filter(({ expired }) => expired.getTime() + graceMs < now.getTime());
    if (overdue.length > 0)
      found.push(warning(`Should be dropped by now: ${overdue.map(({ name }) => name).join(", ")}`, remedy));
  }
  return found.length > 0 ? found : [ok("Months are made ahead, and dropped after their retention")];
}
