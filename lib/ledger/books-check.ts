import { db, Prisma, queryRows } from "@/lib/core/db";
import type { Comparison } from "./comparison";

/**
 * Stores how many mistakes a check of the whole database found. The metrics show the last check. What an earlier comparison found and
 * this one cannot see may still be wrong, so the number at the gateways is then at least that of the last check: if no gateway or not
 * every account was asked, or the earlier comparison was of more days. A payment whose lookup failed can hide one mistake.
 * @param compared null: no gateway was asked
 * @returns of how many days a comparison must be to see all differences that are stored; 0: none is stored
 */
export async function recordCheck(imbalances: number, compared: Comparison | null): Promise<number> {
  const { differences = [], days = 0 } = compared ?? {};
  const found = differences.length;
  const hidden = compared?.hasAllAccounts ? compared.failedPayments : null;
  const [stored] = await queryRows<{ asked_days: number }>(
    db,
    Prisma.sql`
    WITH kept AS (
      SELECT CASE WHEN asked_days > ${days}::int THEN at_gateways ELSE least(coalesce(at_gateways, 0), ${hidden}::int) END AS count,
             asked_days AS days
        FROM (SELECT) AS run
        LEFT JOIN (SELECT at_gateways, asked_days FROM books_check ORDER BY checked_at DESC LIMIT 1) AS last ON true
    ), known AS (
      SELECT greatest(${found}::int, count) AS count,
             greatest(CASE WHEN ${found}::int > 0 THEN ${days}::int END, CASE WHEN count > 0 THEN days END, 0) AS days
        FROM kept
    )
    INSERT INTO books_check (differences, at_gateways, asked_days)
    SELECT ${imbalances}::int + count, count, days FROM known RETURNING asked_days`,
  );
  return stored?.asked_days ?? 0;
}
