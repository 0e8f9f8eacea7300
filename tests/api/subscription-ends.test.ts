import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { callAs, signedIn } from "@/tests/support/sign-in";
import { createBiller } from "@/tests/support/subscribers";

describe("a subscription has the time and the reason of its end", () => {
  const alwaysDeclined = "4000000000000341";

  it("cancelled by a key, also in its event; a cancelled one keeps it", async () => {
    const biller = await createBiller();
    const id = await biller.subscribe(await biller.createPackage(), "ada@example.com");
    expect(await biller.subscription(id)).toMatchObject({ ended_at: null, ended_reason: null });
    const { data } = (await biller.put(id, { status: "cancel" })).json;
    expect(data).toMatchObject({ ended_at: data.updated_at, ended_reason: "canceled_by_api" });
    const event = await db.event.findFirstOrThrow({ where: { resource_id: id, type: "subscription.canceled" } });
    expect(event.data).toMatchObject({ ended_at: data.ended_at, ended_reason: "canceled_by_api" });
    const later = (await biller.put(id, { phone_no: "+491701234567" })).json.data;
    expect(later).toMatchObject({ ended_at: data.ended_at, ended_reason: "canceled_by_api" });
    expect(later.updated_at).not.toBe(data.updated_at);
  });

  it("unpaid after the last retry, by the test clock; a payment takes it back, a cancellation does not change it", async () => {
    const biller = await createBiller();
    const ids = [];
    for (const email of ["ada@example.com", "bob@example.com"]) {
      await biller.saveCard(email);
      const id = await biller.subscribe(await biller.createPackage(), email);
      await biller.becomes(id, "active");
      await biller.saveCard(email, alwaysDeclined);
      ids.push(id);
    }
    await biller.advance(await biller.later(60));
    const [ada = "", bob = ""] = ids;
    const unpaid = await biller.subscription(ada);
    expect(unpaid).toMatchObject({ status: "unpaid", ended_reason: "unpaid", ended_at: unpaid.updated_at });
    const { now } = await biller.get("/test-clock");
    const ago = Date.parse(String(now)) - Date.parse(String(unpaid.ended_at));
    expect(ago).toBeGreaterThan(0);
    expect(ago).toBeLessThan(31 * 86_400_000);
    const cancelled = (await biller.put(ada, { status: "cancel" })).json.data;
    expect(cancelled).toMatchObject({ status: "cancel", ended_reason: "unpaid", ended_at: unpaid.ended_at });
    const open = (await biller.periods(bob)).find(({ paid }) => !paid);
    await payAt(`/pay?id=${open?._id}`);
    expect((await biller.subscription(bob)).status).toBe("active");
    expect(await biller.subscription(bob)).toMatchObject({ ended_at: null, ended_reason: null });
  });

  it("at the period's end", async () => {
    const biller = await createBiller();
    await biller.saveCard("ada@example.com");
    const id = await biller.subscribe(await biller.createPackage(), "ada@example.com");
    await biller.becomes(id, "active");
    const { current_period_end } = (await biller.put(id, { cancel_at_period_end: true })).json.data;
    await biller.advance(await biller.later(35));
    expect(await biller.subscription(id)).toMatchObject({
      status: "completed",
      ended_reason: "period_end",
      ended_at: expect.stringContaining(String(current_period_end).slice(0, 16)),
    });
  });

  it("cancelled by staff", async () => {
    const merchant = await createMerchant();
    const package_id = await create(merchant.key, "packages");
    const id = await create(merchant.key, "subscriptions", { package_id });
    const { cookie } = await signedIn(merchant);
    const { data } = (await callAs(cookie, "PUT", `/subscriptions/${id}`, { status: "cancel" })).json;
    expect(data).toMatchObject({ status: "cancel", ended_reason: "canceled_by_staff" });
  });
});

describe("the list", () => {
  let merchant: Merchant;
  const ends = ["2026-03-01T00:00:00Z", "2026-03-31T23:59:59.999Z", "2026-04-01T00:00:00Z"];

  beforeAll(async () => {
    merchant = await createMerchant();
    const package_id = await create(merchant.key, "packages");
    for (const [n, ended_at] of [...ends, null].entries()) {
      const id = await create(merchant.key, "subscriptions", { package_id, email: `s${n}@example.com` });
      if (ended_at)
        await db.subscription.update({
          where: { id },
          data: {
            status: n === 0 ? "completed" : "cancel",
            ended_at,
            ended_reason: n === 0 ? "period_end" : null,
            next_charge_at: null,
          },
        });
    }
  });

  const get = (query: string) => call("GET", `/subscriptions?${query}`, { key: merchant.key });
  const found = async (query: string) => (await get(query)).json.data.map(({ email }) => String(email).slice(0, 2));

  it("is filtered by the days of the end, both inclusive, and by the reason", async () => {
    expect(await found("ended_from=2026-03-01&ended_to=2026-03-31")).toEqual(["s1", "s0"]);
    expect(await found("ended_from=2026-03-31")).toEqual(["s2", "s1"]);
    expect(await found("ended_to=2026-02-28")).toEqual([]);
    expect(await found("ended_reason=period_end")).toEqual(["s0"]);
    expect(await found("churned=true")).toEqual([]); // none had begun
    expect(await found("churned=false&sort=created_at")).toEqual(["s0", "s1", "s2", "s3"]);
    for (const query of ["ended_from=yesterday", "ended_reason=bored", "churned=maybe"])
      expect((await get(query)).status, query).toBe(422);
  });

  it("is sorted by the end, page by page and back, without those that have not ended", async () => {
    for (const [sort, emails] of [
      ["-ended_at", ["s2", "s1", "s0"]],
      ["ended_at", ["s0", "s1", "s2"]],
    ] as const) {
      expect(await found(`sort=${sort}`)).toEqual(emails);
      const first = await get(`sort=${sort}&per_page=2&ended_from=2026-01-01&ended_to=2026-12-31&with_total=true`);
      expect(first.json.meta.total).toBe(3);
      const cursor = first.json.meta.next_cursor;
      const rest = await get(`sort=${sort}&per_page=2&ended_from=2026-01-01&ended_to=2026-12-31&cursor=${cursor}`);
      expect([...first.json.data, ...rest.json.data].map(({ email }) => String(email).slice(0, 2))).toEqual(emails);
      const back = await get(`sort=${sort}&per_page=2&cursor=${rest.json.meta.prev_cursor}`);
      expect(back.json.data.map(({ email }) => String(email).slice(0, 2))).toEqual(emails.slice(0, 2));
    }
  });

  it("refuses a cursor whose time is no instant", async () => {
    const { next_cursor } = (await get("sort=ended_at&per_page=1")).json.meta;
    const parts: unknown[] = JSON.parse(Buffer.from(String(next_cursor), "base64url").toString());
    for (const key of [null, 5, "2026-03-01", "soon", "2026-03-01T00:00:00Z'"]) {
      const forged = Buffer.from(JSON.stringify([...parts.slice(0, 5), key])).toString("base64url");
      expect((await get(`sort=ended_at&cursor=${forged}`)).status, String(key)).toBe(422);
    }
  });

  it("is exported with the ends", async () => {
    const { text } = await call("GET", "/subscriptions/export?sort=-ended_at", { key: merchant.key });
    const [head = "", ...lines] = text.trim().split("\r\n");
    expect(head.split(",")).toEqual(expect.arrayContaining(["ended_at", "ended_reason"]));
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain("2026-03-01T00:00:00.000000Z,period_end");
  });
});
