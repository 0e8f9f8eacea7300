import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

const full = {
  email: "ada@example.com",
  currency: "EUR",
  amount: "1050",
  title: "Order 1001",
  phone_no: "+4915550100",
  description: "Two books",
  redirect_url: "https://shop.example/thanks",
  reference: "1001",
  reference_2: "web",
  send_email: false,
};

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Sets a status that only a payment reaches. */
async function put(id: string, status: "Processing" | "Paid"): Promise<void> {
  await db.paymentLink.update({ where: { id }, data: { status, paid_at: status === "Paid" ? new Date() : null } });
}

describe("create and get", () => {
  it("returns the specification's fields in its order, followed by ours", async () => {
    const { json } = await call("POST", "/payment-links", { key, body: full });
    const { send_email, ...echoed } = full;
    expect(json.data).toMatchObject({
      ...echoed,
      amount: 10.5,
      amount_cents: 1050,
      status: "Active",
      paid: false,
      business_id: merchant.businessId,
      livemode: false,
      refunded_amount: 0,
      expires_at: null,
      subscription_id: null,
    });
    expect(Object.keys(json.data)).toEqual([
      ...["_id", "email", "phone_no", "currency", "amount", "title", "description", "redirect_url", "reference"],
      ...["reference_2", "status", "payment_url", "business_id", "paid", "created_at", "updated_at"],
      ...["amount_cents", "livemode", "expires_at", "paid_at", "refunded_amount", "tax_percent", "tax_amount"],
      ...["subscription_id"],
      ...["period_start", "period_end", "attempt_count", "next_attempt_at", "internal_note", "language"],
      ...["awaiting_transfer_since", "metadata", "notes"],
    ]);
    expect(new URL(json.data.payment_url).searchParams.get("id")).toBe(json.data._id);
    const got = await call("GET", `/payment-links/${json.data._id}`, { key });
    expect(got.json.data).toEqual(json.data);
  });

  it("keeps an internal note hidden from the payer", async () => {
    const internal_note = "Knows the owner: call before a reminder.";
    const body = { ...full, internal_note };
    const { json } = await call("POST", "/payment-links", { key, body });
    expect(json.data.internal_note).toBe(internal_note);
    expect((await call("GET", `/payment-links/${json.data._id}`, { key })).json.data.internal_note).toBe(internal_note);
    const page = await fetch(`${baseUrl()}/pay?id=${json.data._id}`);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain("Knows the owner");
    const file = await fetch(`${baseUrl()}/api/payment-links/export`, { headers: { Authorization: `Bearer ${key}` } });
    expect(await file.text()).toContain(internal_note);
    const changed = await call("PUT", `/payment-links/${json.data._id}`, { key, body: full });
    expect(changed.json.data.internal_note).toBeNull();
    const long = await call("POST", "/payment-links", { key, body: { ...full, internal_note: "x".repeat(501) } });
    expect([long.status, Object.keys(long.json.errors)]).toEqual([422, ["internal_note"]]);
  });

  it("shows real microseconds", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => create(key, "payment_links")));
    const replies = await Promise.all(ids.map((id) => call("GET", `/payment-links/${id}`, { key })));
    const micros = replies.map(({ json }) => json.data.created_at.slice(-4, -1));
    expect(micros.some((digits: string) => digits !== "000")).toBe(true);
  });

  it("returns null for absent fields", async () => {
    const { json } = await call("POST", "/payment-links", {
      key,
      body: { email: "ada@example.com", currency: "JPY", amount: 500, title: "Tea", phone_no: "" },
    });
    expect(json.data).toMatchObject({
      amount: 5,
      phone_no: null,
      description: null,
      redirect_url: null,
      reference: null,
    });
  });

  it("accepts http redirects in test mode and only https in live mode", async () => {
    const body = { ...full, redirect_url: "http://localhost:8080/done" };
    expect((await call("POST", "/payment-links", { key, body })).status).toBe(200);
    const live = await call("POST", "/payment-links", { key: merchant.liveKey, body });
    expect([live.status, live.json.errors]).toEqual([422, { redirect_url: ["The redirect_url must be a valid URL."] }]);
  });

  it("refuses an expiry in the past", async () => {
    const { status, json } = await call("POST", "/payment-links", { key, body: { ...full, expires_at: inHours(-1) } });
    expect([status, json.errors.expires_at]).toEqual([422, ["The expires_at must be a date in the future."]]);
  });
});

