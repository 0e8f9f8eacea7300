import { Prisma } from "@/lib/core/db";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { ApiRequest, RequestListQuery, RequestSummary } from "./contract";

export const requestSummaries = defineResource<RequestSummary, RequestListQuery>({
  name: "Request",
  table: "api_request",
  idPrefix: "req",
  fields: {
    _id: Prisma.sql`id`,
    method: column,
    path: column,
    query: column,
    status: column,
    duration_ms: column,
    request_id: column,
    actor: Prisma.sql`json_build_object('type', actor_type, 'id', actor_id, 'name',
      CASE actor_type WHEN 'api_key' THEN (SELECT k.name FROM api_key k WHERE k.id = actor_id)
                      ELSE (SELECT u.name FROM staff_user u WHERE u.id = actor_id) END)`,
    address: column,
    business_id: column,
    livemode: column,
    created_at: instant,
  },
  filters: {
    method: column,
    status: (status) => Prisma.sql`status / 100 = ${Number(status[0])}::int`,
    path: (path) => Prisma.sql`starts_with(path, ${path})`,
    actor_type: column,
    api_key_id: (id) => Prisma.sql`actor_id = ${id}`,
    request_id: column,
  },
});

export const requests = requestSummaries.extend<ApiRequest>({ request_body: column, response_body: column });
