import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { grantableScopes, resources, type Scope } from "@/lib/auth/scopes";
import { type Endpoint, examplePath } from "@/lib/http/endpoint";
import { forPeople } from "@/lib/http/openapi";
import { sections } from "@/lib/resources/endpoints";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create, type Kind, sampleOf, searchOf } from "@/tests/support/samples";
import { testPassword } from "@/tests/support/session";
import { callAs, forgetConfirmation, signedIn } from "@/tests/support/sign-in";

// The same checks for every endpoint, generated from the endpoint table. A new endpoint without a sample fails.

const all = sections.flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[]);
// Other tests and S1 check the endpoints for people and those without authentication.
const endpoints = all.filter((endpoint): endpoint is Keyed => endpoint.scope !== null && !forPeople(endpoint));
type Keyed = Endpoint & { scope: Scope };
const label = ({ method, path }: Endpoint) => `${method} ${path}`;
const scopeOf = (endpoint: Keyed) => endpoint.scope.split(":")[0] ?? "";
const resourceOf = ({ path }: Endpoint) => path.split("/")[1]?.replace("-", "_") as Kind;
const fill = (path: string, id: string) => path.replace(/\{\w+\}/, id);
const bodyOf = (endpoint: Endpoint, key: string): Promise<Record<string, unknown> | undefined> =>
  endpoint.body ? sampleOf(endpoint).body(key) : Promise.resolve(undefined);

let merchant: Merchant;
let stranger: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
  stranger = await createMerchant("Another shop");
});

/** For each resource, the ids of another business's row, of the other mode's, and of a deleted one if rows can be deleted. */
const unreachableIds = new Map<Kind, string[]>();

async function unreachable(endpoint: Endpoint): Promise<string[]> {
  const resource = resourceOf(endpoint);
  const made = unreachableIds.get(resource);
  if (made) return made;
  const key = merchant.key;
  const ids = [await create(stranger.key, resource), await create(merchant.liveKey, resource)];
  const deletable =
    resource !== "tokenizations" &&
    resource !== "api_keys" && // revoked, they stay
    resource !== "gateway_accounts" && // disconnected, they stay
    endpoints.some(({ method, path }) => method === "DELETE" && path === memberPath(endpoint));
  if (deletable) {
    const deleted = await create(key, resource);
    expect((await call("DELETE", fill(memberPath(endpoint), deleted), { key })).status).toBe(200);
    ids.push(deleted);
  }
  unreachableIds.set(resource, ids);
  return ids;
}

it("serves every endpoint of the table, and no other route", () => {
  const files = readdirSync("app/api", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("route.ts"),
  );
  const outside = ["route.ts", "[...path]/route.ts", "openapi.json/route.ts", "auth/[...nextauth]/route.ts"];
  const gateways = ["gateways/sandbox/webhook/route.ts", "gateways/stripe/webhook/route.ts"];
  const routes = files
    .filter((file) => ![...outside, ...gateways].includes(file))
    .map((file) => `/${file.replace("/route.ts", "")}`);
  const paths = new Set(all.map(({ path }) => path.replace(/\{\w+\}/, "[id]")));
  expect(routes.sort()).toEqual([...paths].sort());
});

