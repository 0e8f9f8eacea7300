import { Prisma } from "@/lib/core/db";

/**
 * The price in cents of a subscription's period that begins at `start`.
 * @param subscription alias of a row with its price columns
 */
export const priceAt = (subscription: Prisma.Sql, start: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN ${start} >= ${subscription}.next_amount_from THEN ${subscription}.next_amount_cents
       ELSE ${subscription}.amount_cents END`;
