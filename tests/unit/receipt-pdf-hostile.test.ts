import { beforeAll, describe, expect, it } from "vitest";
import { receiptPdf } from "@/components/payer/receipt-pdf";
import { openPdfRenderer, type PdfRenderer } from "@/lib/payer/pdf-renderer";
import { printable } from "@/lib/payer/pdf-text";
import type { Receipt } from "@/lib/payer/receipt";
import { plainBrand } from "@/lib/resources/settings/brand";
import { payloads } from "@/tests/support/payloads";
import { readPdf } from "@/tests/support/pdf";

let renderer: PdfRenderer;
beforeAll(async () => {
  renderer = await openPdfRenderer();
});

/** Words that would mean something to a PDF, were they not written as text. */
const ofPdfs = [
  ") /JS (app.alert\\(1\\)) /S /JavaScript >> (",
  "\\) /OpenAction << /S /URI /URI (https://evil.example) >>",
  "endstream endobj 99 0 obj << /S /Launch /F (calc.exe) >> endobj",
  "\\051 /AA << /O << /S /JavaScript /JS (1) >> >>",
  "%PDF-1.7 xref trailer << /Root 1 0 R >> startxref 0 %%EOF",
  "<feff006a0073> Tj ET Q",
];

const receiptOf = (words: string): Receipt => ({
  token: "t".repeat(43),
  payment_id: "pay_000000000000000000000000000000000000",
  livemode: true,
  amount_cents: 1050,
  tax_basis_points: 1900,
  currency: "EUR",
  card_brand: words,
  card_last4: words,
  method: null,
  paid_on: null,
  reversed_at: null,
  paid_at: new Date("2026-11-22T10:00:00Z"),
  language: "en",
  title: words,
  description: words,
  reference: words,
  business_name: words,
  seller_details: words,
  business_timezone: "Europe/Berlin",
  brand: { ...plainBrand, support_email: words, support_phone: words, thank_you_text: words },
  refunds: [],
});

/** What a PDF would act by, or lead away with. */
const acting =
  /\/(JavaScript|JS|OpenAction|AA|Launch|URI|SubmitForm|ImportData|GoToR|GoToE|Rendition|RichMedia|EmbeddedFiles?|Filespec|Annots?|AcroForm|XFA|XObject \/Form)\b/;

const joined = (text: string): string => text.replace(/\s+/g, "");

describe("a receipt's PDF, whatever a merchant writes", () => {
  it.each([...payloads, ...ofPdfs])("%j: does nothing, leads nowhere, and says it as text", async (words) => {
    const { objects, text, info } = readPdf(await renderer.render(receiptPdf(receiptOf(words), renderer)));
    // Of the objects themselves, strings apart: what is written in them is text.
    for (const object of objects.values())
      expect(object.replace(/\((?:\\[\s\S]|[^\\)])*\)/g, "()")).not.toMatch(acting);
    expect(objects.size).toBeGreaterThan(10);
    expect([...objects.values()].filter((object) => object.includes("/Type /Catalog")).length).toBe(1);
    const said = joined(printable(words, renderer.face("regular")).text);
    // The name, the title, the reference; the description below the title.
    expect(joined(text).split(said).length - 1).toBeGreaterThanOrEqual(4);
    expect(info.Author).toBe(words);
    expect(info.Title).toBe(`Receipt from ${words}`);
  });

  it("the PDF reader finds actions (control for the tests above)", () => {
    for (const object of ["<< /OpenAction 7 0 R >>", "<< /S /URI /URI (x) >>", "<< /Annots [3 0 R] >>"])
      expect(object).toMatch(acting);
  });
});
