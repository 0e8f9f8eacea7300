import type { Actor, Tenant } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import { notFound } from "@/lib/core/errors";
import type { Page } from "@/lib/http/handle";
import { iso, listRows } from "@/lib/http/list";
import { idOf } from "@/lib/http/list-filters";
import { inOrderOf, type Part } from "@/lib/http/list-streams";
import { customerOrder, describeCustomers, ofCustomer } from "@/lib/resources/customers/figures";
import { ownedBy } from "@/lib/resources/define";
import { packages } from "@/lib/resources/packages/resource";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { tokenizations } from "@/lib/resources/tokenizations/resource";
import { customerSubjects, type TimelineEntry, type TimelineQuery } from "./contract";
import { attemptWords, eventWords, type MailFacts, mailWords, visitWords, webhookWords } from "./entries";
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
  /** The business's. */
  timezone: string;
}

const columns = ({ businessId }: Tenant) => Prisma.sql`
  id AS _id, ${iso("created_at")} AS created_at, kind, type, actor_type, actor_id, actor_name, about_id, payment_link_id, facts,
  (SELECT timezone FROM business WHERE id = ${businessId}::int) AS timezone`;

/** What a timeline is about: the id, and the column that has it in each source. */
interface Subject {
  id: Prisma.Sql;
  column: "resource_id" | "payment_link_id" | "subscription_id";
}

const ofResource = (tenant: Tenant, table: string, id: string): Subject => ({
  id: idOf(table, id, tenant),
  column: "resource_id",
});

const ofLink = (tenant: Tenant, id: string): Subject => ({
  id: idOf("payment_link", id, tenant),
  column: "payment_link_id",
});

const ofSubscription = (tenant: Tenant, id: string): Subject => ({
  id: idOf("subscription", id, tenant),
  column: "subscription_id",
});

/** Joins rows by one lookup each. Otherwise PostgreSQL may read the table and hash it. */
const eachOf = (table: string, condition: string, alias: string) =>
  Prisma.raw(`CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) AS ${alias}`);

const delivery = Prisma.sql`
  d.id, coalesce(d.succeeded_at, d.updated_at) AS created_at, 'webhook' AS kind, d.status AS type,
  'system' AS actor_type, NULL AS actor_id, NULL AS actor_name, d.id AS about_id, e.payment_link_id,
  jsonb_build_object('event', e.type, 'url', w.url, 'attempts', d.attempt_count,
                     'endpoint', CASE WHEN w.deleted_at IS NULL THEN w.id END) AS facts`;

/** Only deliveries of a subscription's events are so many that they have an index by time. */
function deliveries({ id, column }: Subject): Part {
  if (column === "subscription_id")
    return {
      sql: Prisma.sql`
      SELECT d.subscription_id AS lead, ${delivery}
        FROM webhook_delivery d ${eachOf("event", "id = d.event_id", "e")} ${eachOf("webhook_endpoint", "id = d.endpoint_id", "w")}
       WHERE d.subscription_id IS NOT NULL`,
      lead: id,
    };
  return {
    sql: Prisma.sql`
    SELECT NULL AS lead, ${delivery}
      FROM (SELECT * FROM event WHERE ${Prisma.raw(column)} = ${id} OFFSET 0) AS e
           ${eachOf("webhook_delivery", "event_id = e.id", "d")} ${eachOf("webhook_endpoint", "id = d.endpoint_id", "w")}`,
  };
}

function eventsAndDeliveries(subject: Subject): Part[] {
  return [events(subject), deliveries(subject)];
}

const events = ({ id, column }: Subject): Part => ({
  sql: Prisma.sql`
  SELECT e.${Prisma.raw(column)} AS lead, e.id, e.created_at, 'event' AS kind, e.type, e.actor_type, e.actor_id,
         CASE e.actor_type WHEN 'user' THEN (SELECT u.name FROM staff_user u WHERE u.id = e.actor_id)
                           WHEN 'api_key' THEN (SELECT k.name FROM api_key k WHERE k.id = e.actor_id) END AS actor_name,
         e.resource_id AS about_id, e.payment_link_id, e.data AS facts
    FROM event e`,
  lead: id,
});

const mails = ({ id, column }: Subject): Part => ({
  sql: Prisma.sql`
  SELECT m.${Prisma.raw(column)} AS lead, 'mail_' || m.id AS id, m.created_at, 'mail' AS kind, m.template AS type, 'system' AS actor_type,
         NULL AS actor_id, NULL AS actor_name, m.id AS about_id, m.payment_link_id,
         jsonb_build_object('to', m.to, 'status', m.status, 'error', coalesce(m.drop_reason, m.last_error),
                            'livemode', m.livemode) AS facts
    FROM email m`,
  lead: id,
});

/** A payment stores only its link's id, so a subscription's open payments are looked up by the few links in flight. */
function linksInFlight({ id, column }: Subject): Prisma.Sql {
  if (column !== "subscription_id") return Prisma.sql`SELECT ${id} AS id`;
  return Prisma.sql`
    SELECT id FROM payment_link WHERE subscription_id = ${id} AND status = 'Processing' AND deleted_at IS NULL OFFSET 0`;
}

/**
 * All sources of a payable resource. The long ones have an index by time. Rows of the same time are ordered by id:
 * "mail_" sorts a mail after its event ("evt_").
 */
