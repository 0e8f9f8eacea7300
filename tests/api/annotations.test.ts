import { beforeAll, describe, expect, it } from "vitest";
import { maxKeys } from "@/lib/core/metadata-key";
import { payAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { callAs, signedIn } from "@/tests/support/sign-in";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

const get = async (path: string) => (await call("GET", path, { key })).json.data;
const send = (method: string, path: string, body: unknown) => call(method, path, { key, body });
const annotate = (path: string, body: unknown) => send("PUT", `${path}/annotations`, body);
const pageAt = async (path: string) => (await fetch(baseUrl() + path)).text();
const paymentOf = async (id: string): Promise<Row> => {
  const [payment] = await get(`/payments?payment_link_id=${id}`);
  if (!payment) throw new Error("no payment");
  return payment;
};
const idsOf = async (path: string): Promise<unknown[]> => (await get(path)).map(({ _id }: Row) => _id);
const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };

const paths = {
  payment_links: "/payment-links",
  tokenizations: "/tokenizations",
  packages: "/packages",
  subscriptions: "/subscriptions",
  payments: "/payments",
  refunds: "/refunds",
  disputes: "/disputes",
} as const;
const kinds = Object.keys(paths) as (keyof typeof paths)[];
const eventOf = (kind: keyof typeof paths) => `${kind.slice(0, -1)}.updated`;

describe.each(kinds)("%s", (kind) => {
  it("keep metadata and notes, merge keys, and say so in responses, lists and events", async () => {
    const list = paths[kind];
    const id = await create(key, kind);
    const path = `${list}/${id}`;
    expect(await get(path)).toMatchObject({ metadata: {}, notes: null });

    const first = await annotate(path, {
      metadata: { order_id: id, channel: "web" },
      notes: "Call first.\nThen write.",
    });
    expect([first.status, first.json.data]).toMatchObject([
      200,
      { _id: id, metadata: { order_id: id, channel: "web" }, notes: "Call first.\nThen write." },
    ]);
    // What is not sent stays; null and an empty text remove a key.
    const merged = await annotate(path, { metadata: { channel: "", shelf: "B-7" } });
    expect(merged.json.data).toMatchObject({
      metadata: { order_id: id, shelf: "B-7" },
      notes: "Call first.\nThen write.",
    });
    expect(merged.json.data.metadata).not.toHaveProperty("channel");
    expect(await get(path)).toEqual(merged.json.data);
    await annotate(path, { metadata: { shelf: "B-7" } }); // changes nothing
    await annotate(path, {});

    expect(await idsOf(`${list}?metadata[order_id]=${id}`)).toEqual([id]);
    expect(await idsOf(`${list}?metadata[order_id]=${id}&metadata[shelf]=B-7`)).toEqual([id]);
    expect(await idsOf(`${list}?metadata[order_id]=${id}&metadata[shelf]=B-8`)).toEqual([]);
    expect(await idsOf(`${list}?metadata[channel]=web`)).toEqual([]);
    const row = await get(path);
    const [own] = String(row.email ?? row.name).split(/\W/);
    const isSearched = !["refunds", "disputes"].includes(kind);
    // Words of the notes and of a value, together with an own word of the row; keys are no words.
    for (const q of [`then ${id}`, `b-7 write ${id}`, `${id} ${own}`])
      if (isSearched) expect(await idsOf(`${list}?q=${encodeURIComponent(q)}`), q).toEqual([id]);
    for (const q of [`shelf ${id}`, `never ${id}`])
      if (isSearched) expect(await idsOf(`${list}?q=${encodeURIComponent(q)}`), q).toEqual([]);

    const events: Row[] = await get(`/events?resource_id=${id}&type=${eventOf(kind)}&sort=created_at`);
    expect(events.map(({ data }) => [(data as Row).metadata, (data as Row).notes])).toEqual([
      [{ order_id: id, channel: "web" }, "Call first.\nThen write."],
      [{ order_id: id, shelf: "B-7" }, "Call first.\nThen write."],
    ]);
    expect(events[0]?.actor).toMatchObject({ type: "api_key" });

    expect((await annotate(path, { metadata: null, notes: "" })).json.data).toMatchObject({
      metadata: {},
      notes: null,
    });
    expect(await idsOf(`${list}?metadata[order_id]=${id}`)).toEqual([]);
    if (isSearched) expect(await idsOf(`${list}?q=then%20${id}`)).toEqual([]);
  });

  it("keep them from other tenants", async () => {
    const other = await createMerchant();
    const id = await create(key, kind);
    await annotate(`${paths[kind]}/${id}`, { metadata: { tenant: id } });
    for (const stranger of [other.key, merchant.liveKey]) {
      const list = await call("GET", `${paths[kind]}?metadata[tenant]=${id}`, { key: stranger });
      expect(list.json.data).toEqual([]);
      const path = `${paths[kind]}/${id}/annotations`;
      expect((await call("PUT", path, { key: stranger, body: { notes: "Mine" } })).status).toBe(404);
    }
    expect(await get(`${paths[kind]}/${id}`)).toMatchObject({ notes: null });
  });
});

