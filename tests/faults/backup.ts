import { databaseUrl, execute, ownerUrl } from "@/tests/support/postgres";
import type { Rig } from "./rig";

/** Copies the server's database, like a backup. @returns `restore` replaces the database by the copy */
export async function backup(rig: Rig): Promise<{ restore(): Promise<void> }> {
  const url = ownerUrl(process.env.DATABASE_URL ?? "");
  const name = new URL(url).pathname.slice(1);
  const server = databaseUrl(url, "postgres");
  const disconnected = (database: string) =>
    execute(server, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
  const copy = `${name}_backup`;
  await rig.whileStopped(async () => {
    await disconnected(name);
    await execute(server, `CREATE DATABASE ${copy} TEMPLATE ${name} STRATEGY FILE_COPY`);
  });
  return {
    restore: async () => {
      await execute(
        server,
        `DROP DATABASE ${name} WITH (FORCE)`,
        `CREATE DATABASE ${name} TEMPLATE ${copy} STRATEGY FILE_COPY`,
      );
      await execute(server, `DROP DATABASE ${copy}`);
    },
  };
}
