import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { clock, isoMicros } from "@/lib/core/clock";
import { addDays } from "@/lib/core/days";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { inOrderOf, present } from "@/lib/http/list-streams";
import { startOfDay } from "@/lib/ledger/sums";
import { wallTime } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { paymentLinkStatuses } from "@/lib/resources/payment-links/contract";
import { standaloneFacets } from "@/lib/resources/payment-links/resource";
import { maxFailures, maxLinks, type OverviewQuery, type Rates, type RatesOfPeriod } from "./contract";
import { rounded } from "./period";
import { periods } from "./service";

interface Days {
  from: string;
  to: string;
  timezone: string;
}

/**
 * Why attempts to pay failed, and what became of payment links, in a period and in the one before. Reads a bounded number of the
 * newest rows of each.
 */
export async function rates(tx: Db, actor: Actor, query: OverviewQuery): Promise<Rates> {
  const now = clock.now();
  const { business_id } = tenantOf(actor);
  const { timezone } = await tx.business.findUniqueOrThrow({ where: { id: business_id }, select: { timezone: true } });
  const { first, last, earlier } = periods(query, wallTime(now, timezone).slice(0, 10));
  const [period, previous] = await Promise.all([
    ratesOf(tx, actor, { from: first, to: last, timezone }),
    ratesOf(tx, actor, { from: earlier, to: addDays(first, -1), timezone }),
  ]);
  return { _id: "rates", created_at: isoMicros(now), timezone, period, previous };
}

async function ratesOf(tx: Db, tenant: Tenant, days: Days): Promise<RatesOfPeriod> {
  const [failed, links] = await Promise.all([failuresOf(tx, tenant, days), linksOf(tx, tenant, days)]);
  const { from, to } = days;
  return {
    ...{ from, to },
    failures: failed.map(({ currency, reason, count }) => ({ currency, reason, count })),
    failures_are_sample: failed.some(({ read }) => read === maxFailures),
    links: links.map(withRates),
    links_are_sample: links.some(({ read }) => read === maxLinks),
  };
}

const startOf = (day: string, timezone: string) => startOfDay(Prisma.sql`${day}::text::timestamp`, timezone);

type Failure = RatesOfPeriod["failures"][number] & { read: number };

/** Read along the index of currency, gateway, status and time: the newest failed attempts of each currency and gateway. */
function failuresOf(tx: Db, tenant: Tenant, { from, to, timezone }: Days): Promise<Failure[]> {
  const owned = ownedBy(tenant);
  const places = Prisma.raw("currency, gateway, status, created_at, id");
  const order = Prisma.raw("currency DESC, gateway DESC, status DESC, created_at DESC, id DESC");
  const newest = inOrderOf(
    "payment",
    [
      owned,
      Prisma.sql`(${places}) >= (used.currency, place.gateway, 'failed', ${startOf(from, timezone)}, '')`,
      Prisma.sql`(${places}) < (used.currency, place.gateway, 'failed', ${startOf(addDays(to, 1), timezone)}, '')`,
    ],
    order,
    maxFailures,
  );
  const next = (condition: Prisma.Sql) =>
    inOrderOf("payment", [owned, condition], Prisma.raw("currency, gateway, status, created_at, id"), 1);
  return queryRows<Failure>(
    tx,
    Prisma.sql`
    WITH RECURSIVE used AS (
      (SELECT currency FROM (${next(Prisma.sql`true`)}) AS payment)
      UNION ALL
      SELECT following.currency FROM used CROSS JOIN LATERAL (${next(Prisma.sql`payment.currency > used.currency`)}) AS following
    ), failed AS MATERIALIZED (
      SELECT used.currency, place.gateway, found.reason
        FROM used CROSS JOIN (VALUES ('sandbox'), ('stripe')) AS place(gateway) CROSS JOIN LATERAL (${newest}) AS found
    )
    SELECT currency, reason, count(*)::int AS count,
           (SELECT max(read)::int FROM (SELECT count(*) AS read FROM failed same WHERE same.currency = failed.currency
                                         GROUP BY gateway) AS each) AS read
      FROM failed WHERE reason IS NOT NULL GROUP BY currency, reason ORDER BY currency, count DESC, reason`,
  );
}

type Links = Pick<RatesOfPeriod["links"][number], "currency" | "created" | "opened" | "tried" | "paid"> & {
  read: number;
};

const withRates = ({ read: _, ...counts }: Links): RatesOfPeriod["links"][number] => ({
  ...counts,
  opened_rate: rounded(counts.opened / counts.created),
  tried_rate: rounded(counts.tried / counts.created),
  paid_rate: rounded(counts.paid / counts.created),
});

/**
 * The newest links without a subscription, with one lookup each for visits and for payments. Read along their index of currency,
 * status and time, so that periods of subscriptions cost nothing: at most `maxLinks` of each currency and status.
 */
function linksOf(tx: Db, tenant: Tenant, { from, to, timezone }: Days): Promise<Links[]> {
  const owned = [ownedBy(tenant), Prisma.sql`deleted_at IS NULL`];
  const [, currency] = standaloneFacets;
  const columns = [...standaloneFacets.map(({ sql }) => sql), "created_at", "id"];
  const places = Prisma.raw(columns.join(", "));
  const at = (instant: Prisma.Sql) => Prisma.sql`('none', used.currency, state.status, ${instant}, '')`;
  const newest = inOrderOf(
    "payment_link",
    [
      ...owned,
      Prisma.sql`subscription_id IS NULL`,
      Prisma.sql`(${places}) >= ${at(startOf(from, timezone))}`,
      Prisma.sql`(${places}) < ${at(startOf(addDays(to, 1), timezone))}`,
    ],
    Prisma.raw(columns.map((column) => `${column} DESC`).join(", ")),
    maxLinks,
  );
  return queryRows<Links>(
    tx,
    Prisma.sql`
    WITH newest AS MATERIALIZED (
      SELECT found.id, found.currency, found.status = 'Paid' AS paid
        FROM (${present({ table: "payment_link", where: owned }, currency)}) AS used(currency)
       CROSS JOIN unnest(${[...paymentLinkStatuses]}::text[]) AS state(status) CROSS JOIN LATERAL (${newest}) AS found
       ORDER BY found.created_at DESC, found.id DESC LIMIT ${maxLinks}::int
    )
    SELECT currency, count(*)::int AS created,
           count(*) FILTER (WHERE visited OR tried OR paid)::int AS opened,
           count(*) FILTER (WHERE tried OR paid)::int AS tried,
           count(*) FILTER (WHERE paid)::int AS paid, (SELECT count(*)::int FROM newest) AS read
      FROM (SELECT currency, paid,
                   EXISTS (SELECT FROM link_visit WHERE payment_link_id = newest.id) AS visited,
                   EXISTS (SELECT FROM payment WHERE payment_link_id = newest.id) AS tried
              FROM newest) AS counted
     GROUP BY currency ORDER BY currency`,
  );
}
