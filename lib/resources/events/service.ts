import { type Actor, owner } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { notFound } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { equals, iso, listRows } from "@/lib/http/list";
import type { Event, EventListQuery } from "./contract";

interface Row extends Omit<Event, "_id" | "actor"> {
  id: string;
  actor_type: Event["actor"]["type"];
  actor_id: string | null;
}

const columns = Prisma.sql`
  id, type, ${iso("created_at")} AS created_at, business_id, livemode, resource_id, sequence, data, actor_type, actor_id,
  request_id`;

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

function present({ id, type, created_at, actor_type, actor_id, request_id, ...row }: Row): Event {
  return { _id: id, type, created_at, ...row, actor: { type: actor_type, id: actor_id }, request_id };
}

/** @throws ApiError not_found */
export async function getEvent(tx: Db, actor: Actor, id: string): Promise<Event> {
  if (!isId("evt", id)) throw notFound("Event");
  const [row] = await queryRows<Row>(tx, Prisma.sql`SELECT ${columns} FROM event WHERE id = ${id} AND ${mine(actor)}`);
  if (!row) throw notFound("Event");
  return present(row);
}

/** The events with these ids, of whatever business: for those who deliver them. */
export async function eventsById(tx: Db, ids: string[]): Promise<Map<string, Event>> {
  const rows = await queryRows<Row>(
    tx,
    Prisma.sql`SELECT ${columns} FROM event WHERE id = ANY(${[...new Set(ids)]}::text[])`,
  );
  return new Map(rows.map((row) => [row.id, present(row)]));
}

/** Newest first unless asked otherwise. */
export async function listEvents(tx: Db, actor: Actor, query: EventListQuery): Promise<Page<Event>> {
  const { type, resource_id, payment_link_id, subscription_id } = query;
  const where = [mine(actor), ...equals({ type, resource_id, payment_link_id, subscription_id })];
  const { rows, page } = await listRows<Row>(tx, { table: "event", columns, where, query });
  return { rows: rows.map(present), page };
}
