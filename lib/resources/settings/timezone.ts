import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { invalidSelection } from "@/lib/core/errors";

/**
 * Asserts that PostgreSQL knows a time zone. Node knows more, such as AET, and another zone by some names, such as IST. The query
 * reads the files of all zones, so call it only for a zone that is to be stored.
 * @throws ValidationError
 */
export async function assertTimezone(tx: Db, timezone: string): Promise<void> {
  const found = await queryRows(
    tx,
    Prisma.sql`SELECT FROM pg_timezone_names WHERE lower(name) = lower(${timezone}) LIMIT 1`,
  );
  if (found.length === 0) throw invalidSelection("timezone");
}
