import { type Actor, owner } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { notFound } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { equals, iso, listRows } from "@/lib/http/list";
import type { ApiRequest, RequestListQuery, RequestSummary } from "./contract";

interface Row extends Omit<RequestSummary, "_id" | "actor"> {
  id: string;
  actor_type: RequestSummary["actor"]["type"];
  actor_id: string;
  actor_name: string | null;
}

const columns = Prisma.sql`
  id, method, path, query, status, duration_ms, request_id, actor_type, actor_id, address, business_id, livemode,
  CASE actor_type WHEN 'api_key' THEN (SELECT k.name FROM api_key k WHERE k.id = actor_id)
                  ELSE (SELECT u.name FROM staff_user u WHERE u.id = actor_id) END AS actor_name,
  ${iso("created_at")} AS created_at`;

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

function present<R extends Row>({ id, actor_type, actor_id, actor_name, ...row }: R) {
  return { ...row, _id: id, actor: { type: actor_type, id: actor_id, name: actor_name } };
}

/** @throws ApiError not_found */
export async function getRequest(tx: Db, actor: Actor, id: string): Promise<ApiRequest> {
  if (!isId("req", id)) throw notFound("Request");
  const [row] = await queryRows<Row & Pick<ApiRequest, "request_body" | "response_body">>(
    tx,
    Prisma.sql`SELECT ${columns}, request_body, response_body FROM api_request WHERE id = ${id} AND ${mine(actor)}`,
  );
  if (!row) throw notFound("Request");
  return present(row);
}

/** Newest first unless asked otherwise. */
export async function listRequests(tx: Db, actor: Actor, query: RequestListQuery): Promise<Page<RequestSummary>> {
  const { method, status, path, actor_type, api_key_id, request_id } = query;
  const where = [
    mine(actor),
    ...equals({ method, actor_type, actor_id: api_key_id, request_id }),
    ...(status === null ? [] : [Prisma.sql`status / 100 = ${Number(status[0])}::int`]),
    ...(path === null ? [] : [Prisma.sql`starts_with(path, ${path})`]),
  ];
  const { rows, page } = await listRows<Row>(tx, { table: "api_request", columns, where, query });
  return { rows: rows.map(present), page };
}
