import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "@/lib/auth/keys";
import { db } from "@/lib/core/db";
import { remindOfExpiringKeys } from "@/lib/resources/api-keys/reminders";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { callAs, type Staff, signedIn } from "@/tests/support/sign-in";

let merchant: Merchant;
let owner: Staff & { cookie: string };
beforeAll(async () => {
  merchant = await createMerchant();
  owner = await signedIn(merchant);
});

interface Made {
  _id: string;
  key: string;
  created_by: string | null;
  created_by_name: string | null;
  allowed_ips: string[];
}

async function make(cookie: string, over: Record<string, unknown> = {}, mode = "test"): Promise<Made> {
  const reply = await callAs(
    cookie,
    "POST",
    "/api-keys",
    { name: randomUUID(), scopes: ["read", "write"], ...over },
    mode,
  );
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data as unknown as Made;
}
const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
const reads = async (key: string) => (await call("GET", "/payment-links", { key })).status;
const writes = async (key: string) => (await call("POST", "/payment-links", { key, body: link })).status;
const audited = (id: string) =>
  db.auditEntry.findMany({ where: { resource_id: id }, orderBy: { id: "asc" }, select: { action: true, after: true } });

describe("the maker of a key", () => {
  it("is named in the API and the audit log, and inherited by the key's keys", async () => {
    const parent = await make(owner.cookie, { scopes: ["read", "api_keys:write"] });
    expect(parent).toMatchObject({ created_by: owner.userId, created_by_name: "Grace Hopper" });
    expect((await audited(parent._id))[0]?.after).toMatchObject({ created_by: "Grace Hopper" });
    const body = { name: "Child", scopes: ["read"] };
    const child = await call("POST", "/api-keys", { key: parent.key, body });
    expect(child.json.data.created_by).toBe(owner.userId);
    expect((await call("GET", `/api-keys/${child.json.data._id}`, { key: merchant.key })).json.data).toMatchObject({
      created_by: owner.userId,
    });
    const operators = await call("POST", "/api-keys", { key: merchant.key, body });
    expect(operators.json.data).toMatchObject({ created_by: null, created_by_name: null });
  });

  it("is who rotated it last", async () => {
    const admin = await signedIn(merchant, "admin");
    const old = await make(admin.cookie);
    const next = await callAs(owner.cookie, "POST", `/api-keys/${old._id}/rotate`, {});
    expect(next.json.data.created_by).toBe(owner.userId);
  });

  it("limits it: a demotion applies to the keys at once, and a promotion gives nothing more than was granted", async () => {
    const developer = await signedIn(merchant, "developer");
    const { key, _id } = await make(developer.cookie, { scopes: ["read", "write", "api_keys:write"] });
    const child = (await call("POST", "/api-keys", { key, body: { name: "Child", scopes: ["write"] } })).json.data;
    expect([await reads(key), await writes(key), await writes(String(child.key))]).toEqual([200, 200, 200]);
    const become = (role: string) => callAs(owner.cookie, "PUT", `/team/members/${developer.userId}`, { role });
    expect((await become("viewer")).status).toBe(200);
    expect([await reads(key), await writes(key), await writes(String(child.key))]).toEqual([200, 403, 403]);
    expect((await call("POST", "/api-keys", { key, body: { name: "More", scopes: ["read"] } })).status).toBe(403);
    expect((await call("GET", `/api-keys/${_id}`, { key: merchant.key })).json.data.scopes).toContain("write");
    expect((await become("owner")).status).toBe(200);
    expect(await writes(key)).toBe(200);
    expect((await call("GET", "/gateway-accounts", { key })).status).toBe(403);
  });
});

