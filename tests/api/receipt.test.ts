import { randomBytes } from "node:crypto";
import { inflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "@/app/(public)/receipt/[token]/pdf/route";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Payment, PaymentLink, Refund } from "@/lib/generated/prisma/client";
import { baseUrl } from "@/tests/support/http";
import { visit } from "@/tests/support/payer";
import { makeBusiness, makeLink, secrets } from "@/tests/support/payer-rows";

let business: number;
beforeAll(async () => {
  business = await makeBusiness();
});

const paidAt = new Date("2026-07-04T22:30:00Z");
/** Far in the future, so that the server under test settles none of these rows. */
const asked_at = new Date("2999-01-01T00:00:00Z");
const unsettled = { settled_at: null, receipt_token: null, asked_at };
const newToken = () => randomBytes(32).toString("base64url");

/** A payment that succeeded at 00:30 in Berlin. */
async function makePaid(
  link: Partial<PaymentLink> = {},
  payment: Partial<Payment> = {},
): Promise<{ token: string; id: string; link: string; refund(over: Partial<Refund>): Promise<Refund> }> {
  const owner = link.business_id ?? business;
  const {
    id: payment_link_id,
    amount_cents,
    currency,
    livemode,
  } = await makeLink(owner, {
    status: "Paid",
    paid_at: paidAt,
    ...link,
  });
  const of = { business_id: owner, livemode, payment_link_id, currency };
  const [id, token] = [newId("pay"), newToken()];
  await db.payment.create({
    data: {
      ...of,
      id,
      gateway: "sandbox",
      gateway_key: id,
      amount_cents,
      status: "succeeded",
      card_brand: "visa",
      card_last4: "4242",
      receipt_token: token,
      settled_at: paidAt,
      ...payment,
    },
  });
  const refund = (over: Partial<Refund>) => {
    const key = newId("ref");
    const data = { ...of, id: key, payment_id: id, gateway_key: key, amount_cents: 250, asked_at, ...over };
    return db.refund.create({ data: { settled_at: data.status === "pending" ? null : paidAt, ...data } });
  };
  return { token, id, link: payment_link_id, refund };
}

/**
 * The text of a PDF as a reader would copy it: the strings of its pages, mapped through the fonts' ToUnicode tables.
 */
function textOf(pdf: Buffer): { text: string; pages: number } {
  const objects = new Map(
    [...pdf.toString("latin1").matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = "", body = ""]) => [
      id,
      body,
    ]),
  );
  const refs = (body: string, name: string) => new RegExp(`/${name} \\[?(\\d+) 0 R`).exec(body)?.[1] ?? "";
  const stream = (id: string) => {
    const data = /stream\n([\s\S]*)\nendstream/.exec(objects.get(id) ?? "")?.[1] ?? "";
    return inflateSync(Buffer.from(data, "latin1")).toString("latin1");
  };
  const hex = (codes: string) => Buffer.from(codes.replaceAll(" ", ""), "hex").swap16().toString("utf16le");
  const tables = new Map<string, string[]>();
  const table = (font: string) => {
    const known = tables.get(font) ?? [];
    if (known.length > 0) return known;
    for (const [, start = "", list = ""] of stream(font).matchAll(/<(\w+)> <\w+> \[(.*?)\]/g))
      for (const [index, [, codes = ""]] of [...list.matchAll(/<([\w ]*)>/g)].entries())
        known[Number.parseInt(start, 16) + index] = hex(codes);
    tables.set(font, known);
    return known;
  };
  const pages = [...objects.values()].filter((body) => body.includes("/Type /Page\n"));
  let text = "";
  for (const page of pages) {
    const fonts = /\/Font <<([\s\S]*?)>>/.exec(objects.get(refs(page, "Resources")) ?? "")?.[1] ?? "";
    let glyphs: string[] = [];
    for (const [, font, run = ""] of stream(refs(page, "Contents")).matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
      if (font) glyphs = table(refs(objects.get(refs(fonts, font)) ?? "", "ToUnicode"));
      else text += `${[...run.matchAll(/<(\w+)>/g)].map(([, codes = ""]) => decode(codes, glyphs)).join("")}\n`;
    }
  }
  return { text, pages: pages.length };
}

