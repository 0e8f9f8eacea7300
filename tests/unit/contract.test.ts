import { describe, expect, it } from "vitest";
import { allows, grantableScopes, roleScopes, uncoveredScopes } from "@/lib/auth/scopes";
import type { Endpoint } from "@/lib/http/endpoint";
import { failures, jsonSchema, openapi } from "@/lib/http/openapi";
import { parseInput } from "@/lib/http/validation";
import { sections } from "@/lib/resources/endpoints";
import { eventTypeNames } from "@/lib/resources/events/types";
import { webhookMessages } from "@/lib/resources/events/webhook-messages";

const endpoints = sections.flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[]);

describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  (_, endpoint) => {
    it("has complete examples that its own schemas accept", () => {
      expect(endpoint.response.parse(endpoint.example.data)).toEqual(endpoint.example.data);
      expect(Boolean(endpoint.example.body)).toBe(Boolean(endpoint.body));
      if (endpoint.body) expect(() => parseInput(endpoint.body as never, endpoint.example.body ?? {})).not.toThrow();
    });

    it("has an example response with times as the API writes them, to the microsecond", () => {
      expect(JSON.stringify(endpoint.example.data)).not.toMatch(/T\d\d:\d\d:\d\d(\.\d{1,5}|\.\d{7,})?Z/);
    });

    it("has an example response with the example's changes", () => {
      const { body = {}, data } = endpoint.example;
      if (endpoint.method !== "PUT") return;
      // Metadata is changed key by key, and an amount is sent as a text of cents.
      const changed = Object.entries(body).filter(
        ([name, sent]) => name !== "metadata" && typeof sent === typeof data[name],
      );
      expect(data).toMatchObject(Object.fromEntries(changed));
    });

    it("documents 400, 413 and 415 if it reads a body", () => {
      const reads = endpoint.method === "POST" || endpoint.method === "PUT";
      const expected = reads ? [400, 413, 415] : [];
      expect(failures(endpoint).filter((status) => [400, 413, 415].includes(status))).toEqual(expected);
    });
  },
);

it("describes the numbers of a query, which are texts, by a pattern", () => {
  const schemas = endpoints.flatMap(({ query }) =>
    Object.entries(query ? (jsonSchema(query, "input").properties as object) : {}),
  );
  const numbers = schemas.filter(([name]) => ["per_page", "amount_from", "amount_to"].includes(name));
  expect(numbers.length).toBeGreaterThan(20);
  for (const [name, { anyOf }] of numbers)
    expect(anyOf, name).toContainEqual(expect.objectContaining({ type: "string", pattern: "^[0-9]{1,9}$" }));
});

it("gives every operation its own id", () => {
  const document = openapi(sections, "https://pay.example/api", []) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(ids.length).toBe(endpoints.length);
  expect(new Set(ids).size).toBe(ids.length);
});

it("documents every event as a webhook, with an example that its schema accepts", () => {
  const { webhooks } = openapi(sections, "https://pay.example/api", webhookMessages) as {
    webhooks: Record<string, { post: { requestBody: { content: { "application/json": Documented } } } }>;
  };
  expect(Object.keys(webhooks)).toEqual(eventTypeNames);
  for (const { name, body, example } of webhookMessages) {
    expect(body.parse(example), name).toEqual(example);
    const documented = webhooks[name]?.post.requestBody.content["application/json"];
    expect(documented?.example).toEqual(example);
    expect(documented?.schema.properties.type).toMatchObject({ const: name });
    expect(Object.keys(documented?.schema.properties.data.properties ?? {})).toContain("_id");
    expect(documented?.schema.required).toContain("timestamp");
  }
});

interface Documented {
  schema: { properties: { type: object; data: { properties: object } }; required: string[] };
  example: object;
}

describe("allows", () => {
  it("lets write include read, within a resource", () => {
    expect(allows(["write"], "packages:read")).toBe(true);
    expect(allows(["packages:write"], "packages:read")).toBe(true);
    expect(allows(["packages:write"], "subscriptions:read")).toBe(false);
    expect(allows(["read"], "packages:write")).toBe(false);
    expect(allows(["packages:read"], "packages:write")).toBe(false);
    expect(allows([], "packages:read")).toBe(false);
    expect(allows(["admin", "", "packages"], "packages:read")).toBe(false);
  });

  it("offers keys the endpoints' scopes and the two general ones, but none for people", () => {
    const asked = endpoints.flatMap(({ scope }) => scope ?? []);
    const people = asked.filter((scope) => /^(team|account):/.test(scope));
    expect(people.length).toBeGreaterThan(0);
    expect(asked.filter((scope) => !grantableScopes.includes(scope)).sort()).toEqual(people.sort());
    for (const scope of ["read", "write", ...people.map((name) => name)])
      expect(grantableScopes.includes(scope)).toBe(scope === "read" || scope === "write");
  });

  it("does not let the general scopes manage keys or people", () => {
    for (const scope of ["api_keys:read", "api_keys:write", "team:read", "account:read"] as const)
      expect(allows(["read", "write"], scope)).toBe(false);
    expect(uncoveredScopes(["payment_links:write"], ["payment_links:read", "read"])).toEqual(["read"]);
    expect(uncoveredScopes(["write"], ["read", "refunds:write", "api_keys:read"])).toEqual(["api_keys:read"]);
    expect(uncoveredScopes(roleScopes.developer, ["write", "api_keys:write"])).toEqual([]);
    expect(uncoveredScopes(roleScopes.support, ["payment_links:write", "refunds:write"])).toEqual(["refunds:write"]);
  });
});
