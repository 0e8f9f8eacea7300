import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/core/db";
import type { Page } from "@/lib/http/handle";
import { iso, listRows } from "@/lib/http/list";
import { packages } from "@/lib/resources/packages/resource";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { tokenizations } from "@/lib/resources/tokenizations/resource";
import type { TimelineEntry, TimelineQuery } from "./contract";
import { attemptWords, eventWords, mailWords, visitWords, webhookWords } from "./entries";
import { nextOfPaymentLink, nextOfSubscription, nextOfTokenization } from "./next-step";

interface Row {
  _id: string;
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
  id AS _id, ${iso("created_at")} AS created_at, kind, type, actor_type, actor_id, actor_name, about_id, payment_link_id, facts`;

interface Subject {
  of: Prisma.Sql;
  deliveries: Prisma.Sql;
}

interface PayableSubject extends Subject {
  links: Prisma.Sql;
  visits: Prisma.Sql;
}

const ofResource = (id: string): Subject => ({
  of: Prisma.sql`resource_id = ${id}`,
  deliveries: Prisma.sql`e.resource_id = ${id}`,
});

const ofLink = (id: string): PayableSubject => ({
  of: Prisma.sql`payment_link_id = ${id}`,
  deliveries: Prisma.sql`e.payment_link_id = ${id}`,
  links: Prisma.sql`${id}`,
  visits: Prisma.sql`v.payment_link_id = ${id}`,
});

/** A payment stores only its link's id, so open payments are looked up by the few links in flight. */
const ofSubscription = (id: string): PayableSubject => ({
  of: Prisma.sql`subscription_id = ${id}`,
  deliveries: Prisma.sql`d.subscription_id = ${id}`,
  links: Prisma.sql`
    SELECT id FROM payment_link WHERE subscription_id = ${id} AND status = 'Processing' AND deleted_at IS NULL`,
  visits: Prisma.sql`v.subscription_id = ${id}`,
});

function ownedIn(tenant: Tenant): (table: string) => Prisma.Sql {
  const { business_id, livemode } = tenantOf(tenant);
  return (table) =>
    Prisma.sql`${Prisma.raw(table)}.business_id = ${business_id} AND ${Prisma.raw(table)}.livemode = ${livemode}`;
}

function eventsAndDeliveries(tenant: Tenant, { of, deliveries }: Subject): Prisma.Sql[] {
  const owned = ownedIn(tenant);
  return [
    Prisma.sql`
    SELECT e.id, e.created_at, 'event' AS kind, e.type, e.actor_type, e.actor_id, coalesce(u.name, k.name) AS actor_name,
           e.resource_id AS about_id, e.payment_link_id, e.data AS facts
      FROM event e LEFT JOIN staff_user u ON e.actor_type = 'user' AND u.id = e.actor_id
      LEFT JOIN api_key k ON e.actor_type = 'api_key' AND k.id = e.actor_id
     WHERE ${owned("e")} AND e.${of}`,
    Prisma.sql`
    SELECT d.id, coalesce(d.succeeded_at, d.updated_at) AS created_at, 'webhook' AS kind, d.status AS type,
           'system' AS actor_type, NULL AS actor_id, NULL AS actor_name, d.id AS about_id, e.payment_link_id,
           jsonb_build_object('event', e.type, 'url', w.url, 'attempts', d.attempt_count) AS facts
      FROM webhook_delivery d JOIN event e ON e.id = d.event_id JOIN webhook_endpoint w ON w.id = d.endpoint_id
     WHERE ${owned("d")} AND ${deliveries}`,
  ];
}

/**
 * All sources of a payable resource, each with an index by time. Rows of the same time are ordered by id: "mail_" sorts
 * a mail after its event ("evt_").
 */
function sources(tenant: Tenant, { links, visits, ...subject }: PayableSubject): Prisma.Sql[] {
  const owned = ownedIn(tenant);
  return [
    ...eventsAndDeliveries(tenant, subject),
    Prisma.sql`
    SELECT 'mail_' || m.id AS id, m.created_at, 'mail' AS kind, m.template AS type, 'system' AS actor_type, NULL AS actor_id,
           NULL AS actor_name, m.id AS about_id, m.payment_link_id,
           jsonb_build_object('to', m.to, 'status', m.status, 'error', m.last_error) AS facts
      FROM email m WHERE ${owned("m")} AND m.${subject.of}`,
    Prisma.sql`
    SELECT p.id, p.created_at, 'attempt' AS kind, p.status AS type,
           CASE WHEN p.tokenization_id IS NULL THEN 'payer' ELSE 'system' END AS actor_type, NULL AS actor_id,
           NULL AS actor_name, p.id AS about_id, p.payment_link_id,
           jsonb_build_object('cents', p.amount_cents, 'currency', p.currency) AS facts
      FROM payment p
     WHERE ${owned("p")} AND p.payment_link_id IN (${links}) AND p.status IN ('sending', 'requires_action', 'unknown')`,
    Prisma.sql`
    SELECT 'visit_' || v.payment_link_id || '_' || extract(epoch FROM v.hour)::bigint AS id, v.last_at AS created_at,
           'visit' AS kind, 'visit' AS type, 'payer' AS actor_type, NULL AS actor_id, NULL AS actor_name, NULL AS about_id,
           v.payment_link_id, jsonb_build_object('visits', v.visits) AS facts
      FROM link_visit v WHERE ${visits}`,
  ];
}

function present({ _id, facts, actor_type, actor_id, actor_name, ...row }: Row): TimelineEntry {
  const { text, detail } = wordsOf(row, facts);
  const actor = { type: actor_type, id: actor_id, name: actor_name };
  return { _id: _id.replace(/^mail_/, ""), ...row, text, detail, actor };
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

/** The timeline of a link. The first page starts with the next steps. @throws ApiError not_found */
export async function timelineOfPaymentLink(
  tx: Db,
  tenant: Tenant,
  id: string,
  query: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const link = await paymentLinks.get(tx, tenant, id);
  return page(tx, sources(tenant, ofLink(id)), query, () => nextOfPaymentLink(tx, link));
}

/**
 * The timeline of a subscription and the links of its periods.
 * @throws ApiError not_found
 */
export async function timelineOfSubscription(
  tx: Db,
  tenant: Tenant,
  id: string,
  query: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const subscription = await subscriptions.get(tx, tenant, id);
  return page(tx, sources(tenant, ofSubscription(id)), query, () => nextOfSubscription(tx, subscription));
}

/**
 * The events and deliveries of a package.
 * @throws ApiError not_found
 */
export async function timelineOfPackage(
  tx: Db,
  tenant: Tenant,
  id: string,
  query: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  await packages.get(tx, tenant, id);
  return page(tx, eventsAndDeliveries(tenant, ofResource(id)), query, async () => []);
}

/**
 * The events and deliveries of a tokenization, and when its activation page expires.
 * @throws ApiError not_found
 */
export async function timelineOfTokenization(
  tx: Db,
  tenant: Tenant,
  id: string,
  query: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const tokenization = await tokenizations.get(tx, tenant, id);
  return page(tx, eventsAndDeliveries(tenant, ofResource(id)), query, async () => nextOfTokenization(tokenization));
}

async function page(
  tx: Db,
  parts: Prisma.Sql[],
  query: TimelineQuery,
  next: () => Promise<TimelineEntry[]>,
): Promise<Page<TimelineEntry>> {
  const { rows, page } = await listRows<Row>(tx, {
    table: "timeline",
    parts,
    columns,
    where: [Prisma.sql`true`],
    query,
  });
  const ahead = query.cursor === null && query.sort === "-created_at" ? await next() : [];
  return { rows: [...ahead, ...rows.map(present)], page };
}
