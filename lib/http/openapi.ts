import { z } from "zod";
import { grantableScopes } from "@/lib/auth/scopes";
import type { Endpoint } from "./endpoint";

type JsonSchema = Record<string, unknown>;

/** A zod schema as JSON Schema, which OpenAPI 3.1 uses unchanged. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    // The API adds fields over time: clients must accept unknown ones.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false || io === "input") delete jsonSchema.additionalProperties;
    },
  });
  return rest;
}

/** A query parameter can be absent but never null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const others = Array.isArray(anyOf) ? anyOf.filter((option) => option.type !== "null") : null;
  if (others?.length === 1) return { ...rest, ...others[0] };
  return Array.isArray(schema.type) ? { ...schema, type: schema.type.find((type) => type !== "null") } : schema;
}

const error = (description: string, ...fields: string[]) => ({
  description,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: fields,
        properties: Object.fromEntries(
          fields.map((field) => [
            field,
            field === "errors"
              ? { type: "object", additionalProperties: { type: "array", items: { type: "string" } } }
              : { type: "string" },
          ]),
        ),
      },
    },
  },
});

const responses = {
  400: error("The request body is not valid JSON.", "message", "code"),
  401: error("No usable API key.", "message", "code"),
  402: error("The card was declined: see reason.", "message", "code", "reason", "payment_id"),
  403: error("The key's scopes do not allow this.", "message", "code"),
  404: error("It does not exist, is deleted, or belongs to another business.", "message", "code"),
  409: error("The current state does not allow this.", "message", "code"),
  412: error(
    "It has changed since it was read; only with If-Match, previous_notes or an expected amount.",
    "message",
    "code",
  ),
  413: error("The body is larger than 64 kB.", "message", "code"),
  415: error("The Content-Type is not application/json.", "message", "code"),
  422: error("The given data was invalid.", "message", "errors"),
  429: error("Too many requests; see Retry-After.", "message", "code"),
  500: error("An unexpected error.", "message", "code"),
  503: error("The database or the gateway is unavailable or busy; see Retry-After.", "message", "code"),
} as const;

function envelope({ response, list }: Endpoint): JsonSchema {
  const data = jsonSchema(response, "output");
  const meta = { timestamp: { type: "string", examples: ["2026-01-31 12:00:00 UTC"] }, timezone: { const: "UTC" } };
  const page = {
    per_page: { type: "integer" },
    next_cursor: { type: ["string", "null"] },
    prev_cursor: { type: ["string", "null"] },
    total: { type: "integer", description: "Only with with_total=true." },
    total_is_lower_bound: {
      type: "boolean",
      description: "Only with with_total=true. true: there are at least `total` rows, and possibly more.",
    },
    sums: {
      type: "array",
      description: "Only with with_total=true, of lists of amounts: the sum of the rows in `total`, for each currency.",
      items: {
        type: "object",
        required: ["currency", "amount_cents", "count"],
        properties: { currency: { type: "string" }, amount_cents: { type: "integer" }, count: { type: "integer" } },
      },
    },
  };
  return {
    type: "object",
    required: ["success", "data", "errors", "meta"],
    properties: {
      success: { const: true },
      data: list ? { type: "array", items: data } : data,
      errors: { type: "null" },
      meta: {
        type: "object",
        required: ["timestamp", "timezone", ...(list ? ["per_page", "next_cursor", "prev_cursor"] : [])],
        properties: list ? { ...meta, ...page } : meta,
      },
    },
  };
}

/** Whether only signed-in people can call the endpoint: no key can have its scope. */
export const forPeople = ({ scope }: Endpoint): boolean => scope !== null && !grantableScopes.includes(scope);

export function failures(endpoint: Endpoint): (keyof typeof responses)[] {
  // A POST without a body schema still refuses a body that is not JSON.
  const readsBody = endpoint.body !== undefined || endpoint.method === "POST";
  return [
    ...(readsBody ? ([400] as const) : []),
    ...(endpoint.scope === null ? [] : ([401] as const)),
    ...(endpoint.declines ? ([402] as const) : []),
    403,
    ...(endpoint.path.includes("{") ? ([404] as const) : []),
    ...(endpoint.conflicts || endpoint.method === "POST" ? ([409] as const) : []),
    ...(endpoint.ifMatch || endpoint.precondition ? ([412] as const) : []),
    ...(readsBody ? ([413, 415] as const) : []),
    422,
    429,
    500,
    503,
  ];
}

