import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const url = "https://hooks.invalid/paydesk";
const ask = (method: string, path: string, body?: object, key = merchant.key) => call(method, path, { key, body });

describe("creating an endpoint", () => {
  it("shows the secret once and stores it encrypted, also in the stored idempotent answer", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const send = () => call("POST", "/webhook-endpoints", { key: merchant.key, body: { url }, headers });
    const made = await send();
    const secret = String(made.json.data.secret);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made.json.data).toMatchObject({ url, description: null, events: ["*"], status: "enabled" });
    const id = made.json.data._id;
    for (const path of [`/webhook-endpoints/${id}`, "/webhook-endpoints"])
      expect((await ask("GET", path)).text).not.toContain('secret":"');
    const again = await send();
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([made.text, "true"]);
    const stored = await db.idempotencyKey.findMany({ where: { key: headers["Idempotency-Key"] } });
    const row = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
    expect(stored).toHaveLength(1);
    expect(JSON.stringify([stored, row])).not.toContain(secret.slice(6));
  });

  it.each([
    ["ftp://hooks.invalid", "a valid URL"],
    ["https://user@hooks.invalid", "a valid URL"],
    ["https://user:pass@hooks.invalid/", "a valid URL"],
    ["https://hooks.invalid\\@x", "a valid URL"],
    ["http://hooks.invalid/", "https"],
    ["http://10.0.0.1/", "https"],
    ["https://10.0.0.1/", "on the public internet"],
    ["https://0x7f000001.:99999/", "a valid URL"],
    ["https://169.254.169.254/latest", "on the public internet"],
    ["https://[::ffff:10.0.0.1]/", "a valid URL"],
    ["https://[64:ff9b::a00:1]/", "on the public internet"],
    ["https://hooks.invalid:25/", "443, or 1024 or more"],
    ["https://hooks.invalid:22/", "443, or 1024 or more"],
    ["https://hooks.invalid:80/", "443, or 1024 or more"],
  ])("refuses %s", async (bad, why) => {
    const { status, json } = await ask("POST", "/webhook-endpoints", { url: bad });
    expect([status, Object.keys(json.errors)]).toEqual([422, ["url"]]);
    expect(json.errors.url?.[0]).toContain(why);
  });

  it.each(["http://localhost:4010/", "https://localhost:4010/", "http://127.0.0.1/", "http://[::1]:4010/"])(
    "accepts %s only in test mode",
    async (local) => {
      const made = await ask("POST", "/webhook-endpoints", { url: local, events: ["package.deleted"] });
      expect(made.status, made.text).toBe(200);
      await ask("DELETE", `/webhook-endpoints/${made.json.data._id}`);
      const live = await ask("POST", "/webhook-endpoints", { url: local }, merchant.liveKey);
      expect([live.status, live.json.errors]).toEqual([
        422,
        { url: ["The url must not be on this machine in live mode."] },
      ]);
    },
  );

  it("reports all errors at once", async () => {
    const bad = { url: "http://shop.example", description: "x".repeat(201), events: ["payment_link.payed"] };
    const { status, json } = await ask("POST", "/webhook-endpoints", bad);
    expect(status).toBe(422);
    expect(json.errors).toEqual({
      url: ["The url must be https."],
      description: ["The description must not be greater than 200 characters."],
      events: ["The selected events is invalid."],
    });
    expect((await ask("POST", "/webhook-endpoints", { url, events: [] })).json.errors.events?.[0]).toContain("list of");
  });

  it("allows sixteen in each mode, even for simultaneous requests", async () => {
    const crowd = await createMerchant();
    /** The requests wait for one lock. On a busy machine some get a 503 and are repeated. */
    const add = async (): ReturnType<typeof ask> => {
      const reply = await ask("POST", "/webhook-endpoints", { url }, crowd.key);
      return reply.status === 503 ? add() : reply;
    };
    const replies = await Promise.all(Array.from({ length: 24 }, add));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(16);
    for (const { status, json } of replies)
      if (status !== 200) expect([status, json.code]).toEqual([409, "too_many_webhook_endpoints"]);
    expect((await ask("POST", "/webhook-endpoints", { url }, crowd.liveKey)).status).toBe(200);
  });
});

