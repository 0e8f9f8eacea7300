import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/lib/core/db";
import { record } from "@/lib/outbox/record";
import { type EventType, eventTypes } from "@/lib/resources/events/types";
import { payAt } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";
import { asOwner } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";
import { callAs, signedIn } from "@/tests/support/sign-in";
import { type Biller, createBiller } from "@/tests/support/subscribers";

let biller: Biller;
beforeAll(async () => {
  biller = await createBiller();
});

const get = (path: string) => biller.get(path);
const send = (method: string, path: string, body: Record<string, unknown> = {}) =>
  call(method, path, { key: biller.key, body: method === "DELETE" ? undefined : body });

/** Oldest first. */
async function eventsOf(filter: string): Promise<Row[]> {
  return (await call("GET", `/events?sort=created_at&per_page=100&${filter}`, { key: biller.key })).json.data;
}
const typesOf = async (filter: string) => (await eventsOf(filter)).map(({ type }) => type);
const bySequence = (events: Row[]) => [...events].sort((a, b) => Number(a.sequence) - Number(b.sequence));

describe("a payment link", () => {
  it("records its changes in order, with the actor and the link as the API returns it", async () => {
    const link = (await send("POST", "/payment-links", body())).json.data;
    await send("PUT", `/payment-links/${link._id}`, { ...body(), title: "Order 1002" });
    await send("PUT", `/payment-links/${link._id}`, { ...body(), title: "Order 1002" }); // changes nothing
    await send("POST", `/payment-links/${link._id}/deactivate`);
    await send("POST", `/payment-links/${link._id}/deactivate`); // changes nothing either
    await send("POST", `/payment-links/${link._id}/activate`);
    await payAt(`/pay?id=${link._id}`, "4000000000000002");
    await payAt(`/pay?id=${link._id}`);
    const events = await eventsOf(`resource_id=${link._id}`);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ["payment_link.created", 1],
      ["payment_link.updated", 2],
      ["payment_link.updated", 3],
      ["payment_link.updated", 4],
      ["payment_link.paid", 5],
    ]);
    expect(events[0]?.data).toEqual(link);
    expect(events[0]?.actor).toMatchObject({ type: "api_key", id: expect.stringMatching(/^key_/) });
    expect(events[2]?.data).toMatchObject({ status: "Inactive", title: "Order 1002" });
    expect(events[4]).toMatchObject({
      data: await get(`/payment-links/${link._id}`),
      actor: { type: "payer", id: null },
    });
    const all = await eventsOf(`payment_link_id=${link._id}`);
    expect(all.map(({ type }) => type).filter((type) => String(type).startsWith("payment."))).toEqual([
      "payment.failed",
      "payment.succeeded",
    ]);
    expect(all.find(({ type }) => type === "payment.failed")?.data).toMatchObject({ reason: "card_declined" });
  });

  it("records the request's id", async () => {
    const reply = await send("POST", "/payment-links", body());
    const [event] = await eventsOf(`resource_id=${reply.json.data._id}`);
    expect(event?.request_id).toBe(reply.headers.get("x-request-id"));
    expect(await get(`/events/${event?._id}`)).toEqual(event);
  });

  it("names the actor of a created link: an API key with an Idempotency-Key, or a signed-in user", async () => {
    const merchant = await createMerchant();
    const headers = { "Idempotency-Key": "order-1001" };
    const byKey = await call("POST", "/payment-links", { key: merchant.key, body: body(), headers });
    const { cookie, userId } = await signedIn(merchant);
    const byOwner = await callAs(cookie, "POST", "/payment-links", body());
    for (const [reply, actor] of [
      [byKey, { type: "api_key", id: expect.stringMatching(/^key_/) }],
      [byOwner, { type: "user", id: userId }],
    ] as const) {
      const [event] = (await call("GET", `/events?resource_id=${reply.json.data._id}`, { key: merchant.key })).json
        .data;
      expect(event).toMatchObject({ actor, request_id: reply.headers.get("x-request-id") });
    }
  });

  it("numbers simultaneous events", async () => {
    const id = await create(biller.key, "payment_links");
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => send("PUT", `/payment-links/${id}`, { ...body(), title: `Order ${i}` })),
    );
    const events = bySequence(await eventsOf(`resource_id=${id}`));
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
    const { title } = await get(`/payment-links/${id}`);
    expect(events.at(-1)?.data).toMatchObject({ title });
  });

  it("records its deletion or its expiry (by the business's clock) once", async () => {
    const gone = await create(biller.key, "payment_links");
    await send("DELETE", `/payment-links/${gone}`);
    expect(await typesOf(`resource_id=${gone}`)).toEqual(["payment_link.created", "payment_link.deleted"]);
    const at = await biller.later(2);
    const id = await create(biller.key, "payment_links", { expires_at: at });
    await biller.advance(await biller.later(5));
    const events = await eventsOf(`resource_id=${id}`);
    expect(events.map(({ type }) => type)).toEqual(["payment_link.created", "payment_link.expired"]);
    expect(events[1]).toMatchObject({ data: { status: "Expired" }, actor: { type: "system", id: null } });
    expect(Date.parse(String(events[1]?.created_at))).toBe(Date.parse(at));
    // A reopened link expires again.
    await send("PUT", `/payment-links/${id}`, { ...body(), expires_at: await biller.later(1) });
    await biller.advance(await biller.later(2));
    expect((await typesOf(`resource_id=${id}`)).slice(2)).toEqual(["payment_link.updated", "payment_link.expired"]);
  });

  it("records its expiry promptly without a test clock", async () => {
    const other = await createBiller();
    const soon = new Date(Date.now() + 1_500).toISOString();
    const id = await create(other.key, "payment_links", { expires_at: soon });
    const types = async () =>
      (await call("GET", `/events?resource_id=${id}`, { key: other.key })).json.data.map(({ type }: Row) => type);
    await expect.poll(types).toContain("payment_link.expired");
  });
});