describe("what is refused", () => {
  const keys = (count: number, from = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${from + index}`, "v"]));

  it.each([
    ["a text", "order", "The metadata must be an object."],
    ["an array", ["order"], "The metadata must be an object."],
    ["a number as value", { order: 7 }, 'The metadata value of "order" must be a string.'],
    ["an object as value", { order: { id: 7 } }, 'The metadata value of "order" must be a string.'],
    [
      "a long value",
      { order: "x".repeat(501) },
      'The metadata value of "order" must not be greater than 500 characters.',
    ],
    [
      "a control character",
      { order: "a\u0007b" },
      'The metadata value of "order" must not contain control characters.',
    ],
    [
      "an empty key",
      { "": "x" },
      'The metadata key "" is invalid: use 1 to 40 letters, digits, dots, hyphens or underscores.',
    ],
    ["a key with a blank", { "order id": "x" }, /^The metadata key "order id" is invalid/],
    ["a key with a bracket", { "order]": "x" }, /^The metadata key "order\]" is invalid/],
    ["a long key", { ["k".repeat(41)]: "x" }, /^The metadata key "k{40}…" is invalid/],
    ["__proto__", JSON.parse('{"__proto__": "x"}'), /^The metadata key "__proto__" is invalid/],
    ["too many keys", keys(maxKeys + 1), "The metadata must not have more than 20 keys."],
  ])("%s", async (_, metadata, message) => {
    const expected = typeof message === "string" ? message : expect.stringMatching(message);
    const id = await create(key, "payment_links");
    for (const reply of [
      await annotate(`/payment-links/${id}`, { metadata }),
      await send("POST", "/payment-links", { ...link, metadata }),
    ])
      expect([reply.status, reply.json.errors]).toEqual([422, { metadata: [expected] }]);
    expect(await get(`/payment-links/${id}`)).toMatchObject({ metadata: {} });
  });

  it.each([
    ["NUL", '{"metadata":{"a":"\\u0000"}}'],
    ["a lone surrogate", '{"metadata":{"a":"\\ud800"}}'],
    ["a key twice", '{"metadata":{"a":"1","a":"2"}}'],
  ])("%s is no valid JSON", async (_, raw) => {
    const id = await create(key, "payment_links");
    expect((await call("PUT", `/payment-links/${id}/annotations`, { key, raw })).status).toBe(400);
  });

  it("keys beyond 20 are not added to those of the row, also by the full update", async () => {
    const id = await create(key, "payment_links", { metadata: keys(15) });
    for (const reply of [
      await annotate(`/payment-links/${id}`, { metadata: keys(6, 15) }),
      await send("PUT", `/payment-links/${id}`, { ...link, metadata: keys(6, 15) }),
    ])
      expect([reply.status, reply.json.errors]).toEqual([
        422,
        { metadata: ["The metadata must not have more than 20 keys."] },
      ]);
    expect(Object.keys((await get(`/payment-links/${id}`)).metadata as object)).toHaveLength(15);
    expect((await annotate(`/payment-links/${id}`, { metadata: keys(5, 15) })).status).toBe(200);
  });

  it("notes longer than 5,000 characters, or with control characters", async () => {
    const id = await create(key, "payment_links");
    const long = await annotate(`/payment-links/${id}`, { notes: "x".repeat(5001) });
    expect(long.json.errors).toEqual({ notes: ["The notes must not be greater than 5000 characters."] });
    const control = await annotate(`/payment-links/${id}`, { notes: "a\u001bb" });
    expect(control.json.errors).toEqual({ notes: ["The notes must not contain control characters."] });
    const most = "📚".repeat(5000);
    expect((await annotate(`/payment-links/${id}`, { notes: most })).json.data.notes).toBe(most);
  });

  it("filters without a key, or with a bad one", async () => {
    const of = async (query: string) => (await call("GET", `/payment-links?${query}`, { key })).json.errors;
    expect(await of("metadata=1001")).toEqual({
      metadata: ["The metadata must name a key: metadata[order_id]=1001."],
    });
    expect(await of("metadata[a%20b]=1")).toEqual({ metadata: [expect.stringMatching(/^The metadata key "a b"/)] });
    expect(await of("metadata[__proto__]=1")).toEqual({ metadata: [expect.stringMatching(/"__proto__" is invalid/)] });
    expect(await of("metadata[a]=1&metadata[a]=2")).toEqual({
      "metadata[a]": [expect.stringMatching(/must be given once/)],
    });
    expect(await of("status[a]=Paid")).toEqual({ "status[a]": [expect.stringMatching(/is not supported/)] });
  });
});

describe("at creation and in updates", () => {
  it("links, packages, subscriptions, tokenizations and refunds take them", async () => {
    const given = { metadata: { order_id: "1001", empty: "" }, notes: "Ships on Monday" };
    const kept = { metadata: { order_id: "1001" }, notes: "Ships on Monday" };
    const id = await create(key, "payment_links", given);
    expect(await get(`/payment-links/${id}`)).toMatchObject(kept);
    for (const kind of ["packages", "tokenizations"] as const)
      expect(await get(`${paths[kind]}/${await create(key, kind, given)}`)).toMatchObject(kept);
    const subscription = await get(`/subscriptions/${await create(key, "subscriptions", given)}`);
    expect(subscription).toMatchObject({ ...kept, package: { metadata: {}, notes: null } });
    await payAt(`/pay?id=${id}`);
    const refund = await send("POST", `/payment-links/${id}/refunds`, { amount: "100", ...given });
    expect(refund.json.data).toMatchObject(kept);
    expect(await get(`/payments?payment_link_id=${id}`)).toMatchObject([{ metadata: {}, notes: null }]);
  });

  it("an update that does not name them leaves them; one that does merges", async () => {
    const id = await create(key, "payment_links", { metadata: { order_id: "1001" }, notes: "Staff wrote this." });
    const plain = await send("PUT", `/payment-links/${id}`, { ...link, title: "Order 1002" });
    expect(plain.json.data).toMatchObject({ metadata: { order_id: "1001" }, notes: "Staff wrote this." });
    const merged = await send("PUT", `/payment-links/${id}`, { ...link, metadata: { shelf: "B-7" }, notes: null });
    expect(merged.json.data).toMatchObject({ metadata: { order_id: "1001", shelf: "B-7" }, notes: null });
    const subscription = await create(key, "subscriptions", { email: "notes@example.com" });
    const changed = await send("PUT", `/subscriptions/${subscription}`, { metadata: { plan: "A" } });
    expect(changed.json.data).toMatchObject({ metadata: { plan: "A" } });
    const [event] = await get(`/events?resource_id=${subscription}&type=subscription.updated`);
    expect(event?.data).toMatchObject({ metadata: { plan: "A" } });
  });

  it("a repeated creation with the same key creates one link; other metadata is another body", async () => {
    const headers = { "Idempotency-Key": `annotations ${Date.now()}` };
    const post = (metadata: object) => call("POST", "/payment-links", { key, headers, body: { ...link, metadata } });
    const first = await post({ order_id: "77" });
    expect((await post({ order_id: "77" })).json.data).toEqual(first.json.data);
    expect((await post({ order_id: "78" })).status).toBe(409);
  });

  it("a paid link still takes notes", async () => {
    const id = await create(key, "payment_links");
    await payAt(`/pay?id=${id}`);
    const reply = await annotate(`/payment-links/${id}`, { notes: "Sent with the van." });
    expect(reply.json.data).toMatchObject({ status: "Paid", notes: "Sent with the van." });
  });

  it("a deleted link takes none", async () => {
    const id = await create(key, "payment_links");
    await call("DELETE", `/payment-links/${id}`, { key });
    expect((await annotate(`/payment-links/${id}`, { notes: "Late" })).status).toBe(404);
  });
});

describe("who sees and changes them", () => {
  it("never the payer", async () => {
    const secret = { metadata: { internal: "margin-37" }, notes: "Slow payer, be careful" };
    const id = await create(key, "payment_links", secret);
    const token = await get(`/tokenizations/${await create(key, "tokenizations", secret)}`);
    const pages = [await pageAt(`/pay?id=${id}`), await pageAt(new URL(token.activation_url).pathname)];
    await payAt(`/pay?id=${id}`);
    const payment = await paymentOf(id);
    await annotate(`/payments/${payment._id}`, secret);
    pages.push(await pageAt(new URL(String(payment.receipt_url)).pathname), await pageAt(`/thank-you?id=${id}`));
    for (const text of pages) expect(text).not.toMatch(/margin-37|Slow payer/);
    const mails: Row[] = await get(`/emails?payment_link_id=${id}`);
    expect(mails.length).toBeGreaterThan(0);
    for (const { _id } of mails)
      expect(JSON.stringify((await call("GET", `/emails/${_id}`, { key })).json.data)).not.toMatch(
        /margin-37|Slow payer/,
      );
  });

  it("support may change them, viewers may not", async () => {
    const id = await create(key, "payment_links");
    await payAt(`/pay?id=${id}`);
    const payment = await paymentOf(id);
    const path = `/payments/${payment._id}/annotations`;
    const as = async (role: "support" | "viewer", notes: string) =>
      (await callAs((await signedIn(merchant, role)).cookie, "PUT", path, { notes })).status;
    expect(await as("support", "Called the payer.")).toBe(200);
    expect(await as("viewer", "Changed")).toBe(403);
    expect((await get(`/payments/${payment._id}`)).notes).toBe("Called the payer.");
  });

  it("a key needs the scope, and the one that reads the resource", async () => {
    const id = await create(key, "payment_links");
    const statusFor = async (...scopes: string[]) => {
      const body = { notes: scopes.join(" ") };
      return (await call("PUT", `/payment-links/${id}/annotations`, { key: await createKey(merchant, scopes), body }))
        .status;
    };
    expect(await statusFor("annotations:write")).toBe(403);
    expect(await statusFor("payment_links:write")).toBe(403);
    expect(await statusFor("annotations:write", "payments:read")).toBe(403);
    expect(await statusFor("annotations:write", "payment_links:read")).toBe(200);
  });
});

describe("files", () => {
  it.each(["payment-links", "payments", "subscriptions", "tokenizations", "disputes"])("%s", async (list) => {
    const kind = list.replace("-", "_") as keyof typeof paths;
    const id = await create(key, kind);
    await annotate(`/${list}/${id}`, { metadata: { file: id }, notes: "=1+1" });
    const url = `${baseUrl()}/api/${list}/export?metadata[file]=${id}`;
    const text = await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).text();
    const [head, row, rest] = text.split("\r\n");
    expect(head).toContain("metadata,notes");
    expect(row).toContain(`"{""file"":""${id}""}",'=1+1`);
    expect(rest).toBe("");
  });

  it("a row of an imported file may have them", async () => {
    const rows = [
      { row: 2, ...link, metadata: '{"order_id":"imported"}', notes: "From the old shop" },
      { row: 3, ...link, metadata: "order" },
    ];
    const { json } = await send("POST", "/payment-links/import", { file: `annotations ${Date.now()}`, rows });
    expect(json.data.rows).toMatchObject([
      { row: 2, status: "created" },
      { row: 3, status: "invalid", errors: { metadata: ["The metadata must be an object."] } },
    ]);
    const [row] = json.data.rows as Row[];
    const created = await get(`/payment-links/${row?.payment_link_id}`);
    expect(created).toMatchObject({ metadata: { order_id: "imported" }, notes: "From the old shop" });
  });
});

