import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import {
  requestableStatuses,
  type SubscriptionStatus,
  subscriptionStatuses,
} from "@/lib/resources/subscriptions/contract";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
let key: string;
let packageId: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
  // In the future, so that billing does nothing during these tests.
  packageId = await create(key, "packages", { date_charge_start: "2040-01-31" });
});

const subscribe = () =>
  create(key, "subscriptions", { package_id: packageId, email: "ada@example.com", allow_duplicate: true });

/** A period's link, as billing creates it. */
async function addLink(subscription_id: string, period_index: number, status = "Active"): Promise<string> {
  const { id } = await db.paymentLink.create({
    data: {
      id: newId("pl"),
      business_id: merchant.businessId,
      livemode: false,
      email: "ada@example.com",
      currency: "EUR",
      amount_cents: 1500,
      title: `Period ${period_index}`,
      status,
      subscription_id,
      period_index,
      period_start: new Date(Date.UTC(2040, period_index, 1)),
      period_end: new Date(Date.UTC(2040, period_index + 1, 1)),
    },
  });
  return id;
}

describe("create", () => {
  it("embeds the package and starts without links", async () => {
    const { json } = await call("POST", "/subscriptions", {
      key,
      body: { package_id: packageId, email: "ada@example.com" },
    });
    const { subscriber_count: _, ...embedded } = (await call("GET", `/packages/${packageId}`, { key })).json.data;
    expect(json.data).toMatchObject({ status: "created", package_id: packageId, package: embedded, payment_links: [] });
    expect(Object.keys(json.data).slice(0, 9)).toEqual([
      ...["_id", "package_id", "email", "phone_no", "status", "package", "payment_links", "created_at", "updated_at"],
    ]);
  });

  it("asks before the same customer gets a package twice", async () => {
    const package_id = await create(key, "packages", { date_charge_start: "2040-01-31" });
    const post = (body: object) => call("POST", "/subscriptions", { key, body: { package_id, ...body } });
    const [one, ...refused] = (
      await Promise.all(Array.from({ length: 5 }, () => post({ email: "eve@example.com" })))
    ).sort((a, b) => a.status - b.status);
    const id = one?.json.data._id;
    for (const { status, json } of refused) {
      expect([status, json.code, (json as { subscription_id?: string }).subscription_id]).toEqual([
        409,
        "already_subscribed",
        id,
      ]);
      expect(json.message).toContain(id);
    }
    expect((await post({ email: "Eve@EXAMPLE.com" })).status).toBe(409);
    expect((await post({ email: "eve@example.com", allow_duplicate: true })).status).toBe(200);
    expect((await call("GET", `/subscriptions?package_id=${package_id}`, { key })).json.data).toHaveLength(2);
    for (const { _id } of (await call("GET", `/subscriptions?package_id=${package_id}`, { key })).json.data)
      await call("PUT", `/subscriptions/${_id}`, { key, body: { status: "cancel" } });
    expect((await post({ email: "eve@example.com" })).status).toBe(200);
  });

  it("refuses a package that is absent, cancelled, deleted, another business's or the other mode's", async () => {
    const stranger = await createMerchant();
    const cancelled = await create(key, "packages");
    const body = { name: "Reading club", amount: "1500", currency: "EUR", frequency: "monthly", status: "cancel" };
    expect((await call("PUT", `/packages/${cancelled}`, { key, body })).json.data.status).toBe("cancel");
    const deleted = await create(key, "packages");
    await call("DELETE", `/packages/${deleted}`, { key });
    const live = await create(merchant.liveKey, "packages");
    for (const package_id of ["nope", cancelled, deleted, live, await create(stranger.key, "packages")]) {
      const { status, json } = await call("POST", "/subscriptions", {
        key,
        body: { package_id, email: "ada@example.com" },
      });
      expect([status, json.errors]).toEqual([422, { package_id: ["The selected package_id is invalid."] }]);
    }
  });
});