function sources(subject: Subject): Part[] {
  const column = Prisma.raw(subject.column);
  return [
    ...eventsAndDeliveries(subject),
    mails(subject),
    {
      sql: Prisma.sql`
      SELECT NULL AS lead, p.id, p.created_at, 'attempt' AS kind, p.status AS type,
             CASE WHEN p.tokenization_id IS NULL THEN 'payer' ELSE 'system' END AS actor_type, NULL AS actor_id,
             NULL AS actor_name, p.id AS about_id, p.payment_link_id,
             jsonb_build_object('cents', p.amount_cents, 'currency', p.currency) AS facts
        FROM (${linksInFlight(subject)}) AS l ${eachOf("payment", "payment_link_id = l.id", "p")}
       WHERE p.status IN ('sending', 'requires_action', 'unknown')`,
    },
    {
      sql: Prisma.sql`
      SELECT v.${column} AS lead, 'visit_' || v.payment_link_id || '_' || extract(epoch FROM v.hour)::bigint AS id,
             v.last_at AS created_at, 'visit' AS kind, 'visit' AS type, 'payer' AS actor_type, NULL AS actor_id,
             NULL AS actor_name, NULL AS about_id, v.payment_link_id, jsonb_build_object('visits', v.visits) AS facts
        FROM link_visit v WHERE v.${column} IS NOT NULL`,
      lead: subject.id,
    },
  ];
}

function present({ _id, facts, timezone, actor_type, actor_id, actor_name, ...row }: Row): TimelineEntry {
  const { text, detail } = wordsOf(row, facts, timezone);
  const actor = { type: actor_type, id: actor_id, name: actor_name };
  return { _id: _id.replace(/^mail_/, ""), ...row, ...referencesOf(facts), text, detail, actor };
}

function referencesOf({ title, package: pkg, payment_id, endpoint }: Row["facts"]) {
  const known = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    title: known(title) ?? known((pkg as { name?: unknown } | undefined)?.name),
    payment_id: known(payment_id),
    webhook_endpoint_id: known(endpoint),
  };
}

function wordsOf({ kind, type }: Pick<Row, "kind" | "type">, facts: Record<string, unknown>, timezone: string) {
  switch (kind) {
    case "mail":
      return mailWords(type, facts as unknown as MailFacts);
    case "webhook":
      return webhookWords(String(facts.event), String(facts.url), type, Number(facts.attempts));
    case "attempt":
      return attemptWords(type, Number(facts.cents), String(facts.currency));
    case "visit":
      return visitWords(Number(facts.visits));
    default:
      return eventWords(type, facts, timezone);
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
  return page(tx, tenant, sources(ofLink(tenant, id)), query, () => nextOfPaymentLink(tx, link));
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
  return page(tx, tenant, sources(ofSubscription(tenant, id)), query, () => nextOfSubscription(tx, subscription));
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
  return page(tx, tenant, eventsAndDeliveries(ofResource(tenant, "package", id)), query, async () => []);
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
  return page(tx, tenant, eventsAndDeliveries(ofResource(tenant, "tokenization", id)), query, async () =>
    nextOfTokenization(tokenization),
  );
}

/** The rows of a customer whose events and mails their timeline has. A period's are found by its subscription. */
function sourcesOfCustomer(tenant: Tenant, email: string): Part[] {
  const newest = (table: string, kept: Prisma.Sql, max: number) =>
    inOrderOf(table, [ownedBy(tenant), ...ofCustomer(email), kept], customerOrder(table), max);
  const { links, subscriptions, tokenizations } = customerSubjects;
  const kept = Prisma.sql`deleted_at IS NULL`;
  const ofEach = (column: Subject["column"]): Subject => ({ id: Prisma.raw("subject.id"), column });
  const each = {
    links: Prisma.sql`SELECT id FROM (${newest("payment_link", kept, links)}) AS l WHERE subscription_id IS NULL`,
    subscriptions: Prisma.sql`SELECT id FROM (${newest("subscription", kept, subscriptions)}) AS s`,
    tokenizations: Prisma.sql`SELECT id FROM (${newest("tokenization", Prisma.sql`true`, tokenizations)}) AS t`,
    record: Prisma.sql`SELECT id FROM customer WHERE ${ownedBy(tenant)} AND email = ${email}`,
  };
  return [
    { ...events(ofEach("payment_link_id")), each: each.links },
    { ...mails(ofEach("payment_link_id")), each: each.links },
    { ...events(ofEach("subscription_id")), each: each.subscriptions },
    { ...mails(ofEach("subscription_id")), each: each.subscriptions },
    { ...events(ofEach("resource_id")), each: each.tokenizations },
    { ...events(ofEach("resource_id")), each: each.record },
  ];
}

/**
 * What happened to a customer, across their links, subscriptions and saved cards.
 * @throws ApiError not_found
 */
export async function timelineOfCustomer(
  tx: Db,
  actor: Actor,
  address: string,
  query: TimelineQuery,
): Promise<Page<TimelineEntry>> {
  const email = lowerAscii(address);
  const [known] = await describeCustomers(tx, actor, [email], 0);
  if (!known) throw notFound("Customer");
  return page(tx, actor, sourcesOfCustomer(actor, email), query, async () => []);
}

async function page(
  tx: Db,
  tenant: Tenant,
  parts: Part[],
  query: TimelineQuery,
  next: () => Promise<TimelineEntry[]>,
): Promise<Page<TimelineEntry>> {
  const { rows, page } = await listRows<Row>(tx, {
    table: "timeline",
    parts,
    columns: columns(tenant),
    where: [],
    query,
  });
  const ahead = query.cursor === null && query.sort === "-created_at" ? await next() : [];
  return { rows: [...ahead, ...rows.map(present)], page };
}
