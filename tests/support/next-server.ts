import { disconnect } from "@/lib/core/db";
import { nextStart } from "./launch";
import { startServer } from "./server";

/**
 * Starts the framework's own server on an empty database: the global setup of the API tests' second run. It has no jobs, so
 * they run here, as in a worker beside it.
 * @returns the teardown, which leaves neither processes nor files
 */
export default async function setup(): Promise<() => Promise<void>> {
  const stopServer = await startServer(nextStart);
  const { startJobs } = await import("@/server/jobs");
  const stopJobs = await startJobs(process.env.TEST_URL ?? "");
  return async () => {
    await stopJobs();
    await disconnect();
    await stopServer();
  };
}
