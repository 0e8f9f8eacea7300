import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { payAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";
import { activate, create } from "@/tests/support/samples";
import { createBiller } from "@/tests/support/subscribers";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant("Addresses");
  key = merchant.key;
});

const at = (email: string) => `/customers/${encodeURIComponent(email)}`;
const change = (from: string, to: unknown, by = key, headers: Record<string, string> = {}) =>
  call("POST", `${at(from)}/change-email`, { key: by, body: { email: to }, headers });
const get = async (path: string, by = key) => (await call("GET", path, { key: by })).json.data;
const emailOf = async (path: string, by = key) => (await get(path, by)).email;
const answer = ({ status, json }: Awaited<ReturnType<typeof change>>) => [status, json.code ?? null];

describe("POST /customers/{email}/change-email", () => {
  it("moves what is open, and keeps what was paid, with events and an audit entry", async () => {
    const [from, to] = ["ada.old@example.com", "ada.new@example.com"];
    const open = await create(key, "payment_links", { email: "Ada.Old@example.com" });
    const paid = await create(key, "payment_links", { email: from });
    await payAt(`/pay?id=${paid}`);
    const subscription = await create(key, "subscriptions", { email: from });
    await expect.poll(() => db.paymentLink.count({ where: { subscription_id: subscription } })).toBe(1);
    const period = await db.paymentLink.findFirstOrThrow({ where: { subscription_id: subscription } });
    const ended = await create(key, "subscriptions", { email: from, allow_duplicate: true });
    await call("PUT", `/subscriptions/${ended}`, { key, body: { status: "cancel" } });
    const card = await create(key, "tokenizations", { email: from });
    const revoked = await create(key, "tokenizations", { email: from });
    await activate(revoked);
    expect((await call("DELETE", `/tokenizations/${revoked}`, { key })).status).toBe(200);
    const written = { name: "Ada", notes: "Calls on Mondays.", metadata: { crm: "17" } };
    await call("PUT", at(from), { key, body: written });

    const reply = await change("ADA.old@example.com", "Ada.NEW@example.com");
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data).toMatchObject({
      ...written,
      ...{ _id: to, email: to, subscription_count: 1, former_emails: [from] },
      ...{ changed_to: null, links_moving: false },
    });
    for (const path of [
      `/payment-links/${open}`,
      `/payment-links/${period.id}`,
      `/subscriptions/${subscription}`,
      `/tokenizations/${card}`,
    ])
      expect([path, await emailOf(path)]).toEqual([path, to]);
    for (const path of [`/payment-links/${paid}`, `/subscriptions/${ended}`, `/tokenizations/${revoked}`])
      expect([path, await emailOf(path)]).toEqual([path, from]);
    expect(await get(at(from))).toMatchObject({ name: "Ada", notes: null, metadata: {}, changed_to: to });

    const events: Row[] = await get("/events?per_page=100");
    const types = events.map(({ type, data }) => [type, (data as Row).email, (data as Row)._id]);
    for (const [type, id] of [
      ["payment_link.updated", open],
      ["payment_link.updated", period.id],
      ["subscription.updated", subscription],
      ["tokenization.updated", card],
    ])
      expect(types).toContainEqual([type, to, id]);
    const changed = events.find(({ type }) => type === "customer.email_changed");
    expect(changed?.data).toMatchObject({ ...written, email: to, previous_email: from });
    const where = { business_id: merchant.businessId, action: "customer.email_changed" };
    expect(await db.auditEntry.findMany({ where })).toMatchObject([
      { resource_id: to, about: "Ada", before: { email: from }, after: { email: to } },
    ]);
  });

  it("can be undone by changing the address back, and follows several changes", async () => {
    const paid = await create(key, "payment_links", { email: "a@back.example" });
    await payAt(`/pay?id=${paid}`);
    const open = await create(key, "payment_links", { email: "a@back.example" });
    await call("PUT", at("a@back.example"), { key, body: { name: "Typo", notes: "First" } });
    expect((await change("a@back.example", "b@back.example")).status).toBe(200);
    expect((await change("b@back.example", "c@back.example")).json.data.former_emails).toEqual([
      "b@back.example",
      "a@back.example",
    ]);
    const back = await change("c@back.example", "a@back.example");
    expect(back.json.data).toMatchObject({ name: "Typo", notes: "First", changed_to: null });
    expect(await emailOf(`/payment-links/${open}`)).toBe("a@back.example");
    // A link that was created for the old address since then can follow.
    expect((await change("a@back.example", "d@back.example")).status).toBe(200);
    const late = await create(key, "payment_links", { email: "a@back.example" });
    await call("PUT", at("a@back.example"), { key, body: { notes: "Second" } });
    expect((await change("a@back.example", "d@back.example")).json.data.notes).toBe("First\n\nSecond");
    expect(await emailOf(`/payment-links/${late}`)).toBe("d@back.example");
  });

  it("refuses to merge, the same address, no address, an unknown customer, and one with nothing to move", async () => {
    await create(key, "payment_links", { email: "one@merge.example" });
    await create(key, "tokenizations", { email: "other@merge.example" });
    expect(answer(await change("one@merge.example", "OTHER@merge.example"))).toEqual([409, "customer_exists"]);
    expect(await get(at("one@merge.example"))).toMatchObject({ changed_to: null });
    for (const to of ["One@merge.example", "nonsense", "", null, 7]) {
      const reply = await change("one@merge.example", to);
      expect([to, reply.status, Object.keys(reply.json.errors)]).toEqual([to, 422, ["email"]]);
    }
    expect(answer(await change("nobody@merge.example", "x@merge.example"))).toEqual([404, "not_found"]);
    const paid = await create(key, "payment_links", { email: "paid@merge.example" });
    await payAt(`/pay?id=${paid}`);
    expect(answer(await change("paid@merge.example", "x@merge.example"))).toEqual([409, "nothing_to_move"]);
  });

  it("is per business and mode, and needs the scopes of customers and subscriptions", async () => {
    const stranger = await createMerchant("Stranger");
    const all = [key, merchant.liveKey, stranger.key];
    const links = await Promise.all(all.map((by) => create(by, "payment_links", { email: "two@tenant.example" })));
    const half = await createKey(merchant, ["customers:write", "payment_links:write"]);
    expect(answer(await change("two@tenant.example", "new@tenant.example", half))).toEqual([403, "forbidden"]);
    const both = await createKey(merchant, ["customers:write", "subscriptions:write"]);
    expect((await change("two@tenant.example", "new@tenant.example", both)).status).toBe(200);
    const emails = await Promise.all(all.map((by, n) => emailOf(`/payment-links/${links[n]}`, by)));
    expect(emails).toEqual(["new@tenant.example", "two@tenant.example", "two@tenant.example"]);
  });

  it("lets one of several changes win, and answers a repetition with the first response", async () => {
    const link = await create(key, "payment_links", { email: "race@example.com" });
    const targets = Array.from({ length: 5 }, (_, n) => `race${n}@example.com`);
    const replies = await Promise.all(targets.map((to) => change("race@example.com", to)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    // 404: began after the first one had moved everything; 503: waited too long for it
    for (const { status } of replies) expect([200, 404, 409, 503]).toContain(status);
    const winner = targets[replies.findIndex(({ status }) => status === 200)] ?? "";
    expect(await emailOf(`/payment-links/${link}`)).toBe(winner);
    const again = { "Idempotency-Key": newId("evt") };
    const first = await change(winner, "last@race.example", key, again);
    const second = await change(winner, "last@race.example", key, again);
    expect([second.status, second.text, second.headers.get("idempotency-replayed")]).toEqual([200, first.text, "true"]);
  });

  it("leaves links beyond the first ones to a job, and does not move links that were created later", async () => {
    const { key: by, businessId } = await createMerchant("Reseller");
    const [from, to] = ["many@example.com", "moved@example.com"];
    const rows = Array.from({ length: 1_203 }, (_, n) => ({
      id: newId("pl"),
      ...{ business_id: businessId, livemode: false, email: from, currency: "EUR", amount_cents: 500 },
      ...{ title: `Link ${n}`, created_at: new Date(Date.now() - n * 1_000) },
      ...(n % 3 === 0 ? { status: "Paid", paid_at: new Date() } : {}),
    }));
    await db.paymentLink.createMany({ data: rows });
    const reply = await change(from, to, by);
    expect([reply.status, reply.json.data.links_moving]).toEqual([200, true]);
    const count = (email: string, status: string) =>
      db.paymentLink.count({ where: { business_id: businessId, email, status } });
    await expect.poll(async () => (await get(at(to), by)).links_moving, { timeout: 30_000 }).toBe(false);
    expect([await count(from, "Active"), await count(to, "Active"), await count(from, "Paid")]).toEqual([0, 802, 401]);
    const events = await db.event.count({ where: { business_id: businessId, type: "payment_link.updated" } });
    expect(events).toBe(802);
  });
});

describe("a change of e-mail at the same time", () => {
  it("as subscriptions are charged: each period is paid once, and no payer is asked for a card", async () => {
    const biller = await createBiller();
    const by = biller.key;
    const addresses = ["race.a@example.com", "race.b@example.com"] as const;
    await biller.saveCard(addresses[0]);
    const packageId = await biller.createPackage({ frequency: "daily" });
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => biller.subscribe(packageId, addresses[0], { allow_duplicate: true })),
    );
    for (const id of ids) await biller.becomes(id, "active");
    const clock = biller.advance(await biller.later(6));
    const statuses = new Set<number>();
    for (let round = 0; round < 10; round++) {
      const reply = await change(addresses[round % 2] ?? "", addresses[(round + 1) % 2], by);
      statuses.add(reply.status);
      if (reply.status !== 200) round--; // repeated, as clients do after a 409 or 503
    }
    await clock;
    expect([...statuses].filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    await biller.advance(await biller.later(0.1)); // for charges that were postponed by an hour
    const where = { business_id: biller.merchant.businessId };
    for (const id of ids) {
      expect(await biller.subscription(id)).toMatchObject({ email: addresses[0], status: "active" });
      const periods = await db.paymentLink.findMany({ where: { ...where, subscription_id: id } });
      expect(periods.length).toBeGreaterThanOrEqual(6);
      expect(new Set(periods.map(({ status }) => status))).toEqual(new Set(["Paid"]));
    }
    const paid = await db.payment.groupBy({
      by: ["payment_link_id"],
      where: { ...where, status: "succeeded" },
      _count: true,
    });
    expect(paid.filter(({ _count }) => _count !== 1)).toEqual([]);
    expect(await db.event.count({ where: { ...where, type: "payment_link.awaiting_payer" } })).toBe(0);
  });

  it("as an import runs: no link is lost, and a second change moves those that came later", async () => {
    const { key: by, businessId } = await createMerchant("Importer");
    const [from, to] = ["import@example.com", "imported@example.com"];
    await create(by, "payment_links", { email: from });
    const row = { email: from, currency: "EUR", amount: "500", title: "Imported", send_email: false };
    const imports = Promise.all(
      ["one.csv", "two.csv", "three.csv"].map((file) =>
        call("POST", "/payment-links/import", {
          key: by,
          body: { file, rows: Array.from({ length: 60 }, (_, n) => ({ ...row, row: n + 1 })) },
        }),
      ),
    );
    let changes = 0;
    for (let done = false; !done; ) {
      const reply = await change(from, to, by);
      expect([200, 404, 409, 503]).toContain(reply.status);
      if (reply.status === 200) changes++;
      done = await Promise.race([imports.then(() => true), new Promise<false>((go) => setTimeout(go, 20, false))]);
    }
    for (const { status, json } of await imports)
      expect([status, json.data?.counts]).toMatchObject([200, { created: 60 }]);
    expect(changes).toBeGreaterThan(0);
    const count = (email: string) => db.paymentLink.count({ where: { business_id: businessId, email } });
    expect((await count(from)) + (await count(to))).toBe(181);
    if ((await count(from)) > 0) expect((await change(from, to, by)).status).toBe(200);
    expect([await count(from), await count(to)]).toEqual([0, 181]);
  });
});

describe("GET /customers/names", () => {
  it("returns the names of the tenant's customers", async () => {
    const stranger = await createMerchant("Stranger");
    for (const [by, name] of [
      [key, "Nora"],
      [stranger.key, "Not Nora"],
    ] as const) {
      await create(by, "payment_links", { email: "nora@example.com" });
      await call("PUT", at("nora@example.com"), { key: by, body: { name } });
    }
    await create(key, "payment_links", { email: "nameless@example.com" });
    const emails = encodeURIComponent("NORA@example.com,nameless@example.com,absent@example.com");
    expect((await get(`/customers/names?emails=${emails}`)).names).toEqual([
      { email: "nora@example.com", name: "Nora" },
    ]);
    const many = Array.from({ length: 26 }, (_, n) => `n${n}@example.com`).join(",");
    expect((await call("GET", `/customers/names?emails=${many}`, { key })).status).toBe(422);
  });
});
