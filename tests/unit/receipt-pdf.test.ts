import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { receiptDocument, receiptWords } from "@/components/payer/receipt-document";
import { receiptPdf } from "@/components/payer/receipt-pdf";
import { currencies } from "@/lib/core/money";
import { documentResponse } from "@/lib/payer/document";
import { openPdfRenderer, type PdfRenderer } from "@/lib/payer/pdf-renderer";
import { printable, replacementSign, setLines } from "@/lib/payer/pdf-text";
import type { Receipt } from "@/lib/payer/receipt";
import { plainBrand } from "@/lib/resources/settings/brand";

const at = new Date("2026-11-22T10:00:00Z");
const receipt: Receipt = {
  token: "t".repeat(43),
  payment_id: "pay_000000000000000000000000000000000000",
  livemode: true,
  amount_cents: 1050,
  tax_basis_points: null,
  currency: "EUR",
  card_brand: "visa",
  card_last4: "4242",
  method: null,
  paid_on: null,
  reversed_at: null,
  paid_at: at,
  language: "en",
  title: "Order 1001",
  description: null,
  reference: null,
  business_name: "Blue Bottle Books",
  seller_details: null,
  business_timezone: "Europe/Berlin",
  brand: plainBrand,
  refunds: [],
};

let renderer: PdfRenderer;
beforeAll(async () => {
  renderer = await openPdfRenderer();
});

/** The PDF, and how many pages it has. Fails if anything in it is set in a typeface that does not travel with it. */
async function print(over: Partial<Receipt>): Promise<{ bytes: Uint8Array; pages: number }> {
  const bytes = await renderer.render(receiptPdf({ ...receipt, ...over }, renderer));
  const raw = Buffer.from(bytes).toString("latin1");
  expect(raw.startsWith("%PDF-")).toBe(true);
  expect(raw).not.toContain("/BaseFont /Helvetica");
  return { bytes, pages: raw.match(/\/Type \/Page\n/g)?.length ?? 0 };
}

const hostile: [string, string][] = [
  ["one long word", "W".repeat(50)],
  ["a word longer than a page", "x".repeat(5_000)],
  ["from right to left", "שלום עולם مرحبا بالعالم"],
  ["turned around", "\u202eevil\u202c \u2067x\u2069 \u200f"],
  ["emoji", "👩‍👩‍👧‍👦🎉🏳️‍🌈1️⃣"],
  ["other scripts", "漢字かな 한국어 ไทย हिन्दी 𝕏 𠜎"],
  ["controls", "a\u0001\u0007\u001b[31m\u0085\u009f\u00adb\ufeff\u200b\u200d"],
  ["accents on accents", "Z\u0338\u0353\u0356\u0310\u030e\u030da\u0336".repeat(20)],
  ["HTML", '</title><script>alert("1")</script><b>&amp;'],
  ["line ends", "a\r\nb\rc\u2028d\u2029e\n\n\n\nf"],
  ["many lines", "a\n".repeat(1_000)],
  ["blanks", " \t\u00a0\u3000 ".repeat(200)],
  ["nothing that is seen", "\u200b\u2060"],
  ["half a character", "\ud83d x \udc00"],
  ["private use and what is not a character", "\uf8ff\uffff\ue000"],
  ["parentheses and backslashes", "\\(\\)()<<>>%PDF endobj stream"],
  ["ligatures", "office affluent fjord ffi ﬁ"],
];

describe("with any merchant input", () => {
  it.each(hostile)("%s: becomes a PDF", async (_, words) => {
    const over = { title: words, description: words, reference: words, business_name: words };
    const { pages } = await print({ ...over, livemode: false });
    expect(pages).toBeLessThanOrEqual(2);
  });

  it.each(hostile)("%s: becomes a page without script", async (_, words) => {
    const over = { title: words, description: words, reference: words, business_name: words };
    const { body } = await documentResponse(receiptDocument({ ...receipt, ...over }));
    expect(String(body)).not.toMatch(/<script|<b>|<[^>]*\s(style|on\w+)=/i);
  });

  it("never fails", async () => {
    const words = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.constantFrom(...hostile.map(([, text]) => text.slice(0, 2_000))),
    );
    await fc.assert(
      fc.asyncProperty(words, words, async (title, description) => {
        await print({ title, description });
      }),
      { numRuns: 40 },
    );
  });

  it("stays in its column", () => {
    const face = renderer.face("semibold");
    const widthOf = (line: string) =>
      [...line].reduce((sum, sign) => sum + face.glyphForCodePoint(sign.codePointAt(0) ?? 0).advanceWidth, 0) /
      face.unitsPerEm;
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.integer({ min: 1, max: 8 }), (words, most) => {
        const { text } = printable(words, face, true);
        const { lines, cut } = setLines(text, face, 10, 120, most);
        expect(lines.length).toBeLessThanOrEqual(most);
        for (const line of lines) expect(widthOf(line) * 10).toBeLessThanOrEqual(120);
        // Nothing is lost but blanks at the ends of lines.
        if (!cut) expect(lines.join("").replace(/ /g, "")).toBe(text.replace(/[ \n]/g, ""));
      }),
    );
  });

  it.each([
    ["Größe — naïve café №5 €10", "Größe — naïve café №5 €10", false],
    ["Книга", "Книга", false],
    ["cafe\u0301", "café", false],
    ["漢字", replacementSign.repeat(2), true],
    ["👩‍👩‍👧‍👦!", `${replacementSign}!`, true],
    ["a\u202eb\u200bc\td", "abc d", false],
    ["a\n\n\nb", "a b", false],
    ["\u200b", "–", false],
  ])("%j is printed as %j", (words, text, incomplete) => {
    expect(printable(words, renderer.face("regular"))).toEqual({ text, incomplete });
  });
});

describe("the PDF", () => {
  it("shows the sign or the code of every currency", () => {
    for (const currency of currencies) {
      const words = receiptWords({ ...receipt, currency });
      const { incomplete } = printable(words.amount, renderer.face("bold"));
      expect(incomplete).toBe(["KRW", "VND"].includes(currency));
    }
  });

  it("continues on further pages with many refunds", async () => {
    const refunds = Array.from({ length: 60 }, () => ({ status: "succeeded", amount_cents: 1, at }) as const);
    expect((await print({ refunds })).pages).toBeGreaterThan(2);
  });

  it("fits the longest usual texts on one page", async () => {
    const description = "A sentence of ordinary words, as merchants write them. ".repeat(37).slice(0, 2_000);
    const over = { title: "A title of fifty characters, no more and no less. ", reference: "R".repeat(50) };
    expect((await print({ ...over, description, livemode: false })).pages).toBe(1);
  });

  it("is byte-identical each time, after any other PDF", async () => {
    const first = await print({});
    await print({ title: "12:30, 10.50 – ;:!¡", description: "Ünïcödé" });
    expect(Buffer.compare((await print({})).bytes, first.bytes)).toBe(0);
  });
});
