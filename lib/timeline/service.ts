import type { Page } from "@/lib/api/handle";
import { iso, listRows } from "@/lib/api/list";
import { owner, type Tenant } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/db";
import { getPaymentLink } from "@/lib/payment-links/read";
import { getSubscription } from "@/lib/subscriptions/read";
import type { TimelineEntry, TimelineQuery } from "./contract";
import { nextOfPaymentLink, nextOfSubscription } from "./next";
import { attemptWords, eventWords, mailWords, visitWords, webhookWords } from "./words";

/** A row of any of the sources: what each says in words is made of `facts`. */
interface Row {
  id: string;
  created_at: string;
  kind: TimelineEntry["kind"];
  type: string;
  actor_type: TimelineEntry["actor"]["type"];
  actor_id: string | null;
  actor_name: string | null;
  about_id: string | null;
  payment_link_id: string | null;
  facts: Record<string, unknown>;
}

const columns = Prisma.sql`
  id, ${iso("created_at")} AS created_at, kind, type, actor_type, actor_id, actor_name, about_id, payment_link_id, facts`;

/** What belongs to a link, or to a subscription and the links of its periods, from all the tables in which it stands. */
function sources(tenant: Tenant, of: Prisma.Sql, links: Prisma.Sql): Prisma.Sql {
  const { business_id, livemode } = owner(tenant);
  const mine = (table: string) =>
    Prisma.sql`${Prisma.raw(table)}.business_id = ${business_id} AND ${Prisma.raw(table)}.livemode = ${livemode}`;
  return Prisma.sql`(
    SELECT e.id, e.created_at, 'event' AS kind, e.type, e.actor_type, e.actor_id, coalesce(u.name, k.name) AS actor_name,
           e.resource_id AS about_id, e.payment_link_id, e.data::jsonb AS facts
      FROM event e LEFT JOIN staff_user u ON e.actor_type = 'user' AND u.id = e.actor_id
      LEFT JOIN api_key k ON e.actor_type = 'api_key' AND k.id = e.actor_id
     WHERE ${mine("e")} AND e.${of}
    UNION ALL
    SELECT m.id, m.created_at, 'mail', m.template, 'system', NULL, NULL, m.id, m.payment_link_id,
           jsonb_build_object('to', m.to, 'status', m.status, 'error', m.last_error)
      FROM email m WHERE ${mine("m")} AND m.${of}
    UNION ALL
    SELECT d.id, coalesce(d.succeeded_at, d.updated_at), 'webhook', d.status, 'system', NULL, NULL, d.id, e.payment_link_id,
           jsonb_build_object('event', e.type, 'url', w.url, 'attempts', d.attempt_count)
      FROM event e JOIN webhook_delivery d ON d.event_id = e.id JOIN webhook_endpoint w ON w.id = d.endpoint_id
     WHERE ${mine("e")} AND e.${of}
    UNION ALL
    SELECT p.id, p.created_at, 'attempt', p.status, CASE WHEN p.tokenization_id IS NULL THEN 'payer' ELSE 'system' END,
           NULL, NULL, p.id, p.payment_link_id, jsonb_build_object('cents', p.amount_cents, 'currency', p.currency)
      FROM payment p
     WHERE ${mine("p")} AND p.payment_link_id IN (${links}) AND p.status IN ('sending', 'requires_action', 'unknown')
    UNION ALL
    SELECT 'visit_' || v.payment_link_id || '_' || extract(epoch FROM v.hour)::bigint, v.last_at, 'visit', 'visit', 'payer',
           NULL, NULL, NULL, v.payment_link_id, jsonb_build_object('visits', v.visits)
      FROM link_visit v WHERE v.payment_link_id IN (${links})) AS timeline`;
}

function present({ id, facts, actor_type, actor_id, actor_name, ...row }: Row): TimelineEntry {
  const { text, detail } = wordsOf(row, facts);
  const actor = { type: actor_type, id: actor_id, name: actor_name };
  return { _id: id, ...row, text, detail, actor };
}

function wordsOf({ kind, type }: Pick<Row, "kind" | "type">, facts: Record<string, unknown>) {
  switch (kind) {
    case "mail":
      return mailWords(type, String(facts.to), String(facts.status), facts.error ? String(facts.error) : null);
    case "webhook":
      return webhookWords(String(facts.event), String(facts.url), type, Number(facts.attempts));
    case "attempt":
      return attemptWords(type, Number(facts.cents), String(facts.currency));
    case "visit":
      return visitWords(Number(facts.visits));
    default:
      return eventWords(type, facts);
  }
}

/**
 * Everything about a link, newest first unless asked otherwise; before the newest, what happens next.
 * @throws ApiError not_found
 */
export async function timelineOfPaymentLink(
  tx: Db,
  tenant: Tenant,
  id: string,
  query: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const link = await getPaymentLink(tx, tenant, id);
  const from = sources(tenant, Prisma.sql`payment_link_id = ${id}`, Prisma.sql`${id}`);
  return page(tx, from, query, () => nextOfPaymentLink(tx, link));
}

/**
 * The same for a subscription and the links of its periods.
 * @throws ApiError not_found
 */
export async function timelineOfSubscription(
  tx: Db,
  tenant: Tenant,
  id: string,
  query: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const subscription = await getSubscription(tx, tenant, id);
  const links = Prisma.sql`SELECT id FROM payment_link WHERE subscription_id = ${id}`;
  // A payment or a refund knows its link alone.
  const of = Prisma.sql`subscription_id = ${id}`;
  const from = sources(tenant, of, links);
  return page(tx, from, query, () => nextOfSubscription(tx, subscription));
}

async function page(
  tx: Db,
  from: Prisma.Sql,
  query: TimelineQuery,
  next: () => Promise<TimelineEntry[]>,
): Promise<Page<TimelineEntry>> {
  const { rows, page } = await listRows<Row>(tx, {
    table: "timeline",
    from,
    columns,
    where: [Prisma.sql`true`],
    query,
  });
  const ahead = query.cursor === null && query.sort === "-created_at" ? await next() : [];
  return { rows: [...ahead, ...rows.map(present)], page };
}
