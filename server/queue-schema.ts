import { Logger, runMigrations } from "graphile-worker";

/** Creates or migrates the queue's schema, which is graphile-worker's own. */
export const migrateQueue = (url: string): Promise<void> =>
  runMigrations({ connectionString: url, logger: new Logger(() => () => undefined) });
