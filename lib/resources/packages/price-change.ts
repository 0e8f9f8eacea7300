import type { Actor } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { notFound, ValidationError } from "@/lib/core/errors";
import { minorUnitStep } from "@/lib/core/money";
import { notWholeUnits } from "@/lib/http/fields";
import type { Page } from "@/lib/http/handle";
import { among } from "@/lib/http/list-filters";
import { type Frequency, startAfterNotice } from "@/lib/periods/calendar";
import { getsPrice } from "@/lib/periods/new-price";
import { column, defineResource } from "@/lib/resources/define";
import { type PriceChangeQuery, requestableMoves, type Subscription } from "@/lib/resources/subscriptions/contract";
import { noticeDays, priceChangeOf, status, subscriptions } from "@/lib/resources/subscriptions/resource";
import { packages } from "./resource";

interface Billed {
  anchor: string;
  timezone: string;
  next_period: number;
}

const { definition } = subscriptions;

const { package_id } = definition.filters;

/** `running`: the statuses of subscriptions that can still be cancelled. The price is checked row by row. */
const changing = defineResource<Subscription & Billed, PriceChangeQuery & { package_id: string; running: true }>({
  ...definition,
  fields: { ...definition.fields, anchor: column, timezone: column, next_period: column },
  filters: { package_id, running: () => among(status, requestableMoves.cancel), amount: (cents) => getsPrice(cents) },
  amounts: undefined, // a preview only counts
});

/**
 * The existing subscriptions that would get a new price if it were announced now, each with its `price_change` as it would be.
 * @throws ApiError not_found
 * @throws ValidationError for a part of a unit where the currency has no minor unit
 */
export async function previewPriceChange(
  tx: Db,
  actor: Actor,
  id: string,
  query: PriceChangeQuery,
): Promise<Page<Subscription>> {
  packages.checkId(id);
  const [known] = await queryRows<{ frequency: Frequency; currency: string; days: number }>(
    tx,
    Prisma.sql`
    SELECT frequency, currency, (SELECT ${noticeDays(Prisma.sql`b`)} FROM business b WHERE b.id = business_id) AS days
      FROM package WHERE id = ${id} AND ${packages.ownedBy(actor)}`,
  );
  if (!known) throw notFound("Package");
  const { amount } = query;
  const { frequency, currency, days } = known;
  if (amount % minorUnitStep(currency) !== 0) throw new ValidationError({ amount: [notWholeUnits] });
  const { rows, page } = await changing.list(tx, actor, { ...query, package_id: id, running: true });
  const changed = rows.map(({ anchor, timezone, next_period, ...row }) => {
    const from = startAfterNotice({ anchor, timezone, frequency }, next_period, clock.now(), days);
    return { ...row, price_change: priceChangeOf(amount, from, false) };
  });
  return { page, rows: changed };
}
