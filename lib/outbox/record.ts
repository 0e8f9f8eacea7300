import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { type Acting, acting } from "@/lib/core/acting";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { QueuedMail } from "@/lib/resources/emails/templates";
import type { EventType, Happening } from "@/lib/resources/events/types";

export type NewEvent = Happening & { mails?: QueuedMail[] };

/**
 * Records events with their webhook deliveries and mails, in the caller's transaction: all of them commit with the
 * change, or none. The caller must hold each resource's row lock (it has just written it), so that sequence numbers
 * follow the order of the changes. Mails of test mode are not sent: they get the status `outbox`.
 */
export const record = (tx: Db, tenant: Tenant, events: NewEvent[]): Promise<void> =>
  recordAll(tx, [{ tenant, events }]);

/** `record` for several tenants at once. */
export async function recordAll(tx: Db, groups: { tenant: Tenant; events: NewEvent[] }[]): Promise<void> {
  const events = groups.flatMap(({ tenant, events }) => events.map((event) => ({ ...event, ...tenantOf(tenant) })));
  if (events.length === 0) return;
  // Sorted ids keep the order of events of the same millisecond.
  const ids = events.map(() => newId("evt")).sort();
  const rows = events.map(({ business_id, livemode, ...event }, index) => {
    return { ...rowOf(event), id: ids[index], index, business_id, livemode };
  });
  const mails = events.flatMap(({ mails = [] }, index) =>
    mails.map((mail) => ({ id: newId("eml"), index, template: mail.template, to: mail.to, props: mail.props })),
  );
  const given = Prisma.sql`
    SELECT r.index, r.id, r.business_id, r.livemode, r.type, r.resource_id, r.payment_link_id, r.data,
           coalesce((SELECT max(e.sequence) FROM event e WHERE e.resource_id = r.resource_id), 0)
             + row_number() OVER (PARTITION BY r.resource_id ORDER BY r.index) AS sequence,
           coalesce(r.subscription_id, (SELECT l.subscription_id FROM payment_link l WHERE l.id = r.payment_link_id)) AS subscription_id
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(index int, id text, business_id int, livemode boolean,
           type text, resource_id text, payment_link_id text, subscription_id text, data jsonb)`;
  const queued = Prisma.sql`
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) AS m(id text, index int, template text, "to" text, props jsonb)`;
  await queryRows(tx, Prisma.sql`WITH ${recording(given, queued)} SELECT`);
}

interface Creation {
  type: Extract<EventType, `${string}.created`>;
  /** The mail about the new row, whose template shows it under this name. */
  mail?: { template: QueuedMail["template"]; to: string; shownAs: string };
  /** The event's actor; by default `acting()`. */
  who?: Acting;
  /** Returns the row as the API shows it. */
  insert: Prisma.Sql;
}

/**
 * Inserts a row that the API shows, with its event, webhook deliveries and mail, in one statement: outside a transaction,
 * it takes one round trip and is its own commit.
 */
export async function createRecorded<Row extends { _id: string }>(
  tx: Db,
  tenant: Tenant,
  { type, mail, who, insert }: Creation,
): Promise<Row> {
  const id = Prisma.sql`c._id`;
  const none = Prisma.sql`NULL::text`;
  const { business_id, livemode } = tenantOf(tenant);
  const given = Prisma.sql`
    SELECT 0 AS index, 1 AS sequence, ${newId("evt")} AS id, ${business_id}::int AS business_id, ${livemode}::boolean AS livemode, ${type} AS type, c._id AS resource_id, ${type === "payment_link.created" ? id : none} AS payment_link_id,
           to_jsonb(c) AS data, ${type === "subscription.created" ? id : none} AS subscription_id
      FROM created c`;
  const queued = Prisma.sql`
    SELECT ${newId("eml")} AS id, 0 AS index, ${mail?.template ?? ""} AS template, ${mail?.to ?? ""} AS "to",
           jsonb_build_object(${mail?.shownAs ?? ""}::text, to_jsonb(c)) AS props
      FROM created c WHERE ${mail !== undefined}`;
  const [row] = await queryRows<{ row: Row }>(
    tx,
    Prisma.sql`
    WITH created AS (${insert}), ${recording(given, queued, who)}
    SELECT to_json(c) AS row FROM created c`,
  );
  if (!row) throw new Error(`${type}: nothing was inserted.`);
  return row.row;
}

const noMails = Prisma.sql`SELECT NULL AS id, 0 AS index, NULL AS template, NULL AS "to", NULL::jsonb AS props WHERE false`;

/**
 * The parts of a WITH that write events, deliveries and mails.
 * @param given SELECT of the events: tenant, index, and sequence (1 for a resource's first event)
 * @param queued SELECT of the mails, with the index of their event
 * @param who the actor of all events
 */
export function recording(given: Prisma.Sql, queued = noMails, who = acting()): Prisma.Sql {
  const at = clock.now();
  return Prisma.sql`
    given AS (${given}), written AS (
      INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, payment_link_id, subscription_id, data,
                         actor_type, actor_id, request_id, created_at)
      SELECT g.id, g.business_id, g.livemode, g.type, g.resource_id,
             g.sequence, g.payment_link_id, g.subscription_id, g.data, ${who.type}, ${who.id}, ${who.requestId}, ${at}::timestamptz
        FROM given g
    ), delivered AS (
      INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, event_id, subscription_id, type)
      SELECT webhook_delivery_id(w.id, g.id), g.business_id, g.livemode, w.id, g.id, g.subscription_id, g.type
        FROM given g CROSS JOIN LATERAL (
          -- OFFSET keeps the planner from reading all endpoints: it expects a hundred events.
          SELECT id FROM webhook_endpoint WHERE business_id = g.business_id AND livemode = g.livemode
             AND status = 'enabled' AND deleted_at IS NULL AND events && ARRAY['*', g.type] OFFSET 0) AS w
    ), mailed AS (
      INSERT INTO email (id, business_id, livemode, event_id, payment_link_id, subscription_id, template, "to", props, status,
                         next_attempt_at, created_at)
      SELECT m.id, g.business_id, g.livemode, g.id, g.payment_link_id, g.subscription_id, m.template, m.to,
             m.props, CASE WHEN g.livemode THEN 'queued' ELSE 'outbox' END,
             CASE WHEN g.livemode THEN clock_timestamp() END, ${at}::timestamptz
        FROM (${queued}) AS m JOIN given g ON g.index = m.index
    )`;
}

function rowOf({ type, data }: Happening) {
  const { _id } = data;
  const [resource] = type.split(".");
  return {
    type,
    resource_id: _id,
    payment_link_id: resource === "payment_link" ? _id : "payment_link_id" in data ? data.payment_link_id : null,
    subscription_id: resource === "subscription" ? _id : "subscription_id" in data ? data.subscription_id : null,
    data,
  };
}
