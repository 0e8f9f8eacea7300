import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional, text } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";

export const statusClasses = ["2xx", "4xx", "5xx"] as const;
export const requestMethods = ["GET", "HEAD", "POST", "PUT", "DELETE"] as const;

export const requestSummary = z.object({
  _id: z.string(),
  method: z.string(),
  path: z.string().describe("Below the base address."),
  query: z.string().nullable().describe("The query parameters, as far as they may be shown."),
  status: z.int(),
  duration_ms: z.number().describe("From the request's arrival to its response, without the network."),
  request_id: z.string().describe("The X-Request-Id of the response."),
  actor: z.object({
    type: z.enum(["api_key", "user"]),
    id: z.string(),
    name: z.string().nullable(),
  }),
  address: z.string().describe("The client's address."),
  business_id: z.int(),
  livemode: z.boolean(),
  created_at: z.string(),
});
export type RequestSummary = z.infer<typeof requestSummary>;

const request = requestSummary.extend({
  request_body: z.string().nullable().describe("Cut off after 4 kB; what may be a secret reads [redacted]."),
  response_body: z.string().nullable().describe("The same of the answer; null for what was read without an error."),
});
export type ApiRequest = z.infer<typeof request>;

const example: RequestSummary = {
  _id: "req_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v6",
  method: "POST",
  path: "/payment-links",
  query: null,
  status: 422,
  duration_ms: 3.4,
  request_id: "0f6c1f0e-58a1-4b5e-9d2e-0b2f6a8c7d11",
  actor: { type: "api_key", id: "key_01k8m4d2e3f4g5h6j7k8m9n0p1q2r3s4t5v6", name: "Web shop" },
  address: "192.0.2.7",
  business_id: 1,
  livemode: false,
  created_at: "2026-11-21T09:30:00.123456Z",
};

export const requestListQuery = listQuery({
  method: optional(z.enum(requestMethods)),
  status: optional(z.enum(statusClasses)),
  path: optional(text(200).describe("What the path begins with: /payment-links.")),
  actor_type: optional(z.enum(["api_key", "user"]).describe("api_key: your systems; user: people in the dashboard.")),
  api_key_id: optional(z.string()),
  request_id: optional(text(64).describe("The complete X-Request-Id of the response.")),
});
export type RequestListQuery = z.output<typeof requestListQuery>;

/** Columns of the exported file. */
export const requestColumns: readonly string[] = [
  "_id",
  "created_at",
  "method",
  "path",
  "query",
  "status",
  "duration_ms",
  "request_id",
  "actor.type",
  "actor.id",
  "actor.name",
  "address",
];

export const requestEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/requests/export",
    summary: "Export requests as CSV",
    description:
      "Every request that the filters find, as a file (RFC 4180, UTF-8). The column of a nested field has both names: `actor_name`. Both bodies are left out.",
    scope: "requests:read",
    query: exportQuery(requestListQuery),
    response: requestSummary,
    csv: true,
    example: { data: example },
  }),
  list: endpoint({
    method: "GET",
    path: "/requests",
    summary: "List requests",
    description:
      "Requests to the API by keys and from the dashboard within at least seven days, newest first. A request appears about a " +
      "second after its response.",
    scope: "requests:read",
    query: requestListQuery,
    response: requestSummary,
    list: true,
    example: { data: example },
  }),
  get: endpoint({
    method: "GET",
    path: "/requests/{request_log_id}",
    summary: "Get a request",
    description: "With both bodies, without what may be a secret.",
    scope: "requests:read",
    response: request,
    example: {
      data: {
        ...example,
        request_body: '{"email":"ada@example.com","currency":"EUR","amount":"10.50","title":"Order 1001"}',
        response_body:
          '{"message":"The given data was invalid.","errors":{"amount":["The amount must be an integer."]}}',
      },
    },
  }),
};