const decode = (codes: string, glyphs: string[]) =>
  (codes.match(/.{4}/g) ?? []).map((code) => glyphs[Number.parseInt(code, 16)] ?? "?").join("");

async function pdfOf(token: string): Promise<{ response: Response; bytes: Buffer; text: string; pages: number }> {
  const request = new Request(`http://localhost/receipt/${token}/pdf`);
  const response = await GET(request, { params: Promise.resolve({ token }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { response, bytes, ...textOf(bytes) };
}

/** Digits before the first word are drawn on their own. */
const lineOf = (text: string): string => text.replace(/\s+/g, " ");

/** A page's text, with a space for each tag. */
const wordsOf = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/[\s\u00a0\u202f]+/g, " ");

describe("a receipt", () => {
  it("shows the amount, the time, the card and the purpose", async () => {
    const { token, id } = await makePaid({ description: "Three paperbacks", reference: "INV-173", livemode: true });
    const page = await visit(`/receipt/${token}`);
    expect(page.status).toBe(200);
    const words = wordsOf(page.text);
    for (const said of [
      "Blue Bottle Books",
      "Receipt",
      "€10.50 EUR",
      "Order 1001",
      "Three paperbacks",
      "INV-173",
      "5 July 2026 at 00:30",
      "Central European Summer Time (Europe/Berlin)",
      "Visa ending in 4242",
      id,
    ])
      expect(words).toContain(said);
    expect(words).not.toMatch(/Refund|[Tt]est/);
    expect(page.text).toContain(`href="/receipt/${token}/pdf"`);
    for (const secret of secrets) expect(page.text).not.toContain(secret);
  });

  it("has American dates only for a browser that asks for them", async () => {
    const { token } = await makePaid();
    const datesFor = async (accepted: string) => {
      const { text } = await visit(`/receipt/${token}`, { raw: { headers: { "Accept-Language": accepted } } });
      return /<html lang="([^"]+)">/.exec(text)?.[1] + wordsOf(text);
    };
    expect(await datesFor("en-US,en;q=0.9")).toMatch(/^en-US.* July 5, 2026 at 12:30 AM /);
    for (const accepted of ["en-GB,en-US;q=0.9,en;q=0.8", "en-AU", "en"])
      expect(await datesFor(accepted)).toMatch(/^en .* 5 July 2026 at 00:30 /);
  });

  it("shows net, tax and total, computed from what was paid", async () => {
    const tax = { amount_cents: 1904, tax_basis_points: 1900, tax_cents: 304 };
    const { token } = await makePaid({ ...tax, reference: "INV-173" });
    const lines = ["Amount without tax", "€16.00", "Tax (19%)", "€3.04", "Total", "€19.04"];
    expect(wordsOf((await visit(`/receipt/${token}`)).text).replace(/ +/g, " ")).toContain(lines.join(" "));
    const { text } = await pdfOf(token);
    for (const line of lines) expect(text).toContain(line);
    // After a reversal, the link can have another amount than the payment had.
    const { token: reversed } = await makePaid({ ...tax, status: "Active", paid_at: null }, { amount_cents: 1190 });
    expect(wordsOf((await visit(`/receipt/${reversed}`)).text)).toMatch(/€10\.00 +Tax \(19%\) +€1\.90 +Total +€11\.90/);
    const { token: untaxed } = await makePaid();
    expect((await visit(`/receipt/${untaxed}`)).text).not.toContain("Amount without tax");
  });

  it("has a strict policy and is never cached", async () => {
    const { token } = await makePaid();
    const { headers, text } = await visit(`/receipt/${token}`);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(text).not.toMatch(/<script|<[^>]*\s(style|on\w+)=/i);
    const head = await visit(`/receipt/${token}`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    const put = await visit(`/receipt/${token}`, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("marks a test payment", async () => {
    const { token } = await makePaid();
    expect(wordsOf((await visit(`/receipt/${token}`)).text)).toContain("Test payment, no money moved");
    expect((await pdfOf(token)).text).toContain("Test payment, no money moved");
  });

  it("lists succeeded and pending refunds, not failed ones, and the net amount", async () => {
    const { token, refund } = await makePaid();
    await refund({ status: "succeeded", amount_cents: 200 });
    await refund({ status: "pending", amount_cents: 150, created_at: new Date("2026-07-06T10:00:00Z") });
    await refund({ status: "failed", amount_cents: 333, failure_reason: "declined" });
    const words = wordsOf((await visit(`/receipt/${token}`)).text);
    expect(words).toContain("5 July 2026 Refunded €2.00");
    expect(words).toContain("6 July 2026 Refund pending €1.50");
    expect(words).toContain("Paid €10.50 Refunded −€2.00 Net paid €8.50");
    expect(words).not.toContain("3.33");
    expect(words).not.toContain("in full");
    const { text } = await pdfOf(token);
    for (const said of ["6 July 2026", "Refund pending", "€1.50", "−€2.00", "Net paid", "€8.50"])
      expect(lineOf(text)).toContain(said);
    expect(text).not.toContain("3.33");
  });

  it("names the tax that is left after refunds", async () => {
    const { token, refund } = await makePaid({ amount_cents: 1904, tax_basis_points: 1900, tax_cents: 304 });
    expect(wordsOf((await visit(`/receipt/${token}`)).text)).not.toContain("Includes");
    await refund({ status: "succeeded", amount_cents: 714 });
    const words = wordsOf((await visit(`/receipt/${token}`)).text);
    expect(words).toContain("Tax (19%) €3.04");
    expect(words).toContain("Net paid €11.90 Includes 19% tax: €1.90");
    expect((await pdfOf(token)).text).toContain("Includes 19% tax: €1.90");
  });

  it("names the seller's address and tax number", async () => {
    const owner = await makeBusiness();
    await db.business.update({ where: { id: owner }, data: { seller_details: "1 <b>Quay</b>\nVAT DE123456789" } });
    const { token } = await makePaid({ business_id: owner });
    const { text } = await visit(`/receipt/${token}`);
    expect(text).toContain("1 &lt;b&gt;Quay&lt;/b&gt;\nVAT DE123456789");
    expect((await pdfOf(token)).text).toContain("VAT DE123456789");
  });

  it("says when everything was refunded", async () => {
    const { token, refund } = await makePaid({ currency: "JPY", amount_cents: 105_000 });
    await refund({ status: "succeeded", amount_cents: 100_000 });
    expect(wordsOf((await visit(`/receipt/${token}`)).text)).not.toContain("in full");
    await refund({ status: "succeeded", amount_cents: 5_000 });
    const words = wordsOf((await visit(`/receipt/${token}`)).text);
    expect(words).toContain("This payment has been refunded in full");
    expect(words).toContain("Net paid ¥0");
    expect((await pdfOf(token)).text).toContain("refunded in full");
  });

  it("remains when the link is deleted, and omits an unknown card", async () => {
    const { token } = await makePaid({ deleted_at: paidAt }, { card_brand: null, card_last4: null });
    const page = await visit(`/receipt/${token}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("Paid with");
  });
});

describe("a receipt that does not exist", () => {
  it.each([
    newToken(),
    "a".repeat(39),
    "a".repeat(65),
    `${newToken().slice(0, 42)}!`,
    "%00",
    "'%20OR%201=1--".padEnd(43, "x"),
    "pl_00000000000000000000000000000000000a",
  ])("%s: shows the same 404 page, also for the PDF", async (token) => {
    const known = await visit(`/receipt/${"0".repeat(43)}`);
    expect(known.status).toBe(404);
    expect(known.text).toContain("We can’t find this receipt");
    for (const path of [`/receipt/${token}`, `/receipt/${token}/pdf`]) {
      const page = await visit(path);
      expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(page.text).toBe(known.text);
    }
    expect((await visit(`/receipt/${token}/pdf`, { method: "HEAD" })).status).toBe(404);
  });
});

describe("the PDF", () => {
  it("has the page's content", async () => {
    const { token, id } = await makePaid({ description: "Three paperbacks\nin brown paper", reference: "INV-173" });
    const { text, pages, bytes } = await pdfOf(token);
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pages).toBe(1);
    for (const said of [
      "Blue Bottle Books",
      "€10.50",
      "EUR",
      "Order 1001",
      "Three paperbacks",
      "in brown paper",
      "INV-173",
      "5 July 2026 at 00:30",
      "Central European Summer Time (Europe/Berlin)",
      "Visa ending in 4242",
      id,
      "Page 1 of 1",
    ])
      expect(lineOf(text)).toContain(said);
    for (const secret of secrets) expect(text + bytes.toString("latin1")).not.toContain(secret);
  });

  it("has a file name and a strict policy", async () => {
    const { token, id } = await makePaid();
    const { response } = await pdfOf(token);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": `inline; filename="receipt-${id.slice(-8)}.pdf"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none';/),
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
    });
    const head = await visit(`/receipt/${token}/pdf`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(response.headers));
  });

  it("is byte-identical, even for simultaneous requests", async () => {
    const { token } = await makePaid();
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => pdfOf(token)));
    for (const { bytes } of others) expect(first?.bytes.equals(bytes)).toBe(true);
    expect(first?.bytes.toString("latin1")).toContain("(D:20260704223000Z)");
  });

  it("never mixes up the receipts of two businesses", async () => {
    const other = await makePaid({ business_id: await makeBusiness("Green Mill"), title: "Flour" });
    const own = await makePaid();
    const [mill, books] = await Promise.all([pdfOf(other.token), pdfOf(own.token)]);
    expect([mill.text.includes("Green Mill"), mill.text.includes("Blue Bottle")]).toEqual([true, false]);
    expect([books.text.includes("Green Mill"), books.text.includes("Flour")]).toEqual([false, false]);
  });

  it("is made by the running server", async () => {
    const { token } = await makePaid();
    const response = await fetch(`${baseUrl()}/receipt/${token}/pdf`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(textOf(Buffer.from(await response.arrayBuffer())).text).toContain("€10.50");
  });
});

describe("the link to it", () => {
  it("is on the thank-you page and the paid page, also before a redirect to the shop", async () => {
    for (const redirect_url of [null, "https://shop.example/done"]) {
      const { token, link } = await makePaid({ redirect_url });
      const thanks = await visit(`/thank-you?id=${link}`);
      expect(thanks.text).toContain(`href="/receipt/${token}"`);
      expect(thanks.headers.get("refresh")).toBe(redirect_url && `0; url=${redirect_url}`);
      expect((await visit(`/pay?id=${link}`)).text).toContain(`href="/receipt/${token}"`);
    }
  });

  it("is absent while nothing is paid", async () => {
    const declined = await makePaid(
      { status: "Active", paid_at: null },
      { status: "failed", reason: "card_declined", receipt_token: null },
    );
    const processing = await makePaid({ status: "Processing", paid_at: null }, { status: "sending", ...unsettled });
    const paths = [
      `/pay?id=${declined.link}`,
      `/pay?id=${declined.link}&attempt=${declined.id}`,
      `/pay?id=${processing.link}`,
    ];
    const pages = await Promise.all(paths.map((path) => visit(path)));
    expect(pages.map(({ status }) => status)).toEqual([200, 402, 200]);
    for (const page of pages) expect(page.text).not.toContain("/receipt/");
  });
});
