import { errorCodes } from "@/lib/core/errors";
import { jsonSchema } from "@/lib/http/openapi";
import { anchor } from "./endpoint-section";
import type { Section } from "./frame";
import { guides } from "./guides/guides";
import { fieldAnchor, type JsonSchema } from "./schema-table";

/** What the search finds: a title, what it belongs to, and its address. */
export type SearchEntry = [title: string, context: string, href: string];

/** Guides, endpoints, their fields and parameters, and the codes of errors, in this order. */
export function searchIndex(sections: Section[]): SearchEntry[] {
  const endpoints = sections.flatMap((section) => Object.values(section.endpoints));
  return [
    ...guides.map(({ slug, title }): SearchEntry => [title, "Guide", `/docs/${slug}`]),
    ...endpoints.map((each): SearchEntry => [each.summary, `${each.method} ${each.path}`, `/docs#${anchor(each)}`]),
    ...endpoints.flatMap((endpoint) =>
      [endpoint.body, endpoint.query].flatMap((schema) => {
        const { properties = {} } = schema ? (jsonSchema(schema, "input") as JsonSchema) : {};
        const context = `${endpoint.method} ${endpoint.path}`;
        return Object.keys(properties).map(
          (name): SearchEntry => [name, context, `/docs#${fieldAnchor(anchor(endpoint), name)}`],
        );
      }),
    ),
    ...errorCodes.map(
      ({ code, status, message }): SearchEntry => [code, `${status} ${message}`, `/docs/errors#code.${code}`],
    ),
  ];
}
