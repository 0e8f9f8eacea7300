import { beforeAll, describe, expect, it } from "vitest";
import { grantableScopes } from "@/lib/auth/scopes";
import { db } from "@/lib/core/db";
import type { Endpoint } from "@/lib/http/endpoint";
import { sections } from "@/lib/resources/endpoints";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { create, sampleOf } from "@/tests/support/samples";
import { createStaff, signIn } from "@/tests/support/sign-in";

const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };

let merchant: Merchant;
let cookie: string;
beforeAll(async () => {
  merchant = await createMerchant();
  cookie = (await signIn(await createStaff(merchant))) ?? "";
});

const write = (headers: Record<string, string | undefined>, raw: BodyInit = JSON.stringify(link)) =>
  call("POST", "/payment-links", { raw, headers: { Cookie: cookie, ...headers } });

const endpoints = sections.flatMap(({ endpoints }) => Object.values(endpoints) as Endpoint[]);

describe("the dashboard's session", () => {
  it("opens the same endpoints as a key, for its own business, in the requested mode", async () => {
    const id = await create(merchant.key, "payment_links");
    const live = await create(merchant.liveKey, "payment_links");
    const get = (id: string, mode?: string) =>
      call("GET", `/payment-links/${id}`, { headers: { Cookie: cookie, "X-Paydesk-Mode": mode } });
    expect((await get(id)).json.data._id).toBe(id);
    expect((await get(id, "live")).status).toBe(404);
    expect((await get(live, "live")).json.data.livemode).toBe(true);
    const stranger = await createMerchant();
    expect((await get(await create(stranger.key, "payment_links"))).status).toBe(404);
  });

  it("writes only from our own pages: other sites, forms and requests without an origin get 403", async () => {
    expect((await write({ Origin: baseUrl() })).status).toBe(200);
    const before = await db.paymentLink.count({ where: { business_id: merchant.businessId } });
    for (const origin of [
      undefined,
      "null",
      "https://evil.example",
      `${baseUrl()}.evil.example`,
      "http://localhost",
      `https://${new URL(baseUrl()).hostname}`,
    ]) {
      const reply = await write({ Origin: origin });
      expect([origin, reply.status, reply.json.code]).toEqual([origin, 403, "forbidden"]);
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
      expect((await write({ "Content-Type": type, Origin: "https://evil.example" })).status).toBe(403);
    expect(await db.paymentLink.count({ where: { business_id: merchant.businessId } })).toBe(before);
  });

  it("is ignored when there is a key, valid or not", async () => {
    const reply = await call("GET", "/payment-links", {
      headers: { Cookie: cookie, Authorization: "Bearer nonsense" },
    });
    expect(reply.status).toBe(401);
  });

  it("lets a viewer read and nothing more", async () => {
    const viewer = (await signIn(await createStaff(merchant, "viewer"))) ?? "";
    expect((await call("GET", "/payment-links", { headers: { Cookie: viewer } })).status).toBe(200);
    const reply = await call("POST", "/payment-links", { body: link, headers: { Cookie: viewer, Origin: baseUrl() } });
    expect([reply.status, reply.json.code]).toEqual([403, "forbidden"]);
  });

  it.each([
    ["ended", (id: string) => db.session.delete({ where: { id } })],
    ["past its twelve hours", (id: string) => db.session.update({ where: { id }, data: { expires_at: new Date() } })],
    [
      "idle for half an hour",
      (id: string) => db.session.update({ where: { id }, data: { last_seen_at: new Date(Date.now() - 31 * 60_000) } }),
    ],
    [
      "left without its membership",
      async (id: string) => {
        const { business_id, user_id } = await db.session.findUniqueOrThrow({ where: { id } });
        await db.membership.delete({ where: { business_id_user_id: { business_id, user_id } } });
      },
    ],
  ])("ends at once when it is %s", async (_, spoil) => {
    const staff = await createStaff(merchant);
    const theirs = (await signIn(staff)) ?? "";
    const get = () => call("GET", "/payment-links", { headers: { Cookie: theirs } });
    expect((await get()).status).toBe(200);
    const session = await db.session.findFirstOrThrow({ where: { user_id: staff.userId } });
    await spoil(session.id);
    expect((await get()).status).toBe(401);
  });

  it("is kept alive by activity, not by background polling", async () => {
    const staff = await createStaff(merchant);
    const theirs = (await signIn(staff)) ?? "";
    const { id } = await db.session.findFirstOrThrow({ where: { user_id: staff.userId } });
    const seen = async (headers: Record<string, string>) => {
      const long = new Date(Date.now() - 20 * 60_000);
      await db.session.update({ where: { id }, data: { last_seen_at: long } });
      expect((await call("GET", "/payment-links", { headers: { Cookie: theirs, ...headers } })).status).toBe(200);
      return (await db.session.findUniqueOrThrow({ where: { id } })).last_seen_at > long;
    };
    expect(await seen({ "X-Paydesk-Unattended": "true" })).toBe(false);
    expect(await seen({})).toBe(true);
  });

  it("refuses a forged cookie", async () => {
    for (const value of ["", "x", "eyJhbGciOiJkaXIifQ..a.b.c", cookie.slice(0, -3)]) {
      const name = cookie.match(/([\w-]*paydesk-session)=/)?.[1];
      const reply = await call("GET", "/payment-links", { headers: { Cookie: `${name}=${value}` } });
      expect(reply.status).toBe(401);
    }
  });

  it("covers every resource's writes", async () => {
    for (const endpoint of endpoints.filter(
      ({ method, path, scope }) =>
        method === "POST" && !path.includes("{") && scope !== null && grantableScopes.includes(scope),
    )) {
      const body = await sampleOf(endpoint).body(merchant.key);
      const foreign = await call("POST", endpoint.path, {
        body,
        headers: { Cookie: cookie, Origin: "https://evil.example" },
      });
      expect(foreign.status).toBe(403);
      const own = await call("POST", endpoint.path, { body, headers: { Cookie: cookie, Origin: baseUrl() } });
      expect(own.status).toBe(200);
    }
  });
});
