import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ValidationError } from "@/lib/core/errors";
import { amount, currency, dayOrInstant, email, instant, redirectErrors, text, wholeUnits } from "@/lib/http/fields";
import { blanksToNull, parseInput } from "@/lib/http/validation";

/** The one text that a bad value of one field is answered with, or the value that a good one comes out as. */
function check(schema: z.ZodType, value: unknown): unknown {
  try {
    return (parseInput(z.object({ field: schema }), { field: value }) as { field: unknown }).field;
  } catch (error) {
    if (error instanceof ValidationError) return error.errors.field?.join(" ");
    throw error;
  }
}

describe("amount", () => {
  it("accepts every number of cents in range, as digits or an integer, and no others", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 4_000_000 }), (cents) => {
        const expected =
          cents < 500
            ? "The amount must be at least 500."
            : cents > 3_000_000
              ? "The amount must not be greater than 3000000."
              : cents;
        expect(check(amount, cents)).toBe(expected);
        if (cents >= 0) expect(check(amount, String(cents))).toBe(expected);
      }),
    );
  });

  it.each(["10.50", "1e3", " 500", "500 ", "+500", "-500", "0x1F4", "５００", "1_000", "NaN", "Infinity"])(
    "refuses the string %j",
    (value) => expect(check(amount, value)).toBe("The amount must be an integer."),
  );

  it.each([true, [500], { amount: 500 }, 500.5])("refuses %j", (value) =>
    expect(check(amount, value)).toBe("The amount must be an integer."),
  );

  it("reports a very long digit string as too large", () => {
    expect(check(amount, "9".repeat(5000))).toBe("The amount must not be greater than 3000000.");
  });
});

describe("text", () => {
  it("counts code points, not UTF-16 units", () => {
    expect(check(text(50), "😀".repeat(50))).toBe("😀".repeat(50));
    expect(check(text(50), "😀".repeat(51))).toBe("The field must not be greater than 50 characters.");
  });

  it.each([1, true, [], {}])("refuses %j", (value) =>
    expect(check(text(50), value)).toBe("The field must be a string."),
  );
});

describe("a text that shows nothing", () => {
  it.each([
    "",
    " ",
    "\t\n",
    "\u00a0",
    "\u200b",
    "\u200b\u200d\u2060\ufeff",
    "\u00ad",
    "\u3164",
    "\u2800",
    "\u202e",
    "\u034f\ufe0f",
    "\u{e0020}",
  ])("counts %j as missing", (value) => expect(blanksToNull({ title: value })).toEqual({ title: null }));
  it.each(["a", "\u200ba", "👩\u200d🚀", "क्\u200dष", ".", "–", "\u0301"])("keeps %j", (value) =>
    expect(blanksToNull({ title: value })).toEqual({ title: value }),
  );
});

describe("currency", () => {
  it.each(["EUR", "USD", "JPY", "KWD", "MGA"])("takes %s", (code) => expect(check(currency, code)).toBe(code));
  it.each(["eur", "EU", "EURO", " EUR", "ÉUR"])("refuses the shape of %j", (code) =>
    expect(check(currency, code)).toBe("The currency must be 3 uppercase letters."),
  );
  it.each(["ZZZ", "DEM", "XXX"])("refuses %s, which is not an active currency", (code) =>
    expect(check(currency, code)).toBe("The selected currency is invalid."),
  );

  it("requires whole units for currencies without a minor unit, and says so beside other errors", () => {
    const schema = wholeUnits(z.object({ amount, currency, title: text(5) }));
    const errors = (input: Record<string, unknown>) => {
      try {
        return parseInput(schema, input);
      } catch (error) {
        return error instanceof ValidationError ? error.errors : error;
      }
    };
    expect(errors({ amount: "500", currency: "JPY", title: "a" })).toMatchObject({ amount: 500 });
    expect(errors({ amount: "550", currency: "JPY" })).toEqual({
      amount: ["The amount must be a multiple of 100: the currency has no minor unit."],
      title: ["The title field is required."],
    });
  });
});

describe("email", () => {
  it.each([
    "a@b.co",
    "ada.lovelace+tag@mail.example.com",
    "o'neil@example.ie",
    "josé@exämple.de",
    `${"a".repeat(64)}@example.com`,
  ])("takes %s", (value) => expect(check(email, value)).toBe(value));
  it.each([
    "a",
    "a@",
    "@b.co",
    "a@b",
    "a b@c.co",
    "a@b..co",
    "a.@b.co",
    ".a@b.co",
    "a@-b.co",
    "a@b.co\n",
    "a@b.co,c@d.co",
    "<a@b.co>",
    "a\0@b.co",
    `${"a".repeat(65)}@example.com`,
  ])("refuses %j", (value) => expect(check(email, value)).toBe("The field must be a valid email address."));
});

describe("redirect_url", () => {
  it("requires https in live mode", () => {
    const error = { redirect_url: ["The redirect_url must be a valid URL."] };
    for (const redirect_url of ["http://localhost:3000/", "http://shop.example/"]) {
      expect(redirectErrors({ redirect_url }, false)).toEqual({});
      expect(redirectErrors({ redirect_url }, true)).toEqual(error);
    }
    expect(redirectErrors({ redirect_url: "https://shop.example/" }, true)).toEqual({});
    expect(redirectErrors({ redirect_url: "HTTPS://shop.example/" }, true)).toEqual({});
    expect(redirectErrors({ redirect_url: null }, true)).toEqual({});
    expect(redirectErrors({ redirect_url: 5 }, true)).toEqual({}); // the schema's to tell
  });
});

describe("dates", () => {
  it("reads instants with their offset", () => {
    expect(check(instant, "2026-03-01T12:00:00+01:00")).toEqual(new Date("2026-03-01T11:00:00Z"));
  });
  it.each([
    "2026-02-30T00:00:00Z",
    "2026-03-01",
    "2026-03-01T12:00:00",
    "now",
    "2026-13-01T00:00:00Z",
    "0001-01-01T00:00:00Z",
  ])("refuses the instant %j", (value) => expect(check(instant, value)).toBe("The field is not a valid date."));
  it.each(["2024-02-29", "2026-03-01T12:00:00.123456Z"])("takes the bound %j", (value) =>
    expect(check(dayOrInstant, value)).toBe(value),
  );
  it.each(["2023-02-29", "2026-1-1", "yesterday"])("refuses the bound %j", (value) =>
    expect(check(dayOrInstant, value)).toBe("The field is not a valid date."),
  );
});
