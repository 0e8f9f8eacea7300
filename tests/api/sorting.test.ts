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
    for (const sort of ["title", "-expires_at", "amount_cents", "amount,email"])
      expect((await get(`sort=${sort}`)).status, sort).toBe(422);
    const cursor = String((await get("sort=amount&per_page=1")).json.meta.next_cursor);
    expect((await get(`sort=-amount&cursor=${cursor}`)).status).toBe(422);
    expect((await get(`cursor=${cursor}`)).status).toBe(422);
    const parts: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    for (const key of [undefined, null, "700", 1.5, 2 ** 31, {}]) {
      const forged = Buffer.from(JSON.stringify([...parts.slice(0, 4), key])).toString("base64url");
      expect((await get(`sort=amount&cursor=${forged}`)).status, String(key)).toBe(422);
    }
    const text = ["email", false, parts[2], parts[3], "a\u0000b"];
    const forged = Buffer.from(JSON.stringify(text)).toString("base64url");
    expect((await get(`sort=email&cursor=${forged}`)).status).toBe(422);
  });
});
