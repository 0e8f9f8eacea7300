import { Prisma } from "@/lib/core/db";
import { among, facet, fewOfTenant, key } from "@/lib/http/list-filters";
import type { Facet } from "@/lib/http/list-streams";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { ApiRequest, RequestListQuery, RequestSummary } from "./contract";

const method: Facet = { sql: "method", type: "text" };
const statusClass: Facet = { sql: "(status / 100)", type: "int", values: [1, 2, 3, 4, 5] };
const actorType: Facet = { sql: "actor_type", type: "text", values: ["api_key", "user"] };

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
    method: facet(method),
    status: (status) => among(statusClass, [Number(status[0])]),
    path: (path) => Prisma.sql`starts_with(path, ${path})`,
    actor_type: facet(actorType),
    api_key_id: key("actor_id"),
    request_id: fewOfTenant("api_request", "request_id"),
  },
  facets: [[method, statusClass, actorType]],
});

export const requests = requestSummaries.extend<ApiRequest>({ request_body: column, response_body: column });
