import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { iso, shownIso } from "@/lib/http/list";
import { type LinkMail, maxCounted, type PaymentLinkFunnel } from "./funnel-contract";
import { paymentLinks } from "./resource";

type Steps = Pick<PaymentLinkFunnel, "sent" | "opened" | "tried">;

/** @param rows the name of a subquery with at most one row more than is counted */
const step = (rows: string, count: Prisma.Sql): Prisma.Sql => Prisma.sql`
  jsonb_build_object('count', ${count}, 'count_is_lower_bound', (SELECT count(*) > ${maxCounted} FROM ${Prisma.raw(rows)}),
    'last_at', (SELECT max(at) FROM ${Prisma.raw(rows)}))`;

/** The mails with a link, among its newest `limit`. Mails to a period's payer after a failed charge have it, too. */
const mailsWith = (link: Prisma.Sql, limit: number): Prisma.Sql => Prisma.sql`
  SELECT status, created_at, coalesce(${shownIso("sent_at")}, ${iso("created_at")}) AS at FROM (
    SELECT template, status, created_at, sent_at, business_id, livemode
      FROM email WHERE payment_link_id = ${link} ORDER BY created_at DESC LIMIT ${limit}) newest
   WHERE template IN ('payment_link', 'payment_failed')`;

/** The newest mail with each link, by the link's id. @param ids links of the tenant */
export async function newestMails(tx: Db, ids: readonly string[]): Promise<Map<string, LinkMail>> {
  if (ids.length === 0) return new Map();
  const found = await queryRows<LinkMail & { id: string }>(
    tx,
    Prisma.sql`
    SELECT link.id, mail.status, mail.at FROM unnest(${ids}::text[]) AS link(id)
     CROSS JOIN LATERAL (SELECT status, at FROM (${mailsWith(Prisma.sql`link.id`, 100)}) mails ORDER BY created_at DESC LIMIT 1) mail`,
  );
  return new Map(found.map(({ id, status, at }) => [id, { status, at }]));
}

/**
 * How far the payer of a link has come. Reads at most `maxCounted` rows of each source, along its index of the link, so that
 * a link with many thousands of visits costs no more.
 * @throws ApiError not_found
 */
export async function funnelOfPaymentLink(tx: Db, tenant: Tenant, id: string): Promise<PaymentLinkFunnel> {
  const { _id, paid_at, created_at } = await paymentLinks.get(tx, tenant, id);
  const [steps] = await queryRows<Steps>(
    tx,
    Prisma.sql`
    WITH mail AS (${mailsWith(Prisma.sql`${id}`, maxCounted + 1)}), sent AS (
      SELECT at FROM mail WHERE status IN ('sent', 'outbox')
    ), opened AS (
      SELECT visits, ${iso("last_at")} AS at FROM link_visit
       WHERE payment_link_id = ${id} ORDER BY hour DESC LIMIT ${maxCounted + 1}
    ), tried AS (
      SELECT ${iso("created_at")} AS at FROM payment
       WHERE payment_link_id = ${id} AND gateway <> 'manual' AND status <> 'created' LIMIT ${maxCounted + 1}
    )
    SELECT ${step("sent", Prisma.sql`(SELECT count(*) FROM sent)`)}
             || jsonb_build_object('status', (SELECT status FROM mail ORDER BY created_at DESC LIMIT 1)) AS sent,
           ${step("opened", Prisma.sql`(SELECT coalesce(sum(visits), 0) FROM opened)`)} AS opened,
           ${step("tried", Prisma.sql`(SELECT count(*) FROM tried)`)} AS tried`,
  );
  if (!steps) throw new Error("a SELECT without FROM returns one row");
  return { _id, ...steps, paid_at, created_at };
}
