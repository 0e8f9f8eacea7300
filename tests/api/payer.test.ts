import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import type { PaymentLink } from "@/lib/generated/prisma/client";
import { pay, visit } from "@/tests/support/payer";
import { attempts, cards, makeBusiness, makeLink, secrets } from "@/tests/support/payer-rows";

let business: number;
beforeAll(async () => {
  business = await makeBusiness();
});

const past = new Date("2020-01-01T00:00:00Z");
const link = (over: Partial<PaymentLink> = {}) => makeLink(business, over);
const statusOf = async (id: string) => (await db.paymentLink.findUniqueOrThrow({ where: { id } })).status;

describe("every state of a link has its page", () => {
  it.each<[string, Partial<PaymentLink>, number, string]>([
    ["payable", {}, 200, "Pay €10.50"],
    ["paid", { status: "Paid", paid_at: past }, 200, "Already paid"],
    ["in flight", { status: "Processing" }, 200, "don’t pay again"],
    ["inactive", { status: "Inactive" }, 410, "not active"],
    ["expired", { expires_at: past }, 410, "expired"],
    ["inactive and expired", { status: "Inactive", expires_at: past }, 410, "expired"],
    ["paid, and its time over", { status: "Paid", paid_at: past, expires_at: past }, 200, "Already paid"],
    ["deleted", { deleted_at: past }, 410, "no longer available"],
    ["live without a gateway", { livemode: true }, 503, "t take payments here yet"],
  ])("%s", async (_, over, status, words) => {
    const { id } = await link(over);
    const page = await visit(`/pay?id=${id}`);
    expect(page.status).toBe(status);
    expect(page.text).toContain(words);
    for (const secret of secrets) expect(page.text).not.toContain(secret);
    const head = await visit(`/pay?id=${id}`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([status, ""]);
  });

  it.each<[string, Partial<PaymentLink>, boolean]>([
    ["inactive", { status: "Inactive" }, true],
    ["expired", { expires_at: past }, true],
    ["deleted", { deleted_at: past }, false],
    ["inactive and deleted", { status: "Inactive", deleted_at: past }, false],
  ])("says what the link asked for, unless it is deleted: %s", async (_, over, isShown) => {
    const { id, title } = await link(over);
    const { text } = await visit(`/pay?id=${id}`);
    expect([text.includes(title), text.includes("€10.50")]).toEqual([isShown, isShown]);
  });

  it("an inactive link's page promises no new link", async () => {
    const { id } = await link({ status: "Inactive" });
    const { text } = await visit(`/pay?id=${id}`);
    expect(text).toContain("has paused this link");
    expect(text).not.toContain("a new one");
  });

  it.each(["", "nope", "pl_", "pl_00000000000000000000000000000000000a", "%00", "pl_'%20OR%201=1", "a".repeat(4_000)])(
    "unknown: %j",
    async (id) => {
      const page = await visit(`/pay?id=${id}`);
      expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    },
  );

  it.each<[string, Partial<PaymentLink>, number]>([
    ["paid", { status: "Paid", paid_at: past }, 409],
    ["in flight", { status: "Processing" }, 409],
    ["inactive", { status: "Inactive" }, 410],
    ["expired", { expires_at: past }, 410],
    ["deleted", { deleted_at: past }, 410],
    ["live without a gateway", { livemode: true }, 503],
  ])("and cannot be paid: %s", async (_, over, status) => {
    const { id } = await link(over);
    expect((await pay(id, cards.good)).status).toBe(status);
    expect(await attempts(id)).toEqual([]);
  });

  it("answers other methods with a page that lists the allowed ones", async () => {
    const page = await visit("/pay?id=x", { method: "PUT" });
    expect([page.status, page.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });

  it("accepts only forms of a limited size", async () => {
    const { id } = await link();
    const headers = { "content-type": "application/json" };
    expect((await visit(`/pay?id=${id}`, { method: "POST", raw: { body: "{}", headers } })).status).toBe(415);
    expect((await pay(id, cards.good, { holder: "x".repeat(70_000) })).status).toBe(413);
    expect(await attempts(id)).toEqual([]);
  });
});

describe("paying", () => {
  it("charges once and goes to the thank-you page", async () => {
    const { id } = await link();
    const answer = await pay(id, cards.good);
    expect([answer.status, answer.location]).toEqual([303, `/thank-you?id=${id}`]);
    const paid = await db.paymentLink.findUniqueOrThrow({ where: { id } });
    expect(paid).toMatchObject({ status: "Paid", paid_at: expect.any(Date) });
    const rows = await attempts(id);
    expect(rows).toMatchObject([
      {
        status: "succeeded",
        amount_cents: 1050,
        currency: "EUR",
        gateway: "sandbox",
        card_brand: "visa",
        card_last4: "4242",
        card_exp_month: 12,
        card_exp_year: 2040,
      },
    ]);
    const thanks = await visit(answer.location);
    expect(thanks.status).toBe(200);
    expect(thanks.text).toContain("€10.50");
    expect(thanks.headers.has("refresh")).toBe(false);
    for (const secret of secrets) expect(thanks.text).not.toContain(secret);
  });

  it("redirects the payer to the stored URL, never to one from the request", async () => {
    const { id } = await link({ redirect_url: "https://shop.example/done?order=1001" });
    const answer = await pay(id, cards.good, { redirect_url: "https://evil.example/" });
    const thanks = await visit(`${answer.location}&redirect_url=https://evil.example/`);
    expect(thanks.headers.get("refresh")).toBe("0; url=https://shop.example/done?order=1001");
    expect(thanks.text).not.toContain("evil");
  });

  it.each([
    [cards.declined, "card_declined", "Your bank declined the card"],
    [cards.poor, "insufficient_funds", "not enough money"],
    ["4000000000000069", "expired_card", "The card has expired"],
    ["4000000000000127", "incorrect_cvc", "security code is not correct"],
    ["4000000000000119", "processing_error", "could not be processed"],
  ])("says why %s was declined, and lets the payer try again", async (number, reason, words) => {
    const { id } = await link();
    const answer = await pay(id, number);
    expect(answer.status).toBe(303);
    const page = await visit(answer.location);
    expect(page.status).toBe(402);
    expect(page.text).toContain(words);
    expect(page.text).not.toContain(number.slice(0, 12));
    expect(await attempts(id)).toMatchObject([{ status: "failed", reason, card_last4: number.slice(-4) }]);
    expect((await visit(`/pay?id=${id}`)).status).toBe(200);
    expect((await pay(id, cards.good)).location).toBe(`/thank-you?id=${id}`);
    expect(await statusOf(id)).toBe("Paid");
  });

  it("shows errors in the form and attempts no charge", async () => {
    const { id } = await link();
    const page = await pay(id, "4242424242424241", { expiry: "13/40", cvc: "98", holder: "Ada" });
    expect(page.status).toBe(422);
    expect(page.text.match(/aria-invalid="true"/g)).toHaveLength(3);
    expect(page.text).not.toContain("4242424242424241");
    expect(page.text).not.toContain('value="98"');
    expect(page.text).toContain('value="Ada"');
    expect(await attempts(id)).toEqual([]);
  });

  it.each<Record<string, string>>([
    { amount_cents: "1049" },
    { amount_cents: "105000" },
    { amount_cents: "" },
    { currency: "USD" },
    { amount_cents: "1050.0" },
  ])("charges only the amount shown: %j", async (over) => {
    const { id } = await link();
    const page = await pay(id, cards.good, over);
    expect(page.status).toBe(409);
    expect(page.text).toContain("This payment has changed");
    expect(await attempts(id)).toEqual([]);
    expect(await statusOf(id)).toBe("Active");
  });

  it("charges one of many simultaneous payers, and informs the others", async () => {
    const { id } = await link();
    const answers = await Promise.all(Array.from({ length: 25 }, () => pay(id, cards.good)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(24);
    expect((await attempts(id)).map(({ status }) => status)).toEqual(["succeeded"]);
    expect(await db.sandboxCharge.count({ where: { return_path: { contains: id } } })).toBe(1);
  });
});

describe("card data", () => {
  it("is stored in no table after the flows above", async () => {
    const { id } = await link();
    expect((await pay(id, cards.good, { holder: "Canary Holder" })).status).toBe(303);
    const tables = await db.$queryRaw<{ name: string }[]>`
      SELECT quote_ident(relname) AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;
    expect(tables.length).toBeGreaterThan(10);
    const canary = [...Object.values(cards), "Canary Holder"].join("|");
    const holding: string[] = [];
    for (const { name } of tables) {
      const rows = await db.$queryRawUnsafe<unknown[]>(`SELECT 1 FROM ${name} t WHERE t::text ~ '${canary}' LIMIT 1`);
      if (rows.length > 0) holding.push(name);
    }
    expect(holding).toEqual([]);
  });
});

describe("the thank-you page", () => {
  it("works without parameters", async () => {
    for (const path of ["/thank-you", "/thank-you?id=", "/thank-you?token="]) {
      expect((await visit(path)).status).toBe(200);
    }
  });

  it("does not confirm an unpaid link", async () => {
    const { id } = await link();
    expect((await visit(`/thank-you?id=${id}`)).location).toBe(`/pay?id=${id}`);
    expect((await visit("/thank-you?id=a%26b")).status).toBe(404);
  });
});
