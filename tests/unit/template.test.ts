import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PayForm, type PayFormLink } from "@/components/payer/pay-form";
import { payerLanguages } from "@/lib/core/payer-languages";
import { fill } from "@/lib/payer/template";
import { plainBrand } from "@/lib/resources/settings/brand";
import { payerTexts } from "@/messages/payer/texts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(`<script>alert("1")</script>`, "&amp;", "\u{e000}title\u{e000}", "'\"<>&", "$&", "\0"),
);

/** Few businesses, so that most documents are filled into a template of another link. */
const business = fc.constantFrom("<b>Blue</b> & Söhne", "\u{e000}title\u{e000}", "O'Neil");

it("a filled template is what React renders, whatever the texts", () => {
  fc.assert(
    fc.property(
      fc.record({
        id: text,
        title: text,
        description: fc.option(text),
        amount: text,
        tax: fc.option(text),
        amount_cents: text,
        currency: text,
        tax_basis_points: fc.option(text),
        transfer_path: fc.option(text),
      }),
      business,
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom(...payerLanguages),
      (link, business, testmode, cardForm, awaiting, language) => {
        const merchant = { business, testmode, brand: plainBrand };
        const state = { t: payerTexts[language], merchant, cardForm, awaiting };
        const render = (link: PayFormLink) => createElement(PayForm, { ...state, link });
        const key = JSON.stringify([language, merchant, cardForm, awaiting]);
        const filled = Buffer.concat(fill({ key, values: link, render }, renderToStaticMarkup));
        expect(filled).toEqual(Buffer.from(renderToStaticMarkup(render(link))));
      },
    ),
    { numRuns: 500 },
  );
});
