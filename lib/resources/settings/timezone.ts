import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { invalidSelection } from "@/lib/core/errors";

/**
 * The name of a time zone as PostgreSQL spells it: "UTC" for "utc". Node knows more zones, such as AET, and another one by some
 * names, such as IST. The query reads the files of all zones, so call it only for a zone that is to be stored.
 * @throws ValidationError if PostgreSQL does not know it
 */
export async function spelledTimezone(tx: Db, timezone: string): Promise<string> {
  const [found] = await queryRows<{ name: string }>(
    tx,
    Prisma.sql`SELECT name FROM pg_timezone_names WHERE lower(name) = lower(${timezone}) LIMIT 1`,
  );
  if (!found) throw invalidSelection("timezone");
  return found.name;
}
