import { beforeAll, expect, it } from "vitest";
import { payAt, saveCardAt } from "@/tests/support/checkout";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { type Biller, createBiller } from "@/tests/support/subscribers";

let biller: Biller;
beforeAll(async () => {
  biller = await createBiller();
});

const timeline = async (path: string): Promise<Row[]> =>
  (await call("GET", `${path}/timeline?per_page=100`, { key: biller.key })).json.data;
const textsOf = (entries: Row[], ...kinds: string[]) =>
  entries.filter(({ kind }) => kinds.length === 0 || kinds.includes(String(kind))).map(({ text }) => text);

it("of a link: creation, visits, attempts with reasons, the payment and a refund, newest first", async () => {
  const id = await create(biller.key, "payment_links");
  const path = `/payment-links/${id}`;
  await payAt(`/pay?id=${id}`, "4000000000009995");
  await payAt(`/pay?id=${id}`);
  await call("POST", `${path}/refunds`, { key: biller.key, body: { amount: "250" } });
  const entries = await timeline(path);
  expect(textsOf(entries, "event")).toEqual([
    "Refunded: €2.50 in total",
    "Paid: €10.50",
    "Payment of €10.50 succeeded",
    "Payment of €10.50 failed",
    "Payment link for €10.50 created",
  ]);
  const failed = entries.find(({ type }) => type === "payment.failed");
  expect(failed).toMatchObject({
    detail: "Insufficient funds.",
    actor: { type: "payer", id: null, name: null },
    about_id: expect.stringMatching(/^pay_/),
    title: "Order 1001",
    payment_id: null,
    webhook_endpoint_id: null,
  });
  expect(entries.find(({ type }) => type === "payment_link.created")?.actor).toMatchObject({
    type: "api_key",
    name: "test",
  });
  expect(textsOf(entries, "visit")).toEqual(["Payer opened the payment page"]);
  expect(
    entries
      .filter(({ kind }) => kind === "mail")
      .map(({ type }) => type)
      .sort(),
  ).toEqual(["payment_link", "receipt", "refund"]);
  // A mail follows its event, which has the same time.
  const [mail, created] = entries.slice(-2);
  expect([mail, created].map((entry) => entry?.type)).toEqual(["payment_link", "payment_link.created"]);
  expect([mail?.created_at, mail?._id]).toEqual([created?.created_at, mail?.about_id]);
  const times = entries.map(({ created_at }) => String(created_at));
  expect(times).toEqual([...times].sort().reverse());
});

it("does not count HEAD requests and the page's own refreshes as visits", async () => {
  const id = await create(biller.key, "payment_links");
  await fetch(`${baseUrl()}/pay?id=${id}`, { method: "HEAD" });
  await fetch(`${baseUrl()}/pay?id=${id}&wait=1`, { redirect: "manual" });
  expect(textsOf(await timeline(`/payment-links/${id}`), "visit")).toEqual([]);
});

it("shows the next step and its time", async () => {
  const at = await biller.later(3);
  const id = await create(biller.key, "payment_links", { expires_at: at });
  const [next] = await timeline(`/payment-links/${id}`);
  expect(next).toMatchObject({ kind: "next", text: "Expires" });
  expect(Date.parse(String(next?.created_at))).toBe(Date.parse(at));
  await payAt(`/pay?id=${id}`);
  expect(textsOf(await timeline(`/payment-links/${id}`), "next")).toEqual([]);
});

it("of a subscription: its own and its periods' in one list, with the next charge and dunning", async () => {
  const email = "tl@example.com";
  await biller.saveCard(email);
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.becomes(id, "active");
  expect(textsOf(await timeline(`/subscriptions/${id}`), "next")).toEqual(["Next period: €15.00 for Reading club"]);
  await biller.saveCard(email, "4000000000009995");
  await biller.advance(await biller.later(31));
  const entries = await timeline(`/subscriptions/${id}`);
  expect(textsOf(entries, "next")).toEqual([
    "Next period: €15.00 for Reading club",
    "€15.00 charged to the saved card",
  ]);
  expect(textsOf(entries, "event")).toEqual([
    ...["Past due", "Payment of €15.00 failed", "Payment link for €15.00 created", "Renewal notice queued"],
    ...["Activated: first period paid", "Paid: €15.00", "Payment of €15.00 succeeded"],
    ...["Payment link for €15.00 created", "Subscription created"],
  ]);
  const mails = entries.filter(({ kind }) => kind === "mail");
  expect(mails.map(({ type }) => type).sort()).toEqual(["payment_failed", "receipt", "renewal_notice"]);
  const paged: Row[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = `per_page=3${cursor ? `&cursor=${cursor}` : ""}`;
    const { data, meta } = (await call("GET", `/subscriptions/${id}/timeline?${query}`, { key: biller.key })).json;
    paged.push(...data);
    cursor = meta.next_cursor as string | null;
  }
  expect(paged.map(({ _id }) => _id)).toEqual(entries.map(({ _id }) => _id));
});

it("of a subscription: visits and webhook deliveries of its periods, in both orders", async () => {
  const staff = await createBiller();
  await create(staff.key, "webhook_endpoints", { events: ["*"] });
  const id = await staff.subscribe(await staff.createPackage(), "vi@example.com");
  await staff.billed(id, 1);
  const [period] = (await staff.subscription(id)).payment_links;
  await payAt(`/pay?id=${period?._id}`);
  await staff.becomes(id, "active");
  const read = async (query: string) =>
    (await call("GET", `/subscriptions/${id}/timeline?${query}`, { key: staff.key })).json;
  // Deliveries change meanwhile: compare their number, not their times.
  const { data, meta } = await read("per_page=100&sort=created_at&with_total=true");
  const kinds = data.map(({ kind }: Row) => String(kind));
  const events = kinds.filter((kind: string) => kind === "event").length;
  expect(events).toBeGreaterThan(4);
  expect(kinds.filter((kind: string) => kind === "webhook")).toHaveLength(events);
  expect(kinds.filter((kind: string) => kind === "visit")).toHaveLength(1);
  expect([meta.total, kinds.includes("next")]).toEqual([data.length, false]);
  const still = ({ kind }: Row) => kind !== "webhook" && kind !== "next";
  const forth = data.filter(still).map(({ _id }: Row) => _id);
  const back = (await read("per_page=100")).data.filter(still).map(({ _id }: Row) => _id);
  expect(back).toEqual([...forth].reverse());
});

