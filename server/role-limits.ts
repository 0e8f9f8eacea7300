import { type Client, escapeIdentifier } from "pg";
import { connectionLimits } from "@/lib/core/connection-limits";
import { connected } from "./grants";
import { migrationLock } from "./migrate";

interface Missing {
  name: keyof typeof connectionLimits;
  role: string;
  database: string;
}

/** The limits that the sessions of a database's address lack, as PostgreSQL names them. */
export async function missingLimits(client: Client): Promise<Missing[]> {
  const { rows } = await client.query<Missing>(
    `SELECT name, current_user::text AS role, current_database()::text AS database
       FROM pg_settings WHERE name = ANY($1) AND setting = '0' ORDER BY name`,
    [Object.keys(connectionLimits)],
  );
  return rows;
}

/**
 * Gives a role the limits that a connection cannot set behind a pooler of transactions, as defaults of its sessions in this
 * database. A role may change its own. Limits that the operator has set stay.
 * @param url the database's address past the pooler
 * @param pooled its address at the pooler
 * @returns whether a session of the pooler still lacks limits, because it is older than they are
 */
export async function limitRole(url: string, pooled: string): Promise<boolean> {
  await connected(url, setDefaults);
  return (await connected(pooled, missingLimits)).length > 0;
}

async function setDefaults(client: Client): Promise<void> {
  const missing = await missingLimits(client);
  if (missing.length === 0) return;
  await client.query("SELECT pg_advisory_lock($1)", [migrationLock]); // concurrent changes of a role fail
  for (const { name, role, database } of missing)
    await client.query(
      `ALTER ROLE ${escapeIdentifier(role)} IN DATABASE ${escapeIdentifier(database)} SET ${name} = ${connectionLimits[name]}`,
    );
}