describe("removing a member", () => {
  it("lists the keys they made in both modes, and revokes all but the chosen ones", async () => {
    const grace = await signedIn(merchant, "developer");
    const [test, live, kept] = [
      await make(grace.cookie),
      await make(grace.cookie, {}, "live"),
      await make(grace.cookie, { scopes: ["write", "api_keys:write"] }),
    ];
    const path = `/team/members/${grace.userId}`;
    const ids = async () => {
      const reply = await callAs(owner.cookie, "GET", `${path}/api-keys`);
      return (reply.json.data.api_keys as { _id: string }[]).map(({ _id }) => _id);
    };
    expect((await ids()).toSorted()).toEqual([test._id, live._id, kept._id].toSorted());
    expect((await callAs(grace.cookie, "GET", `${path}/api-keys`)).status).toBe(403);
    const foreign = await make(owner.cookie);
    const wrong = await callAs(owner.cookie, "DELETE", `${path}?keep_keys=${kept._id},${foreign._id}`);
    expect(wrong.json.errors).toEqual({ keep_keys: ["The selected keep_keys is invalid."] });
    expect(await reads(live.key)).toBe(200);
    expect((await callAs(owner.cookie, "DELETE", `${path}?keep_keys=${kept._id}`)).status).toBe(200);
    expect([await reads(test.key), await reads(live.key), await writes(kept.key)]).toEqual([401, 401, 200]);
    expect((await call("GET", `/api-keys/${kept._id}`, { key: merchant.key })).json.data).toMatchObject({
      created_by: owner.userId,
    });
    expect((await audited(live._id)).map(({ action }) => action)).toEqual(["api_key.created", "api_key.revoked"]);
    expect((await audited(kept._id)).map(({ action }) => action)).toEqual(["api_key.created", "api_key.taken_over"]);
  });

  it("revokes all of them unless told otherwise, also when they leave by themselves", async () => {
    const [ada, mary] = [await signedIn(merchant, "admin"), await signedIn(merchant, "admin")];
    const [first, second] = [await make(ada.cookie, {}, "live"), await make(mary.cookie, {}, "live")];
    expect((await callAs(owner.cookie, "DELETE", `/team/members/${ada.userId}`)).status).toBe(200);
    expect((await callAs(mary.cookie, "DELETE", `/account/businesses/${merchant.businessId}`)).status).toBe(200);
    expect([await reads(first.key), await reads(second.key)]).toEqual([401, 401]);
    const { paths } = JSON.parse((await call("GET", "/openapi.json")).text);
    for (const path of ["/team/members/{member_id}", "/account/businesses/{business_id}"])
      expect(paths[path].delete.description).toContain("revokes the API keys");
  });

  it("leaves no key behind that was created meanwhile", async () => {
    const grace = await signedIn(merchant, "developer");
    const { key } = await make(grace.cookie);
    await db.membership.deleteMany({ where: { user_id: grace.userId } });
    expect(await reads(key)).toBe(401);
  });
});