describe("update", () => {
  it("changes only the given fields", async () => {
    const id = await subscribe();
    const put = (body: object) => call("PUT", `/subscriptions/${id}`, { key, body });
    expect((await put({ phone_no: "+15550100" })).json.data).toMatchObject({
      email: "ada@example.com",
      phone_no: "+15550100",
    });
    expect((await put({ email: "grace@example.com" })).json.data).toMatchObject({
      email: "grace@example.com",
      phone_no: "+15550100",
    });
    expect((await put({ phone_no: null })).json.data.phone_no).toBeNull();
    const before = (await call("GET", `/subscriptions/${id}`, { key })).json.data;
    expect((await put({})).json.data).toEqual(before);
    const bad = await put({ email: "", status: "unpaid" });
    expect(bad.json.errors).toEqual({
      email: ["The email field is required."],
      status: ["The selected status is invalid."],
    });
  });

  it("asks before an e-mail that has the package gets it from another subscription", async () => {
    const package_id = await create(key, "packages", { date_charge_start: "2040-01-31" });
    const subscribe = (email: string) => create(key, "subscriptions", { package_id, email });
    const put = (id: string, body: object) => call("PUT", `/subscriptions/${id}`, { key, body });
    const taken = await subscribe("eve@example.com");
    const id = await subscribe("adam@example.com");
    const refused = await put(id, { email: "Eve@EXAMPLE.com", phone_no: "+15550100" });
    expect([refused.status, refused.json.code, (refused.json as { subscription_id?: string }).subscription_id]).toEqual(
      [409, "already_subscribed", taken],
    );
    expect(refused.json.message).toContain(taken);
    expect((await call("GET", `/subscriptions/${id}`, { key })).json.data).toMatchObject({
      email: "adam@example.com",
      phone_no: null,
    });
    expect((await put(id, { email: "ADAM@example.com" })).status).toBe(200); // the same customer
    expect((await put(id, { email: "eve@example.com", status: "cancel" })).status).toBe(200); // not two that run
    const other = await subscribe("adam@example.com");
    expect((await put(other, { email: "eve@example.com", allow_duplicate: true })).json.data.email).toBe(
      "eve@example.com",
    );
    // The two that run: each may change anything else.
    expect((await put(other, { email: "eve@example.com", phone_no: "+15550100" })).status).toBe(200);
    for (const each of [taken, other]) await put(each, { status: "cancel" });
    expect((await put(await subscribe("adam@example.com"), { email: "eve@example.com" })).status).toBe(200);
  });

  it("lets one of several subscriptions get an e-mail, also beside a creation", async () => {
    const package_id = await create(key, "packages", { date_charge_start: "2040-01-31" });
    const email = "race@example.com";
    const ids = await Promise.all(
      Array.from({ length: 5 }, (_, n) => create(key, "subscriptions", { package_id, email: `race${n}@example.com` })),
    );
    const replies = await Promise.all([
      ...ids.map((id) => call("PUT", `/subscriptions/${id}`, { key, body: { email } })),
      call("POST", "/subscriptions", { key, body: { package_id, email } }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)]);
    expect(
      (await call("GET", `/subscriptions?package_id=${package_id}&email=${email}`, { key })).json.data,
    ).toHaveLength(1);
  });

  it("is deleted with what a request beside it has changed", async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, n) => create(key, "subscriptions", { email: `last${n}@example.com` })),
    );
    const beside = await Promise.all(
      ids.map(async (id, n) => {
        const changing = call("PUT", `/subscriptions/${id}`, { key, body: { status: "cancel" } });
        const deleting = sleep(5 * n).then(() => call("DELETE", `/subscriptions/${id}`, { key })); // before, beside or after it
        const [changed, deleted] = await Promise.all([changing, deleting]);
        return { changed, deleted };
      }),
    );
    for (const { changed, deleted } of beside) {
      expect(deleted.status).toBe(200);
      // It came after the deletion otherwise.
      if (changed.status === 200) expect(deleted.json.data.status).toBe("cancel");
      else expect(changed.status).toBe(404);
    }
    expect(beside.filter(({ changed }) => changed.status === 200).length).toBeGreaterThan(0);
  });

  // Every cell of the contract's table: the statuses that a caller may request from each status.
  const allowed: Record<SubscriptionStatus, string[]> = {
    created: ["cancel"],
    active: ["active", "paused", "cancel"],
    past_due: ["cancel"],
    paused: ["active", "paused", "cancel"],
    unpaid: ["cancel"],
    cancel: ["cancel"],
    completed: [],
  };
  for (const from of subscriptionStatuses)
    it.each(requestableStatuses.map((to) => [to]))(`from ${from} to %s`, async (to) => {
      const id = await subscribe();
      const runs = ["created", "active", "past_due"].includes(from);
      await db.subscription.update({ where: { id }, data: { status: from, next_charge_at: runs ? undefined : null } });
      const { status, json } = await call("PUT", `/subscriptions/${id}`, { key, body: { status: to } });
      const now = (await call("GET", `/subscriptions/${id}`, { key })).json.data.status;
      if (allowed[from].includes(to)) expect([status, now]).toEqual([200, to]);
      else {
        expect([status, now]).toEqual([409, from]);
        expect(json.message).toBe(`A subscription that is ${from} can not become ${to}.`);
      }
    });

  it("changes nothing when one field is refused", async () => {
    const id = await subscribe();
    const reply = await call("PUT", `/subscriptions/${id}`, { key, body: { status: "paused", phone_no: "+15550111" } });
    expect(reply.status).toBe(409);
    expect((await call("GET", `/subscriptions/${id}`, { key })).json.data.phone_no).toBeNull();
  });
});