describe("changing an endpoint", () => {
  it("changes only the given fields, and resets the failure state with a new URL", async () => {
    const id = await create(merchant.key, "webhook_endpoints", { description: "First" });
    await db.webhookEndpoint.update({ where: { id }, data: { failing_since: new Date(), warned_at: new Date() } });
    const change = async (body: object) => (await ask("PUT", `/webhook-endpoints/${id}`, body)).json.data;
    expect(await change({ events: ["package.created", "package.created"] })).toMatchObject({
      ...{ url, description: "First", events: ["package.created"] },
      failing_since: expect.any(String),
    });
    expect(await change({ url })).toMatchObject({ failing_since: expect.any(String) });
    const moved = await change({ url: "https://hooks.invalid/new", description: null });
    expect(moved).toMatchObject({ description: null, events: ["package.created"], failing_since: null });
    expect((await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).warned_at).toBeNull();
    const same = await change({});
    expect(same.updated_at).toBe(moved.updated_at);
    expect((await ask("PUT", `/webhook-endpoints/${id}`, { url: "http://10.0.0.1" })).status).toBe(422);
  });

  it("enables and disables; repeating changes nothing", async () => {
    const id = await create(merchant.key, "webhook_endpoints");
    const turn = async (how: string) => (await ask("POST", `/webhook-endpoints/${id}/${how}`)).json.data;
    const off = await turn("disable");
    expect(off).toMatchObject({ status: "disabled", disabled_reason: "by_hand" });
    expect(await turn("disable")).toEqual(off);
    const on = await turn("enable");
    expect(on).toMatchObject({ status: "enabled", disabled_reason: null });
    expect(await turn("enable")).toEqual(on);
    expect((await ask("GET", "/webhook-endpoints?status=disabled")).json.data.map(({ _id }) => _id)).not.toContain(id);
  });

  it("lists what needs attention: failing ones, and those disabled for it", async () => {
    const other = await createMerchant();
    const [, failing, gone] = await Promise.all(
      ["well", "failing", "gone"].map(() => create(other.key, "webhook_endpoints")),
    );
    const disabled = { status: "disabled", disabled_reason: "gone" };
    await db.webhookEndpoint.update({ where: { id: failing }, data: { failing_since: new Date() } });
    await db.webhookEndpoint.update({ where: { id: gone }, data: disabled });
    const by_hand = await create(other.key, "webhook_endpoints");
    await call("POST", `/webhook-endpoints/${by_hand}/disable`, { key: other.key });
    const list = async (query: string) =>
      (await call("GET", `/webhook-endpoints?failing=${query}`, { key: other.key })).json.data.map(({ _id }) => _id);
    expect((await list("true")).toSorted()).toEqual([failing, gone].toSorted());
    expect(await list("false")).toHaveLength(2);
  });

  it.each([-1, 73, 1.5, "x"])("refuses an overlap of %s hours", async (overlap_hours) => {
    const id = await create(merchant.key, "webhook_endpoints");
    const { status, json } = await ask("POST", `/webhook-endpoints/${id}/rotate-secret`, { overlap_hours });
    expect([status, Object.keys(json.errors)]).toEqual([422, ["overlap_hours"]]);
  });
});

describe("deliveries", () => {
  it("are listed by status and type, with the last attempt", async () => {
    const id = await create(merchant.key, "webhook_deliveries");
    const { endpoint_id } = await db.webhookDelivery.findUniqueOrThrow({ where: { id } });
    await db.webhookAttempt.create({
      data: { id: id.replace("whd", "wha"), delivery_id: id, status: 200, latency_ms: 7 },
    });
    const list = async (query: string) =>
      (await ask("GET", `/webhook-endpoints/${endpoint_id}/deliveries${query}`)).json.data.map(({ _id }) => _id);
    expect(await list("")).toEqual([id]);
    expect(await list("?status=succeeded&type=payment_link.created")).toEqual([id]);
    expect(await list("?status=failed")).toEqual([]);
    expect(await list("?type=package.created")).toEqual([]);
    const shown = (await ask("GET", `/webhook-endpoints/${endpoint_id}/deliveries`)).json.data[0];
    expect(shown?.last_attempt).toMatchObject({ status: 200, error: null, latency_ms: 7 });
    await ask("DELETE", `/webhook-endpoints/${endpoint_id}`);
    for (const [method, path] of [
      ["GET", `/webhook-deliveries/${id}`],
      ["POST", `/webhook-deliveries/${id}/redeliver`],
    ] as const)
      expect((await ask(method, path)).status).toBe(404);
  });
});