describe.each(endpoints.map((endpoint) => [label(endpoint), endpoint] as const))("%s", (_, endpoint) => {
  const resource = resourceOf(endpoint);
  const sample = sampleOf(endpoint);
  const takesId = endpoint.path.includes("{");
  const search = searchOf(endpoint);
  const target = async (key: string) => {
    if (!takesId) return endpoint.path + search;
    const id = await create(key, resource);
    if (endpoint.method === "DELETE") await sample.makeRemovable?.(id);
    await sample.prepare?.(id);
    return fill(endpoint.path, id) + search;
  };

  it("returns 401 without a key, with a malformed one and with an unknown one", async () => {
    const path = fill(endpoint.path, sample.absentId);
    for (const authorization of [
      undefined,
      "",
      "Bearer",
      "Bearer x",
      "Basic YTpi",
      merchant.key,
      `Bearer sk_test_${"A".repeat(43)}`,
    ]) {
      const reply = await call(endpoint.method, path, {
        headers: { Authorization: authorization },
        body: bodyless(endpoint),
      });
      expect([reply.status, reply.text]).toEqual([401, '{"message":"Unauthenticated.","code":"unauthenticated"}']);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
      expect(reply.headers.get("x-request-id")).toBeTruthy();
    }
  });

  it("returns 403 to a key without its scope, before reading the body", async () => {
    const others = resources.filter((name) => name !== scopeOf(endpoint) && grantableScopes.includes(`${name}:write`));
    const scopes = [
      ...others.flatMap((name) => [`${name}:write`]),
      ...(endpoint.scope.endsWith("write") ? ["read"] : []),
    ];
    const key = await createKey(
      merchant,
      scopes.length > 0 && endpoint.scope.endsWith("read")
        ? others.map((name) => `${name}:read`).filter((scope) => grantableScopes.includes(scope))
        : scopes,
    );
    const reply = await call(endpoint.method, fill(endpoint.path, sample.absentId), { key, body: bodyless(endpoint) });
    expect([reply.status, reply.json]).toEqual([403, { message: "This action is unauthorized.", code: "forbidden" }]);
  });

  it("returns 200 in the envelope to a key with exactly its scope", async () => {
    const key = await createKey(merchant, [endpoint.scope, ...(endpoint.alsoRequires ? [endpoint.alsoRequires] : [])]);
    const body = await bodyOf(endpoint, merchant.key);
    const reply = await call(endpoint.method, await target(merchant.key), { key, body });
    expect(reply.status, reply.text).toBe(200);
    if (endpoint.csv) return expect(reply.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(Object.keys(reply.json)).toEqual(["success", "data", "errors", "meta"]);
    expect(reply.json).toMatchObject({ success: true, errors: null, meta: { timezone: "UTC" } });
    expect(reply.json.meta.timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(Array.isArray(reply.json.data)).toBe(endpoint.list === true);
    expect(reply.headers.get("content-type")).toBe("application/json");
    expect(reply.headers.get("cache-control")).toBe("no-store");
    for (const row of endpoint.list ? reply.json.data : [reply.json.data]) {
      expect(row.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      expect(row._id).toBeTruthy();
    }
  });

  it("returns 405 with the allowed methods for any other method", async () => {
    const siblings = endpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => method as string);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"].filter((name) => !siblings.includes(name))) {
      const reply = await call(method, fill(endpoint.path, sample.absentId), { key: merchant.key, body: {} });
      expect(reply.status).toBe(405);
      expect(reply.json.message).toMatch(
        new RegExp(`^The ${method} method is not supported for this route\\. Supported methods: `),
      );
      const allowed = reply.headers.get("allow")?.split(", ") ?? [];
      expect(allowed.filter((name) => name !== "HEAD").sort()).toEqual(siblings.sort());
    }
  });

  it("returns 422 naming an unknown query parameter", async () => {
    const reply = await call(endpoint.method, `${fill(endpoint.path, sample.absentId)}?nonsense=1`, {
      key: merchant.key,
      body: await bodyOf(endpoint, merchant.key),
    });
    expect(reply.status).toBe(422);
    expect(reply.json.errors.nonsense?.[0]).toContain("nonsense parameter is not supported");
  });

  if (takesId)
    it("returns the same 404 for an absent id, another business's, the other mode's and a malformed one", async () => {
      const key = merchant.key;
      const body = await bodyOf(endpoint, key);
      const ids = [sample.absentId, ...(await unreachable(endpoint)), "x", "%20", "a'b", "1"];
      for (const id of ids) {
        const reply = await call(endpoint.method, fill(endpoint.path, id) + search, { key, body });
        expect([id, reply.status, reply.text]).toEqual([
          id,
          404,
          `{"message":"${sample.noun} not found.","code":"not_found"}`,
        ]);
      }
    });

  if (endpoint.body) {
    it("returns 415 for another media type or none", async () => {
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonx",
      ]) {
        const reply = await call(endpoint.method, fill(endpoint.path, sample.absentId), {
          key: merchant.key,
          raw: new TextEncoder().encode("{}"),
          headers: { "Content-Type": type },
        });
        expect([type, reply.status, reply.json.code]).toEqual([type, 415, "unsupported_media_type"]);
      }
      const none = await call(endpoint.method, fill(endpoint.path, sample.absentId), {
        key: merchant.key,
        raw: new TextEncoder().encode("{}"),
        headers: { "Content-Type": undefined },
      });
      expect(none.status).toBe(415);
    });

    it("returns 400 for anything but a strict JSON object", async () => {
      const deep = `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
      const bodies: (string | Uint8Array<ArrayBuffer>)[] = [
        "",
        "{",
        "[]",
        "null",
        '"text"',
        "1",
        "{'email':1}",
        '{"a":1,"a":2}',
        '{"a":1,"\\u0061":2}',
        '{"a":{"b":1,"b":1}}',
        '{"a":"\\u0000"}',
        '{"a":"\\ud800"}',
        '{"a":"\0"}',
        '{"a":1}x',
        deep,
        new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      ];
      for (const raw of bodies) {
        const reply = await call(endpoint.method, fill(endpoint.path, sample.absentId), { key: merchant.key, raw });
        const shown = String(raw).slice(0, 30);
        expect([shown, reply.status, reply.json]).toEqual([
          shown,
          400,
          { message: "The request body is not valid JSON.", code: "invalid_json" },
        ]);
      }
    });

    it("returns 413 for a body over 64 kB", async () => {
      const reply = await call(endpoint.method, fill(endpoint.path, sample.absentId), {
        key: merchant.key,
        raw: JSON.stringify({ padding: "x".repeat(64 * 1024) }),
      });
      expect([reply.status, reply.json.code]).toEqual([413, "body_too_large"]);
    });

    it("ignores unknown fields and read-only fields", async () => {
      const body = { ...(await bodyOf(endpoint, merchant.key)), ...intruders };
      const reply = await call(endpoint.method, await target(merchant.key), { key: merchant.key, body });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.json.data).not.toMatchObject({ business_id: 999 });
      expect(reply.json.data._id).not.toBe("pl_chosen");
      expect(reply.json.data.livemode ?? false).toBe(false);
      expect(reply.text).not.toContain("polluted");
    });
  }

  if (endpoint.method === "POST" && sample.required.length > 0 && endpoint.body) {
    it("reports every missing field at once, in the specification's order", async () => {
      for (const body of [
        {},
        Object.fromEntries(sample.required.map((field) => [field, null])),
        Object.fromEntries(sample.required.map((field) => [field, "  "])),
      ]) {
        const reply = await call("POST", fill(endpoint.path, sample.absentId), { key: merchant.key, body });
        const errors = Object.fromEntries(sample.required.map((field) => [field, [`The ${field} field is required.`]]));
        expect([reply.status, reply.text]).toEqual([
          422,
          JSON.stringify({ message: "The given data was invalid.", errors }),
        ]);
      }
    });
  }

  if (endpoint.method === "POST")
    it("replays the stored answer to the same Idempotency-Key, refuses another request with it", async () => {
      const path = await target(merchant.key);
      const body = await bodyOf(endpoint, merchant.key);
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      const [first, ...rest] = await Promise.all(
        Array.from({ length: 8 }, () => call("POST", path, { key: merchant.key, body, headers })),
      );
      const replies = [first, ...rest].filter((reply) => reply?.status === 200);
      expect(new Set(replies.map((reply) => reply?.text)).size).toBe(1);
      for (const reply of [first, ...rest]) expect([200, 409]).toContain(reply?.status);
      const again = await call("POST", path, { key: merchant.key, body, headers });
      expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([
        200,
        replies[0]?.text,
        "true",
      ]);
      const other = await call("POST", `${path}`, { key: merchant.key, body: { ...body, x: 1 }, headers });
      if (endpoint.body) expect([other.status, other.json.code]).toEqual([409, "idempotency_key_reused"]);
    });

  if (endpoint.method === "GET")
    it("answers HEAD like GET, without a body", async () => {
      const reply = await call("HEAD", await target(merchant.key), { key: merchant.key });
      expect([reply.status, reply.text]).toEqual([200, ""]);
    });
});

describe("a confirmation of the person's identity", () => {
  const stepUps = all.filter(({ stepUp }) => stepUp);
  /** Bodies that need it, where the example does not. */
  const sensitive: Record<string, Record<string, unknown>> = {
    "PUT /settings": { bank_iban: null },
    "PUT /team/members/{member_id}": { role: "owner" },
    "POST /team/invitations": { email: "grace@example.com", role: "owner" },
  };

  it("is needed for what decides about money and access", () => {
    expect(stepUps.map(label).sort()).toEqual([
      "DELETE /account/passkeys/{passkey_id}",
      "DELETE /account/sessions",
      "DELETE /account/sessions/{session_id}",
      "DELETE /gateway-accounts/{gateway_account_id}",
      "POST /account/passkeys",
      "POST /account/passkeys/options",
      "POST /account/two-factor",
      "POST /account/two-factor/disable",
      "POST /api-keys",
      "POST /api-keys/{key_id}/rotate",
      "POST /gateway-accounts",
      "POST /team/invitations",
      "PUT /settings",
      "PUT /team/members/{member_id}",
    ]);
  });

  it.each(stepUps.map((endpoint) => [label(endpoint), endpoint] as const))("%s", async (name, endpoint) => {
    const { userId, cookie } = await signedIn(merchant);
    const body = sensitive[name] ?? endpoint.example.body;
    const send = () => callAs(cookie, endpoint.method, examplePath(endpoint), body, "live");
    await forgetConfirmation(userId);
    const refused = await send();
    expect([refused.status, refused.json.code]).toEqual([403, "confirmation_required"]);
    if (!forPeople(endpoint)) {
      const byKey = await call(endpoint.method, examplePath(endpoint), { key: merchant.liveKey, body });
      expect(byKey.json.code).not.toBe("confirmation_required");
    }
    const confirmed = await callAs(cookie, "POST", "/account/confirmation", { password: testPassword });
    expect(confirmed.status, confirmed.text).toBe(200);
    expect((await send()).json.code).not.toBe("confirmation_required");
  });
});

const intruders = {
  _id: "pl_chosen",
  id: "pl_chosen",
  business_id: 999,
  livemode: true,
  paid: true,
  created_at: "2000-01-01",
  constructor: { prototype: { polluted: true } },
  unknown: [{ deep: { $gt: "" } }],
};

/** A body {} where the endpoint requires one, so that another error is reported than its absence. */
function bodyless(endpoint: Endpoint): Record<string, never> | undefined {
  return endpoint.body ? {} : undefined;
}

const memberPath = ({ path }: Endpoint): string => path.replace(/(\{\w+\}).*/, "$1");
