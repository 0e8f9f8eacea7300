import type { Actor } from "@/lib/auth/actor";
import { isoMicros } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { notFound } from "@/lib/core/errors";
import type { Page } from "@/lib/http/handle";
import { among } from "@/lib/http/list-filters";
import type { Frequency } from "@/lib/periods/calendar";
import { type Billed, getsPrice, noticeDays, priceFrom } from "@/lib/periods/new-price";
import { column, defineResource } from "@/lib/resources/define";
import { type PriceChangeQuery, requestableMoves, type Subscription } from "@/lib/resources/subscriptions/contract";
import { status, subscriptions } from "@/lib/resources/subscriptions/resource";
import { packages } from "./resource";

const { definition } = subscriptions;

const { package_id } = definition.filters;

/** `running`: the statuses of subscriptions that can still be cancelled. The price is checked row by row. */
const changing = defineResource<Subscription & Billed, PriceChangeQuery & { package_id: string; running: true }>({
  ...definition,
  fields: { ...definition.fields, anchor: column, timezone: column, next_period: column },
  filters: { package_id, running: () => among(status, requestableMoves.cancel), amount: getsPrice },
});

/**
 * The existing subscriptions that would get a new price if it were announced now, each with its `price_change` as it would be.
 * @throws ApiError not_found
 */
export async function previewPriceChange(
  tx: Db,
  actor: Actor,
  id: string,
  query: PriceChangeQuery,
): Promise<Page<Subscription>> {
  packages.checkId(id);
  const [known] = await queryRows<{ frequency: Frequency; days: number }>(
    tx,
    Prisma.sql`
    SELECT frequency, (SELECT ${noticeDays(Prisma.sql`b`)} FROM business b WHERE b.id = business_id) AS days
      FROM package WHERE id = ${id} AND ${packages.ownedBy(actor)}`,
  );
  if (!known) throw notFound("Package");
  const { amount } = query;
  const { rows, page } = await changing.list(tx, actor, { ...query, package_id: id, running: true });
  const changed = rows.map(({ anchor, timezone, next_period, ...row }) => {
    const from = isoMicros(priceFrom({ anchor, timezone, next_period }, known.frequency, known.days));
    return { ...row, price_change: { amount: amount / 100, amount_cents: amount, from } };
  });
  return { page, rows: changed };
}
