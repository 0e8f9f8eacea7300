import { beforeAll, describe, expect, it } from "vitest";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
  const links: [email: string, amount: string][] = [
    ["Grace@example.com", "2500"],
    ["ada@example.com", "1000"],
    ["ada@example.com", "2500"],
    ["zoe@example.com", "700"],
  ];
  for (const [email, amount] of links)
    await create(merchant.key, "payment_links", { email, amount, title: `${email.slice(0, 3)} ${amount}` });
});

const get = (query: string) => call("GET", `/payment-links?${query}`, { key: merchant.key });
const titlesOf = async (query: string) => (await get(query)).json.data.map(({ title }) => title);

describe("a list", () => {
  it.each([
    ["-amount", ["ada 2500", "Gra 2500", "ada 1000", "zoe 700"]],
    ["amount", ["zoe 700", "ada 1000", "Gra 2500", "ada 2500"]],
    ["email", ["ada 1000", "ada 2500", "Gra 2500", "zoe 700"]],
    ["-email", ["zoe 700", "Gra 2500", "ada 2500", "ada 1000"]],
  ])("is sorted by %s, also page by page and back", async (sort, titles) => {
    expect(await titlesOf(`sort=${sort}`)).toEqual(titles);
    const forth: string[] = [];
    let cursor: unknown = null;
    let last: unknown;
    do {
      const { json } = await get(`sort=${sort}&per_page=1${cursor ? `&cursor=${cursor}` : ""}`);
      forth.push(...json.data.map(({ title }) => String(title)));
      cursor = json.meta.next_cursor;
      last = json.meta.prev_cursor;
    } while (cursor !== null);
    expect(forth).toEqual(titles);
    const back = await get(`sort=${sort}&per_page=2&cursor=${last}`);
    expect(back.json.data.map(({ title }) => title)).toEqual(titles.slice(1, 3));
  });

  it("is sorted within its filters and days", async () => {
    expect(await titlesOf("sort=-amount&email=ada%40example.com")).toEqual(["ada 2500", "ada 1000"]);
    expect(await titlesOf("sort=amount&amount_from=1000")).toEqual(["ada 1000", "Gra 2500", "ada 2500"]);
    expect(await titlesOf("sort=amount&created_to=2020-01-01")).toEqual([]);
    const total = await get("sort=amount&per_page=1&with_total=true");
    expect(total.json.meta.total).toBe(4);
  });

  it("refuses an order that no index has, and a cursor of another order", async () => {
    for (const sort of ["title", "-paid_at", "amount_cents", "amount,email"])
      expect((await get(`sort=${sort}`)).status, sort).toBe(422);
    const cursor = String((await get("sort=amount&per_page=1")).json.meta.next_cursor);
    expect((await get(`sort=-amount&cursor=${cursor}`)).status).toBe(422);
    expect((await get(`cursor=${cursor}`)).status).toBe(422);
    const parts: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    for (const key of [undefined, null, "700", 1.5, 2 ** 31, {}]) {
      const forged = Buffer.from(JSON.stringify([...parts.slice(0, 5), key])).toString("base64url");
      expect((await get(`sort=amount&cursor=${forged}`)).status, String(key)).toBe(422);
    }
    const text = [parts[0], "email", false, parts[3], parts[4], "a\u0000b"];
    const forged = Buffer.from(JSON.stringify(text)).toString("base64url");
    expect((await get(`sort=email&cursor=${forged}`)).status).toBe(422);
  });
});