it("refunds and returned refunds are recorded", async () => {
  const id = await create(biller.key, "payment_links");
  await payAt(`/pay?id=${id}`, "4000000000005092");
  await send("POST", `/payment-links/${id}/refunds`, { amount: "100" });
  const paid = await create(biller.key, "payment_links");
  await payAt(`/pay?id=${paid}`);
  await send("POST", `/payment-links/${paid}/refunds`, { amount: "250" });
  expect(await typesOf(`payment_link_id=${id}`)).toContain("refund.failed");
  const refunded = (await eventsOf(`payment_link_id=${paid}`)).find(({ type }) => type === "payment.refunded");
  expect(refunded?.data).toMatchObject({ refunded_amount: 2.5 });
});

it("tokenizations and packages record their changes", async () => {
  await biller.saveCard("kay@example.com");
  const [token]: Row[] = (await call("GET", "/tokenizations?email=kay@example.com", { key: biller.key })).json.data;
  await send("DELETE", `/tokenizations/${token?._id}`);
  const events = await eventsOf(`resource_id=${token?._id}`);
  expect(events.map(({ type, actor }) => [type, (actor as Row).type])).toEqual([
    ["tokenization.created", "api_key"],
    ["tokenization.activated", "payer"],
    ["tokenization.revoked", "api_key"],
  ]);
  const pending = await create(biller.key, "tokenizations");
  await biller.advance(await biller.later(2));
  expect(await typesOf(`resource_id=${pending}`)).toEqual(["tokenization.created", "tokenization.expired"]);
  const plan = { name: "Club", amount: "900", currency: "EUR", frequency: "monthly" };
  const pkg = await biller.createPackage(plan);
  await send("PUT", `/packages/${pkg}`, { ...plan, amount: "950" });
  await send("PUT", `/packages/${pkg}`, { ...plan, amount: "950", status: "cancel" });
  await send("DELETE", `/packages/${pkg}`);
  expect(await typesOf(`resource_id=${pkg}`)).toEqual([
    ...["package.created", "package.updated", "package.canceled", "package.deleted"],
  ]);
});

it("changed metadata and notes are recorded, also of what has no other update", async () => {
  for (const kind of ["payments", "refunds", "disputes", "tokenizations"] as const) {
    const id = await create(biller.key, kind);
    const { json } = await send("PUT", `/${kind}/${id}/annotations`, {
      metadata: { order_id: "1001" },
      notes: "Called.",
    });
    const [event] = await eventsOf(`resource_id=${id}&type=${kind.slice(0, -1)}.updated`);
    const { token: _, activation_url: __, ...shown } = json.data as Row;
    expect(event?.data).toEqual(shown);
  }
});