describe("previous_notes", () => {
  const conflict = [412, "precondition_failed"];

  it.each([...kinds, "customers"] as const)(
    "of %s lets one of two editors save, and a repetition pass",
    async (kind) => {
      const isCustomer = kind === "customers";
      const email = "notes-of-two@example.com";
      const id = isCustomer ? await create(key, "payment_links", { email }) : await create(key, kind);
      const path = isCustomer ? `/customers/${email}` : `${paths[kind]}/${id}`;
      const save = (body: object) => send("PUT", isCustomer ? path : `${path}/annotations`, body);
      const both = await Promise.all(["Anna", "Ben"].map((notes) => save({ notes, previous_notes: null })));
      expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
      const refused = both.find(({ status }) => status === 412);
      expect([refused?.status, refused?.json.code]).toEqual(conflict);
      const { notes } = await get(path);
      expect(["Anna", "Ben"]).toContain(notes);
      expect((await save({ notes, previous_notes: null })).status).toBe(200); // its first response was lost
      const stale = await save({ notes: "Third", previous_notes: "", metadata: { a: "1" } });
      expect([stale.status, stale.json.code]).toEqual(conflict);
      expect(await get(path)).toMatchObject({ notes, metadata: {} });
      expect((await save({ notes: "Third", previous_notes: notes })).json.data.notes).toBe("Third");
      expect((await save({ notes: null, previous_notes: "Third" })).json.data.notes).toBeNull();
      expect((await save({ notes: "Last" })).json.data.notes).toBe("Last");
    },
  );
});