describe("payment_links", () => {
  it("shows the newest twelve, newest first, and the rest through the list", async () => {
    const id = await subscribe();
    const links: string[] = [];
    for (let period = 0; period < 14; period++) links.push(await addLink(id, period));
    const { payment_links } = (await call("GET", `/subscriptions/${id}`, { key })).json.data;
    expect(payment_links.map(({ _id }: { _id: string }) => _id)).toEqual([...links].reverse().slice(0, 12));
    const rest = await call("GET", `/payment-links?subscription_id=${id}&with_total=true`, { key });
    expect(rest.json.meta.total).toBe(14);
    expect(payment_links[0]).toEqual(rest.json.data[0]);
    const listed = (await call("GET", `/subscriptions?package_id=${packageId}&per_page=100`, { key })).json.data;
    expect(listed.find(({ _id }: { _id: string }) => _id === id)?.payment_links).toEqual(payment_links);
  });
});

describe("a period's link", () => {
  it("can be changed, but keeps its e-mail and currency, and does not expire", async () => {
    const link = await addLink(await subscribe(), 0);
    const body = { email: "ada@example.com", currency: "EUR", amount: "1400", title: "Less this month" };
    const put = (over: object) => call("PUT", `/payment-links/${link}`, { key, body: { ...body, ...over } });
    expect((await put({})).json.data).toMatchObject({ amount: 14, title: "Less this month" });
    for (const over of [{ email: "grace@example.com" }, { currency: "USD" }, { expires_at: "2040-01-31T00:00:00Z" }]) {
      const reply = await put(over);
      expect([reply.status, reply.json.code]).toEqual([409, "conflict"]);
    }
  });
});

describe("delete", () => {
  it("closes open links, keeps paid ones, and is not possible while a payment is in flight", async () => {
    const id = await subscribe();
    const open = await addLink(id, 0);
    const paid = await addLink(id, 1);
    await db.paymentLink.update({ where: { id: paid }, data: { status: "Paid", paid_at: new Date() } });
    const processing = await addLink(id, 2, "Processing");
    const refused = await call("DELETE", `/subscriptions/${id}`, { key });
    expect([refused.status, refused.json.code]).toEqual([409, "link_processing"]);
    await db.paymentLink.update({ where: { id: processing }, data: { status: "Active" } });
    const gone = await call("DELETE", `/subscriptions/${id}`, { key });
    expect([gone.status, gone.json.data.deleted]).toEqual([200, true]);
    expect((await call("GET", `/payment-links/${open}`, { key })).status).toBe(404);
    expect((await call("GET", `/payment-links/${paid}`, { key })).json.data.paid).toBe(true);
  });
});
