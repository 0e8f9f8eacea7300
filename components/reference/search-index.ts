import { Children, isValidElement, type ReactNode } from "react";
import { grantableScopes } from "@/lib/auth/scopes";
import { errorCodes } from "@/lib/core/errors";
import type { Endpoint } from "@/lib/http/endpoint";
import { jsonSchema } from "@/lib/http/openapi";
import { eventTypes } from "@/lib/resources/events/types";
import { anchor, fullPath } from "./endpoint-section";
import { basics, type Section, slug } from "./frame";
import type { Card } from "./guides/guide-props";
import { guides } from "./guides/guides";
import { fieldAnchor, type JsonSchema } from "./schema-table";

/** What the search finds: a title, what it belongs to, and its address. */
export type SearchEntry = [title: string, context: string, href: string];

/** Where a name is used: the endpoint, and the address of the name there. */
type Use = [name: string, endpoint: Endpoint, href: string];

/** Endpoints that a line names before it counts them. */
const maxPlaces = 3;

const headers: SearchEntry[] = [
  ["Authorization", "Request header: Bearer and the API key", "/docs#start"],
  ["Idempotency-Key", "Request header: repeat a POST safely", "/docs/idempotency"],
  ["Idempotency-Replayed", "Response header: the stored response was returned", "/docs/idempotency"],
  ["If-Match", "Request header: the updated_at that was read", "/docs/errors#statuses"],
  ["Retry-After", "Response header: seconds to wait after a 429 or 503", "/docs/errors#statuses"],
  ["X-RateLimit-Limit", "Response header: requests a minute, the rate limit", "/docs#lists"],
  ["X-RateLimit-Remaining", "Response header: requests left before the rate limit", "/docs#lists"],
  ["X-Request-Id", "Response header: name it when you report a problem", "/docs#responses"],
  ["webhook-id", "Webhook header: the event’s id", "/docs/webhooks#receive"],
  ["webhook-signature", "Webhook header: verify it over the raw payload", "/docs/webhooks#signature"],
  ["webhook-timestamp", "Webhook header: when the payload was signed", "/docs/webhooks#receive"],
];

/**
 * A field of a body has one entry for each endpoint. Parameters, fields of responses alone and scopes have one entry for all
 * endpoints: otherwise "cursor" would fill the results.
 */
export function searchIndex(sections: Section[], testCards: readonly Card[]): SearchEntry[] {
  const endpoints = sections.flatMap((section) => Object.values(section.endpoints));
  const withExportsLast = endpoints.toSorted((a, b) => Number(!!a.csv) - Number(!!b.csv));
  const bodyFields = endpoints.flatMap((each) => requestFields(each, each.body));
  const parameters = withExportsLast.flatMap((each) => requestFields(each, each.query));
  const described = new Set([...bodyFields, ...parameters].map(([name]) => name));
  const ofResponses = withExportsLast.flatMap(responseFields).filter(([name]) => !described.has(name));
  const guideProps = { baseUrl: "", testCards, sample: () => null };
  return [
    ...guides.map(({ slug, title }): SearchEntry => [title, "Guide", `/docs/${slug}`]),
    ...basics.map((name): SearchEntry => [name, "Reference", `/docs#${slug(name)}`]),
    ...guides.flatMap(({ slug, title, Body }) =>
      headingsOf(Body(guideProps)).map(([id, text]): SearchEntry => [text, `Guide: ${title}`, `/docs/${slug}#${id}`]),
    ),
    ...headers,
    ...endpoints.map((each): SearchEntry => [each.summary, callOf(each), `/docs#${anchor(each)}`]),
    ...Object.entries(eventTypes).map(
      ([name, { summary }]): SearchEntry => [name, `Event: ${summary}`, `/docs/webhooks#event.${name}`],
    ),
    ...bodyFields.map(([name, endpoint, href]): SearchEntry => [name, callOf(endpoint), href]),
    ...grouped(parameters, "Query of "),
    ...grouped(ofResponses, "Response of "),
    ...grouped(withExportsLast.flatMap(scopesOf), "Scope of "),
    ...testCards.map(
      ({ number, group, label }): SearchEntry => [
        number,
        `Test card, ${group}: ${label}`,
        `/docs/test-cards#card.${number}`,
      ],
    ),
    ...errorCodes.map(
      ({ code, status, message }): SearchEntry => [code, `${status} ${message}`, `/docs/errors#code.${code}`],
    ),
  ];
}

function headingsOf(node: ReactNode): [id: string, text: string][] {
  return Children.toArray(node).flatMap((child) => {
    if (!isValidElement<{ id?: string; children?: ReactNode }>(child)) return [];
    const { id, children } = child.props;
    return child.type === "h2" && id ? [[id, String(children)]] : headingsOf(children);
  });
}

const namesOf = (schema: JsonSchema): string[] => [
  ...Object.keys(schema.properties ?? {}),
  ...(schema.anyOf ?? []).flatMap(namesOf),
];

const requestFields = (endpoint: Endpoint, schema: Endpoint["body"]): Use[] =>
  Object.keys((schema ? (jsonSchema(schema, "input") as JsonSchema) : {}).properties ?? {}).map((name) => [
    name,
    endpoint,
    `/docs#${fieldAnchor(anchor(endpoint), name)}`,
  ]);

const responseFields = (endpoint: Endpoint): Use[] =>
  namesOf(jsonSchema(endpoint.response, "output") as JsonSchema).map((name) => [
    name,
    endpoint,
    `/docs#${anchor(endpoint)}`,
  ]);

const scopesOf = (endpoint: Endpoint): Use[] =>
  [endpoint.scope, endpoint.alsoRequires].flatMap((scope): Use[] =>
    scope && grantableScopes.includes(scope) ? [[scope, endpoint, `/docs#${anchor(endpoint)}`]] : [],
  );

const callOf = (endpoint: Endpoint): string => `${endpoint.method} ${fullPath(endpoint)}`;

/** One entry for each name, at the address of its first use: "Query of GET /api/payments and 7 more endpoints". */
function grouped(uses: Use[], of: string): SearchEntry[] {
  const byName = new Map<string, { href: string; places: Set<string> }>();
  for (const [name, endpoint, href] of uses) {
    const known = byName.get(name) ?? { href, places: new Set() };
    known.places.add(callOf(endpoint));
    byName.set(name, known);
  }
  return [...byName].map(([name, { href, places }]) => {
    const shown = [...places].slice(0, places.size > maxPlaces ? 1 : maxPlaces);
    const more = places.size - shown.length;
    return [name, `${of}${shown.join(", ")}${more > 0 ? ` and ${more} more endpoints` : ""}`, href];
  });
}