describe("orders by a time that not every row has", () => {
  const walk = async (path: string, query: string) => {
    const ids: string[] = [];
    let cursor: unknown = null;
    do {
      const { json } = await call("GET", `${path}?${query}&per_page=1${cursor ? `&cursor=${cursor}` : ""}`, {
        key: merchant.key,
      });
      ids.push(...json.data.map(({ _id }) => String(_id)));
      cursor = json.meta.next_cursor;
    } while (cursor !== null);
    return ids;
  };

  it("payment links by their expiry, without those that never expire", async () => {
    const link = (expires_at: string, email = "expiring@example.com") =>
      create(merchant.key, "payment_links", { amount: "900", email, expires_at });
    const later = await link("2098-01-01T00:00:00Z");
    const soon = await link("2097-01-01T00:00:00+02:00");
    const same = await link("2098-01-01T00:00:00Z", "other@example.com");
    expect(await walk("/payment-links", "sort=expires_at")).toEqual([soon, later, same]);
    expect(await walk("/payment-links", "sort=-expires_at")).toEqual([same, later, soon]);
    expect(await walk("/payment-links", "sort=expires_at&email=expiring@example.com")).toEqual([soon, later]);
  });

  it("subscriptions by their next period, without those that have none", async () => {
    const subscribe = async (day: string) => {
      const package_id = await create(merchant.key, "packages", { date_charge_start: day });
      return create(merchant.key, "subscriptions", { package_id, email: `s${day}@example.com` });
    };
    const [later, soon, gone] = [
      await subscribe("2098-05-01"),
      await subscribe("2098-04-01"),
      await subscribe("2098-03-01"),
    ];
    await call("PUT", `/subscriptions/${gone}`, { key: merchant.key, body: { status: "cancel" } });
    expect(await walk("/subscriptions", "sort=next_charge_at")).toEqual([soon, later]);
    expect(await walk("/subscriptions", "sort=-next_charge_at")).toEqual([later, soon]);
  });
});

describe("customers", () => {
  const emails = ["ada@example.com", "grace@example.com", "zoe@example.com"];
  let own: Merchant;
  beforeAll(async () => {
    own = await createMerchant();
    for (const email of ["grace@example.com", "Zoe@example.com", "ada@example.com"])
      await create(own.key, "payment_links", { email, amount: "700" });
  });
  const page = (query: string) => call("GET", `/customers?${query}`, { key: own.key });
  const pages = async (query: string) => {
    const found: string[] = [];
    let [cursor, last]: unknown[] = [null];
    do {
      const { json } = await page(`${query}&per_page=1${cursor ? `&cursor=${cursor}` : ""}`);
      found.push(...json.data.map(({ email }) => String(email)));
      cursor = json.meta.next_cursor;
      last = json.meta.prev_cursor;
    } while (cursor !== null);
    const back = await page(`${query}&per_page=2&cursor=${last}`);
    expect(back.json.data.map(({ email }) => email)).toEqual(found.slice(0, 2));
    return found;
  };

  it("are sorted by e-mail and by when they were first seen, page by page and back", async () => {
    expect(await pages("sort=email")).toEqual(emails);
    expect(await pages("sort=-email")).toEqual(emails.toReversed());
    expect(await pages("sort=created_at")).toEqual(["grace@example.com", "zoe@example.com", "ada@example.com"]);
    expect(await pages("sort=-created_at")).toEqual(["ada@example.com", "zoe@example.com", "grace@example.com"]);
    expect(await pages("sort=created_at&q=example")).toEqual([
      "grace@example.com",
      "zoe@example.com",
      "ada@example.com",
    ]);
    expect((await page("sort=-email&q=g%40")).json.data).toEqual([]);
    expect((await page("sort=-email&q=grace%40")).json.data).toMatchObject([{ email: "grace@example.com" }]);
  });

  it("have no order that their search lacks, and no cursor of another order", async () => {
    for (const query of ["sort=email&q=grace", "sort=created_at&q=grace%40", "sort=name", "sort=-last_activity_at"])
      expect((await page(query)).status, query).toBe(422);
    const { next_cursor } = (await page("sort=email&per_page=1")).json.meta;
    for (const sort of ["-email", "created_at"])
      expect((await page(`sort=${sort}&cursor=${next_cursor}`)).status, sort).toBe(422);
  });
});