describe("update", () => {
  it("replaces all fields: absent ones become null", async () => {
    const id = await create(key, "payment_links", full);
    const body = { email: "grace@example.com", currency: "USD", amount: "700", title: "Changed" };
    const { json } = await call("PUT", `/payment-links/${id}`, { key, body });
    expect(json.data).toMatchObject({
      ...body,
      _id: id,
      amount: 7,
      phone_no: null,
      description: null,
      redirect_url: null,
    });
    expect(json.data.updated_at > json.data.created_at).toBe(true);
    expect((await call("GET", `/payment-links/${id}`, { key })).json.data).toEqual(json.data);
  });

  it.each([
    ["Paid", "link_already_paid"],
    ["Processing", "link_processing"],
  ] as const)("is refused on a %s link, like deletion and deactivation", async (status, code) => {
    const id = await create(key, "payment_links");
    await put(id, status);
    const before = await call("GET", `/payment-links/${id}`, { key });
    expect(before.json.data.paid).toBe(status === "Paid");
    for (const [method, path, body] of [
      ["PUT", "", full],
      ["DELETE", "", undefined],
      ["POST", "/deactivate", undefined],
      ["POST", "/activate", undefined],
    ] as const) {
      const reply = await call(method, `/payment-links/${id}${path}`, { key, body });
      expect([reply.status, reply.json.code]).toEqual([409, code]);
    }
    expect((await call("GET", `/payment-links/${id}`, { key })).text.replace(/timestamp.*/, "")).toBe(
      before.text.replace(/timestamp.*/, ""),
    );
  });
});

describe("status", () => {
  it("switches between Active and Inactive; repeating changes nothing", async () => {
    const id = await create(key, "payment_links");
    for (const [move, status] of [
      ["deactivate", "Inactive"],
      ["activate", "Active"],
    ] as const) {
      const first = await call("POST", `/payment-links/${id}/${move}`, { key });
      expect([first.status, first.json.data.status]).toEqual([200, status]);
      const again = await call("POST", `/payment-links/${id}/${move}`, { key });
      expect(again.json.data).toEqual(first.json.data);
    }
  });

  it("expires at expires_at and reopens with a later one", async () => {
    const id = await create(key, "payment_links", { expires_at: inHours(1) });
    await db.paymentLink.update({ where: { id }, data: { expires_at: new Date(Date.now() - 1000) } });
    expect((await call("GET", `/payment-links/${id}`, { key })).json.data.status).toBe("Expired");
    const closed = await call("POST", `/payment-links/${id}/deactivate`, { key });
    expect([closed.status, closed.json.code]).toEqual([409, "link_expired"]);
    const reopened = await call("PUT", `/payment-links/${id}`, { key, body: { ...full, expires_at: inHours(2) } });
    expect(reopened.json.data.status).toBe("Active");
  });
});

describe("delete", () => {
  it("returns the last state with deleted: true, then 404", async () => {
    const id = await create(key, "payment_links");
    const { data } = (await call("GET", `/payment-links/${id}`, { key })).json;
    const gone = await call("DELETE", `/payment-links/${id}`, { key });
    expect(gone.json.data).toEqual({ ...data, updated_at: gone.json.data.updated_at, deleted: true });
    expect((await call("DELETE", `/payment-links/${id}`, { key })).status).toBe(404);
  });
});