function operation(name: string, tag: string, endpoint: Endpoint): JsonSchema {
  const id = endpoint.path.match(/\{(\w+)\}/)?.[1];
  const query = endpoint.query ? jsonSchema(endpoint.query, "input") : {};
  const parameters = [
    ...(id ? [{ name: id, in: "path", required: true, schema: { type: "string" } }] : []),
    ...Object.entries((query.properties ?? {}) as Record<string, JsonSchema>).map(([parameter, schema]) => ({
      name: parameter,
      in: "query",
      schema: withoutNull(schema),
      ...(withoutNull(schema).type === "object" ? { style: "deepObject", explode: true } : {}),
    })),
    ...(endpoint.method === "POST" && endpoint.scope !== null
      ? [{ name: "Idempotency-Key", in: "header", schema: { type: "string", minLength: 1, maxLength: 255 } }]
      : []),
    ...(endpoint.ifMatch
      ? [{ name: "If-Match", in: "header", schema: { type: "string" }, description: "The updated_at that was read." }]
      : []),
  ];
  return {
    operationId: `${name}_${tag.toLowerCase().replace(/[ -]/g, "_")}`,
    tags: [tag],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      endpoint.declines && `402: ${endpoint.declines}`,
      endpoint.conflicts && `409: ${endpoint.conflicts}`,
      endpoint.stepUp &&
        "A session needs a confirmation of the person's identity in the last ten minutes, else 403 `confirmation_required`.",
      endpoint.scope === null
        ? "No key is needed."
        : `Scope: ${[endpoint.scope, endpoint.alsoRequires].filter(Boolean).join(" and ")}.`,
      forPeople(endpoint) && "Only for signed-in people: no key can have this scope.",
    ]
      .filter(Boolean)
      .join("\n\n"),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.scope === null ? { security: [] } : forPeople(endpoint) ? { security: [{ session: [] }] } : {}),
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchema(endpoint.body, "input") } },
          },
        }
      : {}),
    responses: {
      200: {
        description: "Success.",
        content: endpoint.csv
          ? { "text/csv": { schema: { type: "string" } } }
          : { "application/json": { schema: envelope(endpoint) } },
      },
      ...Object.fromEntries(failures(endpoint).map((status) => [status, responses[status]])),
    },
  };
}

export interface Message {
  name: string;
  summary: string;
  body: z.ZodType;
  example: Record<string, unknown>;
}

const signed = ["webhook-id", "webhook-timestamp", "webhook-signature"];

function webhook({ name, summary, body, example }: Message): JsonSchema {
  return {
    post: {
      operationId: `webhook_${name.replace(".", "_")}`,
      tags: ["Webhooks"],
      summary,
      security: [],
      parameters: signed.map((header) => ({ name: header, in: "header", required: true, schema: { type: "string" } })),
      requestBody: {
        required: true,
        content: { "application/json": { schema: jsonSchema(body, "output"), example } },
      },
      responses: {
        "2XX": { description: "Accepted. Any other status, or no response within 15 seconds, is retried." },
        410: { description: "Gone: Paydesk disables the endpoint." },
      },
    },
  };
}

/** The OpenAPI 3.1 document of an endpoint table, served below `baseUrl`, and of the webhooks. */
export function openapi(
  sections: { name: string; endpoints: Record<string, Endpoint> }[],
  baseUrl: string,
  messages: Message[],
): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const section of sections)
    for (const [name, endpoint] of Object.entries(section.endpoints))
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: operation(name, section.name, endpoint),
      };
  return {
    openapi: "3.1.0",
    info: { title: "Paydesk API", version: "1", description: "Tokenizations, payment links and subscriptions." },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: sections.map(({ name }) => ({ name })),
    paths,
    webhooks: Object.fromEntries(messages.map((message) => [message.name, webhook(message)])),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "paydesk-session",
          description: "The dashboard's session cookie.",
        },
      },
    },
  };
}