describe("a key's addresses", () => {
  const from = async (key: string, address: string) => {
    const { status, json } = await call("GET", "/payment-links", { key, headers: { "X-Forwarded-For": address } });
    return [status, json.code ?? null];
  };

  it("are the only ones that may use it", async () => {
    const { key, allowed_ips } = await make(owner.cookie, {
      allowed_ips: ["203.0.113.77/24", "198.51.100.4", "2001:DB8::1/48"],
    });
    expect(allowed_ips).toEqual(["203.0.113.0/24", "198.51.100.4/32", "2001:db8::/48"]);
    const refused = [403, "address_not_allowed"];
    for (const [address, answer] of [
      ["203.0.113.200", [200, null]],
      ["::ffff:203.0.113.200", [200, null]],
      ["203.0.114.1", refused],
      ["198.51.100.4", [200, null]],
      ["198.51.100.5", refused],
      ["2001:db8:0:1::9", [200, null]],
      ["2001:db8:1::9", refused],
    ] as const)
      expect([address, await from(key, address)]).toEqual([address, answer]);
    const { message } = (await call("GET", "/payment-links", { key, headers: { "X-Forwarded-For": "192.0.2.1" } }))
      .json;
    expect(message).toBe("This API key may not be used from this IP address.");
  });

  it("must be addresses or ranges", async () => {
    for (const bad of [
      "203.0.113.0/33",
      "example.com",
      "203.0.113",
      "0x7f.1",
      "::ffff:203.0.113.1",
      "fe80::1%eth0",
      "1.2.3.4/8/8",
      "",
    ])
      expect(
        (await callAs(owner.cookie, "POST", "/api-keys", { name: "x", scopes: ["read"], allowed_ips: [bad] })).json
          .errors,
      ).toEqual({
        allowed_ips: [`Not an IP address or CIDR range: ${bad}.`],
      });
    const many = Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`);
    const reply = await callAs(owner.cookie, "POST", "/api-keys", { name: "x", scopes: ["read"], allowed_ips: many });
    expect(reply.json.errors).toEqual({ allowed_ips: ["The allowed_ips must not have more than 20 items."] });
  });

  it("hold for its keys and its successor", async () => {
    const parent = await make(owner.cookie, { scopes: ["read", "api_keys:write"], allowed_ips: ["203.0.113.0/24"] });
    const child = (allowed_ips?: string[]) =>
      call("POST", "/api-keys", {
        key: parent.key,
        body: { name: "Child", scopes: ["read"], allowed_ips },
        headers: { "X-Forwarded-For": "203.0.113.9" },
      });
    expect((await child()).json.data.allowed_ips).toEqual(["203.0.113.0/24"]);
    expect((await child(["203.0.113.128/25"])).json.data.allowed_ips).toEqual(["203.0.113.128/25"]);
    for (const wider of [["203.0.112.0/23"], ["203.0.113.0/24", "2001:db8::/32"], ["0.0.0.0/0"]])
      expect((await child(wider)).json.errors).toEqual({
        allowed_ips: ["The allowed_ips must be within those of the key that you use."],
      });
    const next = await callAs(owner.cookie, "POST", `/api-keys/${parent._id}/rotate`, {});
    expect(next.json.data.allowed_ips).toEqual(["203.0.113.0/24"]);
  });

  it("let it rotate no key that may be used from elsewhere", async () => {
    const { key } = await make(owner.cookie, { scopes: ["read", "api_keys:write"], allowed_ips: ["203.0.113.0/24"] });
    for (const [allowed_ips, status] of [
      [[], 403],
      [["203.0.112.0/23"], 403],
      [["203.0.113.128/25"], 200],
    ] as const) {
      const other = await make(owner.cookie, { scopes: ["read"], allowed_ips });
      const rotated = await call("POST", `/api-keys/${other._id}/rotate`, {
        key,
        body: {},
        headers: { "X-Forwarded-For": "203.0.113.9" },
      });
      expect([allowed_ips, rotated.status]).toEqual([allowed_ips, status]);
    }
  });
});

describe("a key that expires soon", () => {
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);

  async function expiring(shop: Merchant, inDays: number, over: Record<string, unknown> = {}): Promise<string> {
    const name = randomUUID();
    const { id } = await createApiKey({ businessId: shop.businessId, livemode: true, name, expiresAt: days(inDays) });
    await db.apiKey.update({ where: { id }, data: { created_at: days(-30), ...over } });
    return id;
  }
  const mails = async (shop: Merchant) => {
    while (await remindOfExpiringKeys());
    const rows = await db.email.findMany({
      where: { business_id: shop.businessId, template: "api_key_expiring" },
      select: { to: true, props: true },
    });
    return rows.map(({ to, props }) => [to, (props as { link: string }).link.match(/key_\w+/)?.[0]]).toSorted();
  };

  it("is announced once to the person who made it, or to the owners", async () => {
    const shop = await createMerchant();
    const [ada, mary, grace] = [await signedIn(shop), await signedIn(shop), await signedIn(shop, "developer")];
    const theirs = await expiring(shop, 6, { created_by: grace.userId });
    const operators = await expiring(shop, 6.9);
    await expiring(shop, 7.1);
    await expiring(shop, 6, { revoked_at: new Date() });
    await expiring(shop, 6, { replaced_by: theirs });
    await expiring(shop, 6, { created_at: days(-0.5) }); // made for less than a week
    await expiring(shop, -1);
    const expected = [
      [ada.email, operators],
      [mary.email, operators],
      [grace.email, theirs],
    ].toSorted();
    // A worker may be writing some of them.
    await expect.poll(() => mails(shop)).toEqual(expected);
    expect(await mails(shop)).toEqual(expected);
  });
});