it("shows that a payer without a card is awaited", async () => {
  const id = await biller.subscribe(await biller.createPackage(), "no@example.com");
  await biller.billed(id, 1);
  await expect
    .poll(async () => textsOf(await timeline(`/subscriptions/${id}`), "next"))
    .toContain("Payer reminded to pay €15.00");
  await biller.advance(await biller.later(15));
  expect(textsOf(await timeline(`/subscriptions/${id}`), "next")).toContain(
    "If €15.00 is unpaid by then, the subscription becomes cancelled",
  );
});

it("of a package: creation, changes, cancellation and webhook deliveries", async () => {
  const staff = await createBiller();
  const endpoint = await create(staff.key, "webhook_endpoints", { events: ["package.updated"] });
  const id = await staff.createPackage();
  const same = { name: "Reading club", currency: "EUR", frequency: "monthly" };
  for (const change of [{ amount: "1600" }, { amount: "1600", status: "cancel" }])
    await call("PUT", `/packages/${id}`, { key: staff.key, body: { ...same, ...change } });
  const { data, meta } = (await call("GET", `/packages/${id}/timeline?with_total=true`, { key: staff.key })).json;
  expect(textsOf(data, "event")).toEqual(["Package cancelled", "Package changed", "Package created"]);
  expect(textsOf(data, "webhook")).toEqual([expect.stringMatching(/^package\.updated .*hooks\.invalid/)]);
  const delivery = data.find(({ kind }: Row) => kind === "webhook");
  expect(delivery).toMatchObject({ about_id: expect.stringMatching(/^whd_/), webhook_endpoint_id: endpoint });
  expect(data.at(-1)).toMatchObject({ actor: { type: "api_key", name: "test" }, about_id: id, payment_link_id: null });
  expect([meta.total, textsOf(data, "next")]).toEqual([4, []]);
});

it("of a tokenization: its deadline, the saved card and the revocation", async () => {
  const id = await create(biller.key, "tokenizations");
  const path = `/tokenizations/${id}`;
  const { token, expires_at } = await biller.get(path);
  const [next, created] = (await call("GET", `${path}/timeline`, { key: biller.key })).json.data;
  expect(next).toMatchObject({ kind: "next", text: "Activation page expires", created_at: expires_at });
  expect(created).toMatchObject({ kind: "event", text: "Tokenization created" });
  await saveCardAt(`/activate/${token}`);
  await call("DELETE", path, { key: biller.key });
  const entries = (await call("GET", `${path}/timeline`, { key: biller.key })).json.data;
  expect(textsOf(entries)).toEqual(["Card revoked", "Card saved", "Tokenization created"]);
  expect(entries[1]).toMatchObject({ detail: "Visa ending in 4242 (12/40)", actor: { type: "payer" } });
});

it("of a customer: links, payments, refunds, subscriptions, cards, mails and the record, newest first, in pages", async () => {
  const { key } = biller;
  const email = "whole@example.com";
  const link = await create(key, "payment_links", { email: "Whole@Example.com" });
  await payAt(`/pay?id=${link}`, "4000000000009995");
  await payAt(`/pay?id=${link}`);
  await call("POST", `/payment-links/${link}/refunds`, { key, body: { amount: "250" } });
  await biller.saveCard(email);
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.becomes(id, "active");
  await call("PUT", `/customers/${email}`, { key, body: { name: "Whole" } });
  await create(key, "payment_links", { email: "other@example.com" });

  const entries = await timeline(`/customers/${email}`);
  const texts = textsOf(entries, "event");
  for (const text of [
    "Customer changed",
    "Activated: first period paid",
    "Payment of €15.00 succeeded",
    "Subscription created",
    "Card saved",
    "Tokenization created",
    "Refunded: €2.50 in total",
    "Payment of €10.50 succeeded",
    "Payment of €10.50 failed",
    "Payment link for €10.50 created",
  ])
    expect(
      texts.filter((each) => each === text),
      text,
    ).toHaveLength(1);
  expect(texts.at(-1)).toBe("Payment link for €10.50 created");
  const titleOf = (text: string) => entries.find((entry) => entry.text === text)?.title;
  expect(titleOf("Payment of €10.50 succeeded")).toBe("Order 1001");
  expect(titleOf("Subscription created")).toBe("Reading club");
  expect(titleOf("Customer changed")).toBeNull();
  expect(textsOf(entries, "mail").join()).toContain("“Receipt” for Whole@Example.com not sent (test mode)");
  expect(textsOf(entries, "visit", "webhook", "next")).toEqual([]);
  const times = entries.map(({ created_at }) => String(created_at));
  expect(times).toEqual([...times].sort().reverse());

  const seen: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = `per_page=4${cursor && `&cursor=${cursor}`}`;
    const { data, meta } = (await call("GET", `/customers/WHOLE@example.com/timeline?${query}`, { key })).json;
    seen.push(...data.map(({ _id }) => _id));
    cursor = meta.next_cursor;
  }
  expect(seen).toEqual(entries.map(({ _id }) => _id));
});