describe("list", () => {
  let shop: Merchant;
  let ids: string[];
  beforeAll(async () => {
    shop = await createMerchant();
    ids = [];
    for (let i = 0; i < 7; i++)
      ids.push(
        await create(shop.key, "payment_links", {
          email: i % 2 ? "odd@example.com" : "even@example.com",
          currency: i < 3 ? "USD" : "EUR",
          title: `Order ${i}`,
          reference: `ref-${i}`,
          description: i === 4 ? "Ürgüp, blue vase" : null,
        }),
      );
  });
  const list = (query: string) => call("GET", `/payment-links${query}`, { key: shop.key });
  const idsOf = async (query: string) => (await list(query)).json.data.map(({ _id }: { _id: string }) => _id);

  it("shows the newest first, and the oldest first on request", async () => {
    expect(await idsOf("")).toEqual([...ids].reverse());
    expect(await idsOf("?sort=created_at")).toEqual(ids);
  });

  it.each(["-created_at", "created_at"])("pages to the end and back with cursors, sorted by %s", async (sort) => {
    const ordered = sort === "created_at" ? ids : [...ids].reverse();
    const forth: string[][] = [];
    let page = (await list(`?per_page=3&sort=${sort}`)).json;
    expect(page.meta).toMatchObject({ per_page: 3, prev_cursor: null });
    for (;;) {
      forth.push(page.data.map(({ _id }: { _id: string }) => _id));
      if (!page.meta.next_cursor) break;
      page = (await list(`?per_page=3&sort=${sort}&cursor=${page.meta.next_cursor}`)).json;
    }
    expect(forth).toEqual([ordered.slice(0, 3), ordered.slice(3, 6), ordered.slice(6)]);
    const back = (await list(`?per_page=3&sort=${sort}&cursor=${page.meta.prev_cursor}`)).json;
    expect(back.data.map(({ _id }: { _id: string }) => _id)).toEqual(ordered.slice(3, 6));
    const first = (await list(`?per_page=3&sort=${sort}&cursor=${back.meta.prev_cursor}`)).json;
    expect(first.data.map(({ _id }: { _id: string }) => _id)).toEqual(ordered.slice(0, 3));
    expect(first.meta.prev_cursor).toBeNull();
  });

  it("refuses a cursor of another list", async () => {
    const { next_cursor } = (await list("?per_page=3")).json.meta;
    for (const other of ["payments", "tokenizations"]) {
      const { status, json } = await call("GET", `/${other}?cursor=${next_cursor}`, { key: shop.key });
      expect([other, status, json.errors]).toEqual([other, 422, { cursor: ["The selected cursor is invalid."] }]);
    }
  });

  it("begins the list anew where the rows before a cursor are gone", async () => {
    const { key } = await createMerchant();
    const made: string[] = [];
    for (let n = 0; n < 4; n++) made.push(await create(key, "payment_links"));
    const of = async (query: string) => (await call("GET", `/payment-links?per_page=2${query}`, { key })).json;
    const second = await of(`&cursor=${(await of("")).meta.next_cursor}`);
    for (const id of made.slice(2)) await call("DELETE", `/payment-links/${id}`, { key });
    const before = await of(`&cursor=${second.meta.prev_cursor}`);
    expect(before.data.map(({ _id }: { _id: string }) => _id)).toEqual([made[1], made[0]]);
    expect(before.meta).toMatchObject({ next_cursor: null, prev_cursor: null });
  });

  it("filters", async () => {
    const expected = (keep: (index: number) => boolean) => ids.filter((_, index) => keep(index)).reverse();
    expect(await idsOf("?email=odd@example.com")).toEqual(expected((i) => i % 2 === 1));
    expect(await idsOf("?currency=USD")).toEqual(expected((i) => i < 3));
    expect(await idsOf("?reference=ref-5")).toEqual(expected((i) => i === 5));
    expect(await idsOf("?q=ord%206")).toEqual(expected((i) => i === 6));
    expect(await idsOf("?q=%C3%BCrg")).toEqual(expected((i) => i === 4));
    expect(await idsOf("?q=EVEN@exam")).toEqual(expected((i) => i % 2 === 0));
    expect(await idsOf("?q='%20|%20!()%5C")).toEqual([]);
    expect(await idsOf("?status=Active")).toEqual(expected(() => true));
    expect(await idsOf("?status=Paid")).toEqual([]);
    expect(await idsOf("?paid=false&currency=EUR")).toEqual(expected((i) => i >= 3));
    expect(await idsOf("?created_to=2020-01-01")).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await idsOf(`?created_from=${today}&created_to=${today}`)).toHaveLength(7);
    const third = (await call("GET", `/payment-links/${ids[3]}`, { key: shop.key })).json.data.created_at;
    expect(await idsOf(`?created_from=${third}`)).toEqual(expected((i) => i >= 3));
    expect(await idsOf(`?created_to=${third}`)).toEqual(expected((i) => i <= 3));
  });

  it("distinguishes expired from active links, although both are stored as Active", async () => {
    const other = await createMerchant();
    const [active, expired] = [await create(other.key, "payment_links"), await create(other.key, "payment_links")];
    await db.paymentLink.update({ where: { id: expired }, data: { expires_at: new Date(Date.now() - 1000) } });
    const found = async (status: string) =>
      (await call("GET", `/payment-links?status=${status}`, { key: other.key })).json.data.map(
        ({ _id, status }: { _id: string; status: string }) => [_id, status],
      );
    expect(await found("Expired")).toEqual([[expired, "Expired"]]);
    expect(await found("Active")).toEqual([[active, "Active"]]);
  });

  it("counts the exact total on request, on every page", async () => {
    const { meta } = (await list("?with_total=true&per_page=2&currency=USD")).json;
    expect(meta).toMatchObject({ total: 3, total_is_lower_bound: false, per_page: 2 });
    const every = (await list("?with_total=true&per_page=100")).json;
    const cents = (rows: Record<string, unknown>[]) => rows.reduce((sum, row) => sum + Number(row.amount_cents), 0);
    for (const { currency, amount_cents, count } of every.meta.sums) {
      const rows = every.data.filter((row) => row.currency === currency);
      expect([amount_cents, count], currency).toEqual([cents(rows), rows.length]);
    }
    expect(every.meta.sums.map(({ currency }) => currency)).toEqual(
      [...new Set(every.data.map((row) => row.currency))].sort(),
    );
    expect((await list("")).json.meta).not.toHaveProperty("total");
  });

  it("searches words of any day, in any order, by their beginnings", async () => {
    const other = await createMerchant();
    const titles = ["Red Kettle 42", "Blue kettle 7", "Teapot"];
    const made: string[] = [];
    for (const [index, title] of titles.entries()) {
      const body = { email: "ada@example.com", currency: "EUR", amount: "1050", title };
      const { json } = await call("POST", "/payment-links", { key: other.key, body });
      made.push(json.data._id);
      await db.paymentLink.update({
        where: { id: json.data._id },
        data: { created_at: new Date(Date.UTC(2020 + index, 11, 31, 23, 59)) },
      });
    }
    const found = async (q: string, more = "") =>
      (await call("GET", `/payment-links?q=${encodeURIComponent(q)}${more}`, { key: other.key })).json.data.map(
        ({ _id }: { _id: string }) => _id,
      );
    expect(await found("kettle")).toEqual([made[1], made[0]]);
    expect(await found("KET", "&sort=created_at")).toEqual([made[0], made[1]]);
    expect(await found("42 red")).toEqual([made[0]]);
    expect(await found("red teapot")).toEqual([]);
    expect(await found("ettle")).toEqual([]);
    expect(await found("ada", "&created_from=2021-12-31&created_to=2021-12-31")).toEqual([made[1]]);
    await call("DELETE", `/payment-links/${made[1]}`, { key: other.key });
    expect(await found("kettle")).toEqual([made[0]]);
    expect(await found("kettle", "&with_total=true&status=Active")).toEqual([made[0]]);
    const stranger = await createMerchant();
    expect((await call("GET", "/payment-links?q=kettle", { key: stranger.key })).json.data).toEqual([]);
  });

  it.each([
    ["per_page=0", "per_page", "The per_page must be at least 1."],
    ["per_page=101", "per_page", "The per_page must not be greater than 100."],
    ["per_page=ten", "per_page", "The per_page must be an integer."],
    ["cursor=x", "cursor", "The selected cursor is invalid."],
    ["sort=title", "sort", "The selected sort is invalid."],
    ["status=paid", "status", "The selected status is invalid."],
    ["paid=yes", "paid", "The paid field must be true or false."],
    ["created_from=soon", "created_from", "The created_from is not a valid date."],
    ["with_total=1", "with_total", "The with_total field must be true or false."],
    ["q=a%00b", "q", "The q is invalid."],
  ])("refuses ?%s", async (query, field, text) => {
    const { status, json } = await list(`?${query}`);
    expect([status, json.errors]).toEqual([422, { [field]: [text] }]);
  });

  it("names an unknown parameter and lists the allowed ones", async () => {
    const { status, json } = await list("?page=2&per_page=3&per_page=4");
    expect(status).toBe(422);
    expect(json.errors.page?.[0]).toMatch(
      /^The page parameter is not supported\. Allowed parameters: per_page, cursor, .*\bsort\b/,
    );
    expect(json.errors.per_page?.[0]).toMatch(/^The per_page parameter must be given once\./);
  });

  it("refuses a cursor of another sort order", async () => {
    const { next_cursor } = (await list("?per_page=2")).json.meta;
    expect((await list(`?sort=created_at&cursor=${next_cursor}`)).status).toBe(422);
  });
});
