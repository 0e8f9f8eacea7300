import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { acting } from "@/lib/core/acting";
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
export async function record(tx: Db, tenant: Tenant, events: NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  // Sorted ids keep the order of events of the same millisecond.
  const ids = events.map(() => newId("evt")).sort();
  const rows = events.map((event, index) => ({ ...rowOf(event), id: ids[index], index }));
  const mails = events.flatMap(({ mails = [] }, index) =>
    mails.map((mail) => ({ id: newId("eml"), index, template: mail.template, to: mail.to, props: mail.props })),
  );
  const given = Prisma.sql`
    SELECT r.index, r.id, r.type, r.resource_id, r.payment_link_id, r.data,
           coalesce(r.subscription_id, (SELECT l.subscription_id FROM payment_link l WHERE l.id = r.payment_link_id)) AS subscription_id
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
           index int, id text, type text, resource_id text, payment_link_id text, subscription_id text, data jsonb)`;
  const queued = Prisma.sql`
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) AS m(id text, index int, template text, "to" text, props jsonb)`;
  await queryRows(tx, Prisma.sql`WITH ${recording(tenant, given, queued)} SELECT`);
}

interface Creation {
  type: Extract<EventType, `${string}.created`>;
  /** The mail about the new row, whose template shows it under this name. */
  mail?: { template: QueuedMail["template"]; to: string; shownAs: string };
  /** Parts of the WITH that the insert reads. */
  before?: Prisma.Sql;
  /** Returns the row as the API shows it. */
  insert: Prisma.Sql;
}

/** `createRecordedIf` of a row that is certain to be inserted. */
export async function createRecorded<Row extends { _id: string }>(
  tx: Db,
  tenant: Tenant,
  creation: Creation,
): Promise<Row> {
  const row = await createRecordedIf<Row>(tx, tenant, creation);
  if (!row) throw new Error(`${creation.type}: nothing was inserted.`);
  return row;
}

/**
 * Inserts a row that the API shows, with its event, webhook deliveries and mail, in one statement: outside a transaction,
 * it takes one round trip and is its own commit.
 * @returns null when the insert had no row to insert
 */
export async function createRecordedIf<Row extends { _id: string }>(
  tx: Db,
  tenant: Tenant,
  { type, mail, before = Prisma.empty, insert }: Creation,
): Promise<Row | null> {
  const id = Prisma.sql`c._id`;
  const none = Prisma.sql`NULL::text`;
  const given = Prisma.sql`
    SELECT 0 AS index, ${newId("evt")} AS id, ${type} AS type, c._id AS resource_id, ${type === "payment_link.created" ? id : none} AS payment_link_id,
           to_jsonb(c) AS data, ${type === "subscription.created" ? id : Prisma.sql`to_jsonb(c) ->> 'subscription_id'`} AS subscription_id
      FROM created c`;
  const queued = Prisma.sql`
    SELECT ${newId("eml")} AS id, 0 AS index, ${mail?.template ?? ""} AS template, ${mail?.to ?? ""} AS "to",
           jsonb_build_object(${mail?.shownAs ?? ""}::text, to_jsonb(c)) AS props
      FROM created c WHERE ${mail !== undefined}`;
  const [row] = await queryRows<{ row: Row }>(
    tx,
    Prisma.sql`
    WITH ${before} created AS (${insert}), ${recording(tenant, given, queued)}
    SELECT to_json(c) AS row FROM created c`,
  );
  return row?.row ?? null;
}

/**
 * The parts of a WITH that write events, deliveries and mails.
 * @param given SELECT of the events, with an index
 * @param queued SELECT of the mails, with the index of their event
 */
function recording(tenant: Tenant, given: Prisma.Sql, queued: Prisma.Sql): Prisma.Sql {
  const { business_id, livemode } = tenantOf(tenant);
  const who = acting();
  const at = clock.now();
  return Prisma.sql`
    given AS (${given}), written AS (
      INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, payment_link_id, subscription_id, data,
                         actor_type, actor_id, request_id, created_at)
      SELECT g.id, ${business_id}::int, ${livemode}::boolean, g.type, g.resource_id,
             coalesce((SELECT max(e.sequence) FROM event e WHERE e.resource_id = g.resource_id), 0)
               + row_number() OVER (PARTITION BY g.resource_id ORDER BY g.index),
             g.payment_link_id, g.subscription_id, g.data, ${who.type}, ${who.id}, ${who.requestId}, ${at}::timestamptz
        FROM given g
    ), delivered AS (
      INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, event_id, subscription_id, type)
      SELECT 'whd_' || substr(g.id, 5, 10) || substr(replace(gen_random_uuid()::text, '-', ''), 1, 26),
             w.business_id, w.livemode, w.id, g.id, g.subscription_id, g.type
        FROM given g JOIN webhook_endpoint w ON w.business_id = ${business_id} AND w.livemode = ${livemode}
         AND w.status = 'enabled' AND w.deleted_at IS NULL AND w.events && ARRAY['*', g.type]
    ), mailed AS (
      INSERT INTO email (id, business_id, livemode, event_id, payment_link_id, subscription_id, template, "to", props, status,
                         next_attempt_at, created_at)
      SELECT m.id, ${business_id}::int, ${livemode}::boolean, g.id, g.payment_link_id, g.subscription_id, m.template, m.to,
             m.props, CASE WHEN ${livemode} THEN 'queued' ELSE 'outbox' END,
             CASE WHEN ${livemode} THEN clock_timestamp() END, ${at}::timestamptz
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
