import { beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/lib/core/db";
import { foldText, wordsOf } from "@/lib/core/fold-text";
import { payAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";
import { insertDispute } from "@/tests/support/paid";
import { create, savedCard } from "@/tests/support/samples";

let merchant: Merchant;
const ids: Record<string, string | undefined> = {};

beforeAll(async () => {
  merchant = await createMerchant();
  const { key } = merchant;
  const link = (over: Record<string, unknown>) => create(key, "payment_links", over);
  ids.paid = await link({
    email: "anna.berg@example.com",
    title: "Oak table",
    amount: "124950",
    reference: "INV-2026-7",
  });
  await payAt(`/pay?id=${ids.paid}`);
  ids.open = await link({ email: "zoe@example.com", title: "Walnut chair", amount: "1250", currency: "USD" });
  ids.other = await link({ email: "zoe@example.com", title: "Ash bench", amount: "125000" });
  // With the figures of 12.50, but not as its amount.
  await link({ email: "zoe@example.com", title: "Booth 12", reference: "505e" });
  ids.subscription = await create(key, "subscriptions", { email: "berg.paul@example.com" });
  const period = () => db.paymentLink.findFirst({ where: { subscription_id: ids.subscription } });
  ids.period = await vi.waitFor(async () => (await period())?.id ?? Promise.reject(new Error("no period yet")), 10_000);
  await savedCard(key);
  ids.card = (await db.tokenization.findFirstOrThrow({ where: { business_id: merchant.businessId } })).id;
  ids.payment = (await db.payment.findFirstOrThrow({ where: { payment_link_id: ids.paid } })).id;
});

const search = async (q: string, key = merchant.key) => {
  const reply = await call("GET", `/search?q=${encodeURIComponent(q)}`, { key });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.map(({ type, _id }) => `${type} ${_id}`);
};

const all = async (list: string, q: string) => {
  const reply = await call("GET", `/${list}?q=${encodeURIComponent(q)}`, { key: merchant.key });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.map(({ _id }) => _id);
};

/** An id with another last character. */
const another = (id: string): string => id.slice(0, -1) + (id.endsWith("0") ? "1" : "0");

describe("GET /search", () => {
  it("finds people by the beginning of a word of their e-mail", async () => {
    const found = ["customer anna.berg@example.com", `payment_link ${ids.paid}`, `payment ${ids.payment}`];
    expect(await search("anna")).toEqual(found);
    expect(await search("ANNA oak")).toEqual(found.slice(1));
    expect(await search("berg")).toEqual([
      "customer berg.paul@example.com",
      "customer anna.berg@example.com",
      `payment_link ${ids.period}`,
      `payment_link ${ids.paid}`,
      `payment ${ids.payment}`,
      `subscription ${ids.subscription}`,
    ]);
  });

  it("finds cards and what they paid by the last four digits or the brand", async () => {
    expect(await search("4242")).toEqual([`payment ${ids.payment}`, `tokenization ${ids.card}`]);
    expect(await search("visa 4242")).toEqual([`payment ${ids.payment}`, `tokenization ${ids.card}`]);
    expect(await search("visa 4243")).toEqual([]);
  });

  it("finds names and titles without their accents, and with them", async () => {
    const { key } = await createMerchant("Accents");
    const link = await create(key, "payment_links", { email: "anna@example.com", title: "Łódź, Straße 5, Cafe\u0301" });
    const body = { name: "Anna Müller", notes: "Prefers Smørrebrød" };
    expect((await call("PUT", "/customers/anna%40example.com", { key, body })).status).toBe(200);
    for (const q of ["lodz", "ŁÓDŹ", "strasse", "straße", "STRASSE", "café", "cafe", "caf"])
      expect(await search(q, key), q).toEqual([`payment_link ${link}`]);
    for (const q of ["muller", "müller", "mu\u0308ller", "MÜLLER", "smorrebrod"])
      expect(await search(q, key), q).toEqual(["customer anna@example.com"]);
    expect(await search("mueller", key)).toEqual([]);
  });

  it("finds titles in any script by their own text, and Greek in capitals and small letters", async () => {
    const { key } = await createMerchant("Scripts");
    const titles = [
      "किताब सेवा",
      "สวัสดี",
      "বই মেলা",
      "سلام، كِتَاب",
      "שָׁלוֹם",
      "طلب ٣٤٥",
      "注文１２３",
      "Décor m²",
      "Ħaż-Żabbar",
      "L’été",
    ];
    for (const title of [...titles, "ΓΙΏΡΓΟΣ", "Σίσυφος"]) {
      const id = await create(key, "payment_links", { title });
      expect(await search(title, key), title).toEqual([`payment_link ${id}`]);
    }
    for (const q of ["γιωργος", "ΣΊΣΥΦΟΣ", "ete", "hazzabbar haz", "٣٤٥", "注文123", "m2"])
      expect(await search(q, key), q).toHaveLength(q.startsWith("hazz") ? 0 : 1);
  });

  it("folds and splits what people type as what is stored", async () => {
    const signs = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
      /[\p{L}\p{N}\p{M}]/u.test(sign),
    );
    const texts = signs.flatMap((sign) => [`x${sign}x`, `x${sign}`, `x ${sign}`]);
    const typed = texts.map((text) => wordsOf(foldText(text)).join(" & "));
    const lost = await db.$queryRaw`
      SELECT text, typed FROM unnest(${texts}::text[], ${typed}::text[]) AS each(text, typed)
       WHERE NOT search_words('', text) @@ to_tsquery('simple', typed) AND unicode_assigned(text)`;
    expect(signs.length).toBeGreaterThan(140_000);
    expect(lost).toEqual([]);
  });

  it("finds amounts as people type them, and only those", async () => {
    const oak = [`payment_link ${ids.paid}`, `payment ${ids.payment}`];
    for (const typed of ["1249.50", "1,249.50", "1.249,50", "€1249.50", "1249,5 eur"])
      expect(await search(typed), typed).toEqual(oak);
    expect(await search("12.50")).toEqual([`payment_link ${ids.open}`]);
    expect(await search("$12.50")).toEqual([`payment_link ${ids.open}`]);
    expect(await search("12.50 eur")).toEqual([]);
    // "50" may begin a word such as 505e. With a currency's sign it is an amount.
    expect(await search("50")).toHaveLength(1);
    expect(await search("$50")).toEqual([]);
    // Two readings, both exact: 1,250 and 1.25.
    expect(await search("1,250")).toEqual([`payment_link ${ids.other}`]);
    // What the search writes for amounts begins with these, and nothing that a person sees does.
    for (const typed of ["0", "0c", "0c12"]) expect(await search(typed), typed).toEqual([]);
  });

  it("finds packages by their name", async () => {
    const id = await create(merchant.key, "packages", { name: "Tea of the month" });
    expect(await search("tea")).toEqual([`package ${id}`]);
    expect(await search(id ?? "")).toEqual([`package ${id}`]);
    expect(await search("tea", (await createMerchant("Stranger")).key)).toEqual([]);
    const hit = { type: "package", title: "Tea of the month", email: null, status: "active", card: null };
    expect((await call("GET", "/search?q=month", { key: merchant.key })).json.data).toMatchObject([hit]);
  });

  it("finds references, the gateway's too, and ids", async () => {
    expect(await search("INV-2026")).toEqual([`payment_link ${ids.paid}`, `payment ${ids.payment}`]);
    const { gateway_ref } = await db.payment.findUniqueOrThrow({ where: { id: ids.payment } });
    expect(await search(gateway_ref ?? "")).toEqual([`payment ${ids.payment}`]);
    expect(await search(ids.paid ?? "")).toEqual([`payment_link ${ids.paid}`]);
    expect(await search(ids.payment ?? "")).toEqual([`payment ${ids.payment}`]);
    expect(await search(ids.subscription ?? "")).toEqual([`subscription ${ids.subscription}`]);
    expect(await search(ids.card ?? "")).toEqual([`tokenization ${ids.card}`]);
    expect(await search(another(ids.paid ?? ""))).toEqual([]);
  });

  it("shows each hit with what a list needs", async () => {
    const cardOf = (exp_month: number | null, exp_year: number | null) => ({
      ...{ brand: "visa", last4: "4242", exp_month, exp_year },
    });
    const reply = await call("GET", "/search?q=oak", { key: merchant.key });
    expect(reply.json.data).toEqual([
      expect.objectContaining({
        ...{ _id: ids.paid, type: "payment_link", title: "Oak table", email: "anna.berg@example.com", status: "Paid" },
        ...{ amount: 1249.5, amount_cents: 124950, currency: "EUR", card: null },
        ...{ refunded_amount: 0, disputed_amount: null, dispute_status: null },
      }),
      expect.objectContaining({
        ...{ _id: ids.payment, status: "succeeded", card: cardOf(null, null) },
        ...{ refunded_amount: 0, disputed_amount: 0, dispute_status: null },
      }),
    ]);
    expect(reply.json.meta).toMatchObject({ next_cursor: null, prev_cursor: null });
  });

  it("says what was refunded, disputed or taken by mistake, as the payment does", async () => {
    const { key } = await createMerchant("Refunds");
    const refunded = await create(key, "payment_links", { title: "Globe one", amount: "1050" });
    await payAt(`/pay?id=${refunded}`);
    const body = { amount: "250" };
    expect((await call("POST", `/payment-links/${refunded}/refunds`, { key, body })).status).toBe(200);
    const filtered = async (query: string) =>
      (await call("GET", `/payments?${query}`, { key })).json.data.map(({ payment_link_id: id }: Row) => id);
    expect(await filtered("refunded=partly")).toEqual([refunded]);
    expect(await filtered("refunded=partly&sort=-amount&currency=EUR")).toEqual([refunded]);
    expect(await filtered("refunded=fully")).toEqual([]);
    expect((await call("GET", "/payments?refunded=true", { key })).json.errors).toHaveProperty("refunded");
    const disputed = await create(key, "payment_links", { title: "Globe two", amount: "1050" });
    await insertDispute({ _id: disputed });
    const mistaken = await create(key, "payment_links", { title: "Globe three", amount: "1050" });
    await payAt(`/pay?id=${mistaken}`, "4000000000000002");
    const mismatch_at = new Date("2026-11-21T09:31:00.000Z");
    await db.payment.updateMany({
      where: { payment_link_id: mistaken },
      data: { mismatch_at, settled_by: "Ada", settled_reason: "Seen" },
    });
    const found: unknown[] = (await call("GET", "/search?q=globe", { key })).json.data;
    const hit = (title: string, type: string) => ({ title: `Globe ${title}`, type });
    const ofPayment = { refunded_amount: 0, disputed_amount: 0, dispute_status: null, mismatch_at: null };
    expect(found).toMatchObject([
      { ...hit("three", "payment_link"), refunded_amount: 0, disputed_amount: null, mismatch_at: null },
      { ...hit("two", "payment_link"), refunded_amount: 0, disputed_amount: null, dispute_status: null },
      { ...hit("one", "payment_link"), status: "Paid", refunded_amount: 2.5 },
      { ...hit("three", "payment"), ...ofPayment, status: "failed", mismatch_at: "2026-11-21T09:31:00.000000Z" },
      { ...hit("two", "payment"), ...ofPayment, disputed_amount: 10.5, dispute_status: "needs_response" },
      { ...hit("one", "payment"), ...ofPayment, status: "succeeded", refunded_amount: 2.5 },
    ]);
    expect((await call("POST", `/payment-links/${refunded}/refunds`, { key, body: { amount: "800" } })).status).toBe(
      200,
    );
    expect(await filtered("refunded=fully&status=succeeded")).toEqual([refunded]);
    expect(await filtered("refunded=partly")).toEqual([]);
  });

  it("has at most five of each type, the newest first", async () => {
    const { key } = await createMerchant("Many");
    const made: string[] = [];
    for (let n = 0; n < 7; n++) made.push(await create(key, "payment_links", { title: `Lamp ${n}` }));
    expect(await search("lamp", key)).toEqual(
      made
        .reverse()
        .slice(0, 5)
        .map((id) => `payment_link ${id}`),
    );
  });

  it("finds nothing of other businesses and of the other mode", async () => {
    const stranger = await createMerchant("Stranger");
    for (const key of [stranger.key, merchant.liveKey])
      for (const q of ["anna", "4242", "1249.50", ...Object.values(ids).map(String)])
        expect(await search(q, key), q).toEqual([]);
  });

  it("has only what the key may read", async () => {
    const alone = await createKey(merchant, ["search:read"]);
    expect(await search("anna", alone)).toEqual([]);
    const payments = await createKey(merchant, ["search:read", "payments:read"]);
    expect(await search("anna", payments)).toEqual([`payment ${ids.payment}`]);
    expect((await call("GET", "/search?q=anna", { key: await createKey(merchant, ["payments:read"]) })).status).toBe(
      403,
    );
  });

  it("refuses a missing, blank or long text, and takes anything else", async () => {
    for (const query of ["", "?q=", "?q=%20", `?q=${"x".repeat(201)}`])
      expect((await call("GET", `/search${query}`, { key: merchant.key })).status, query).toBe(422);
    for (const q of [
      "'",
      "':*",
      "@",
      "\\",
      "a'b",
      "!!! & | ( )",
      "%",
      "0c",
      "<->",
      "١٢",
      "ß",
      "1,2,3",
      "pl_",
      "€",
      ".",
      "..5",
    ])
      await search(q);
  });
});

describe("q of lists", () => {
  it("finds what staff wrote about a customer, in the list and in the search of everything", async () => {
    const path = "/customers/anna.berg%40example.com";
    const body = { notes: "Prefers Tuesdays", metadata: { crm_id: "C-1815" } };
    expect((await call("PUT", path, { key: merchant.key, body })).status).toBe(200);
    for (const q of ["tuesday", "c 1815 berg"]) {
      expect(await all("customers", q), q).toEqual(["anna.berg@example.com"]);
      expect(await search(q), q).toEqual(["customer anna.berg@example.com"]);
    }
    expect(await all("customers", "crm_id")).toEqual([]);
  });

  it("payments have the words of their link and card, and exact amounts", async () => {
    for (const q of ["anna", "oak", "inv-2026", "4242", "visa oak", "1249.50", "EUR"])
      expect(await all("payments", q), q).toEqual([ids.payment]);
    for (const q of ["walnut", "124.95", "usd"]) expect(await all("payments", q), q).toEqual([]);
  });

  it("payment links have amounts and currencies", async () => {
    expect(await all("payment-links", "12.50")).toEqual([ids.open]);
    expect(await all("payment-links", "usd")).toEqual([ids.open]);
    expect(await all("payment-links", "12.5 chair usd")).toEqual([ids.open]);
  });

  it("a payment keeps the words that its link had", async () => {
    const { key } = merchant;
    const id = await create(key, "payment_links", { email: "kai@example.com", title: "Pine shelf" });
    await payAt(`/pay?id=${id}`, "4000000000000002");
    const payment = await db.payment.findFirstOrThrow({ where: { payment_link_id: id } });
    expect(payment.status).toBe("failed");
    expect(await all("payments", "pine")).toEqual([payment.id]);
    const body = { email: "kai@example.com", title: "Larch shelf", currency: "EUR", amount: "1050" };
    expect((await call("PUT", `/payment-links/${id}`, { key, body })).status).toBe(200);
    expect([await all("payments", "pine"), await all("payment-links", "larch")]).toEqual([[payment.id], [id]]);
  });
});