it("customers record changes of their name, notes and metadata once, by the record's id", async () => {
  await create(biller.key, "payment_links", { email: "Known@example.com" });
  const body = { name: "Known", notes: "Calls on Mondays.", metadata: { crm: "7" } };
  await send("PUT", "/customers/known%40example.com", body);
  await send("PUT", "/customers/known%40example.com", body); // changes nothing
  await send("PUT", "/customers/known%40example.com", { notes: null });
  const { id } = await db.customer.findFirstOrThrow({
    where: { business_id: biller.merchant.businessId, email: "known@example.com" },
  });
  const events = await eventsOf(`resource_id=${id}`);
  expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ["customer.updated", 1],
    ["customer.updated", 2],
  ]);
  expect(events[0]?.data).toMatchObject({ _id: id, email: "known@example.com", livemode: false, ...body });
  expect(events[1]?.data).toMatchObject({ name: "Known", notes: null });
});

describe("a subscription", () => {
  it("records its whole life, dated by the business's clock", async () => {
    const email = "life@example.com";
    await biller.saveCard(email);
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.becomes(id, "active");
    await biller.advance(await biller.later(32));
    await send("PUT", `/subscriptions/${id}`, { status: "paused" });
    await send("PUT", `/subscriptions/${id}`, { status: "active" });
    await biller.saveCard(email, "4000000000000341");
    await biller.advance(await biller.later(32));
    expect((await biller.subscription(id)).status).toBe("past_due");
    await biller.saveCard(email);
    await biller.becomes(id, "active");
    await send("PUT", `/subscriptions/${id}`, { phone_no: "+49 555 0100" });
    await send("PUT", `/subscriptions/${id}`, { status: "cancel" });
    await send("DELETE", `/subscriptions/${id}`);
    const events = await eventsOf(`resource_id=${id}`);
    expect(bySequence(events).map(({ type }) => String(type).replace("subscription.", ""))).toEqual([
      ...["created", "activated", "renewal_upcoming", "renewed", "paused", "resumed", "renewal_upcoming", "past_due"],
      ...["renewed", "recovered", "updated", "canceled", "deleted"],
    ]);
    const activated = events.find(({ type }) => type === "subscription.activated");
    expect(activated?.data).toMatchObject({ status: "active", payment_links: [{ paid: true }] });
    const all = await eventsOf(`subscription_id=${id}`);
    const opened = all.filter(({ type }) => type === "payment_link.created");
    // Billing creates a period's link at the instant at which the period begins.
    for (const { created_at, data } of opened.slice(1)) expect(created_at).toBe((data as Row).period_start);
  });

  it("asks a payer without a card to pay, then records the end of dunning", async () => {
    const id = await biller.subscribe(await biller.createPackage(), "cardless@example.com");
    await biller.billed(id, 1);
    await biller.advance(await biller.later(23));
    const types = await typesOf(`subscription_id=${id}`);
    expect(types).toEqual([
      ...["subscription.created", "payment_link.created"],
      ...Array(4).fill("payment_link.awaiting_payer"),
      "payment_link.updated",
      "subscription.canceled",
    ]);
  });
});

it("a rolled-back change records nothing", async () => {
  const id = await create(biller.key, "payment_links");
  const data = await get(`/payment-links/${id}`);
  const tenant = { businessId: biller.merchant.businessId, livemode: false };
  const failing = transaction(db, async (tx) => {
    await record(tx, tenant, [{ type: "payment_link.updated", data: data as never }]);
    throw new Error("too bad");
  });
  await expect(failing).rejects.toThrow("too bad");
  expect(await typesOf(`resource_id=${id}`)).toEqual(["payment_link.created"]);
});

it("cannot be changed or deleted, even in the database", async () => {
  const id = await create(biller.key, "payment_links");
  for (const change of ["UPDATE event SET type = 'payment_link.paid'", "DELETE FROM event"])
    await expect(asOwner(`${change} WHERE resource_id = '${id}'`)).rejects.toThrow("only added to");
  await expect(asOwner("TRUNCATE event CASCADE")).rejects.toThrow("only added to");
});

afterAll(async () => {
  // Every event recorded here matches its type's schema.
  const events = await db.event.findMany({ where: { business_id: biller.merchant.businessId } });
  expect(events.length).toBeGreaterThan(80);
  for (const { type, data } of events) eventTypes[type as EventType].data.strict().parse(data);
});

function body() {
  return { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
}
