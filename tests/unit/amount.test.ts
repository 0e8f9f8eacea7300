import fc from "fast-check";
import { expect, test } from "vitest";
import { toRow } from "@/components/payment-links/import-file";
import { errorsInUnits, fromCents } from "@/components/ui/amount";
import { amountBounds } from "@/lib/core/money";
import { isInAnotherCurrency, readingsOf, toCents } from "@/lib/core/typed-amount";
import { blanksToNull, parseInput } from "@/lib/http/validation";
import { paymentLinkInput } from "@/lib/resources/payment-links/contract";

const cents = fc.integer({ min: 0, max: 999_999_999 });

test("a displayed amount parses to the same cents, with point or comma", () => {
  fc.assert(
    fc.property(cents, fc.constantFrom(".", ","), (amount, mark) => {
      expect(toCents(fromCents(amount).replace(".", mark))).toBe(String(amount));
    }),
  );
});

test("units and decimals parse exactly, with any padding", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 99_999_999n }),
      fc.integer({ min: 0, max: 99 }),
      fc.nat(4),
      (units, part, zeros) => {
        const typed = ` ${"0".repeat(zeros)}${units}.${String(part).padStart(2, "0")} `;
        expect(toCents(typed)).toBe(String(units * 100n + BigInt(part)));
      },
    ),
  );
});

test("nothing else parses, and each reading has the typed digits in their order", () => {
  const typed = fc.oneof(fc.string(), fc.stringMatching(/^[0-9., ']{1,12}$/));
  fc.assert(
    fc.property(typed, (text) => {
      const readings = readingsOf(text);
      if (readings.length > 0) expect(text).toMatch(/^[\s0-9.,'’]*$/);
      for (const reading of readings) {
        const typedDigits = text.replace(/[^0-9]/g, "").replace(/^0+/, "");
        expect(`${typedDigits}00`.startsWith(reading.replace(/^0+/, "").replace(/0{1,2}$/, ""))).toBe(true);
      }
    }),
  );
});

test("an amount as any language writes it has its cents among its readings, and only them if it has decimals", () => {
  const languages = fc.constantFrom("en", "de", "fr", "de-CH", "en-IN", "sv", "pt-BR", "es");
  const currencies = fc.constantFrom("EUR", "USD", "GBP", "CHF", "INR", "SEK");
  fc.assert(
    fc.property(cents, languages, currencies, fc.boolean(), (amount, language, currency, sign) => {
      const typed = new Intl.NumberFormat(language, {
        ...(sign && { style: "currency", currency, currencyDisplay: "narrowSymbol" }),
        minimumFractionDigits: 2,
      }).format(amount / 100);
      expect(readingsOf(typed, currency), typed).toEqual([String(amount)]);
      const whole = Math.trunc(amount / 100);
      const units = new Intl.NumberFormat(language).format(whole);
      expect(readingsOf(units, currency), units).toContain(String(whole * 100));
    }),
  );
});

test.each([
  ["10", ["1000"]],
  ["10.", ["1000"]],
  ["10.5", ["1050"]],
  ["10,50", ["1050"]],
  ["0.07", ["7"]],
  ["0", ["0"]],
  [".5", ["50"]],
  ["1 050", ["105000"]],
  ["1'050.5", ["105050"]],
  ["1,050.00", ["105000"]],
  ["1.050,00", ["105000"]],
  ["1,234,567", ["123456700"]],
  ["12,34,567.80", ["123456780"]],
  ["1,234", ["123400"]],
  ["1,050", ["105000", "105"]],
  ["1.050", ["105000", "105"]],
  ["0.500", ["50"]],
  ["1234.500", ["123450"]],
  ["€10.50", ["1050"]],
  ["10,50 €", ["1050"]],
  ["eur 10", ["1000"]],
  ["$10", []],
  ["0.005", []],
  ["1234.567", []],
  ["1,05,0", []],
  ["1,234.567", []],
  ["1.234,567.00", []],
  ["1  050", []],
  ["-5", []],
  ["+5", []],
  ["1e3", []],
  ["0x10", []],
  ["١٠", []],
  ["", []],
  [".", []],
])("%j is %j cents in euros", (typed, expected) => expect(readingsOf(typed, "EUR")).toEqual(expected));

test.each([
  ["1.234", []],
  ["1.050", ["105000", "105"]],
  ["1 234", ["123400"]],
])("%j dinars are %j hundredths", (typed, expected) => expect(readingsOf(typed, "KWD")).toEqual(expected));

test.each([
  ["1,050", ["105000"]],
  ["1.050", ["105000"]],
  ["1,000,000", ["100000000"]],
  ["10.50", ["1050"]], // refused as no multiple of 100
])("%j yen are %j hundredths", (typed, expected) => expect(readingsOf(typed, "JPY")).toEqual(expected));

test.each([
  ["1,050", ["105000"]],
  ["100,000", ["10000000", "10000"]], // not silently a hundred euros
  ["10,050", ["1005000", "1005"]],
  ["4.00", ["400"]],
])("of the readings of %j, those count that the bounds allow: %j", (typed, expected) => {
  expect(readingsOf(typed, "EUR", amountBounds)).toEqual(expected);
});

test("an amount all of whose readings are too large has one", () => {
  expect(readingsOf("10,050", "EUR", { min: 1, max: 500 })).toEqual(["1005000"]);
});

test.each([
  ["$12.50", "EUR", true],
  ["12.50$", "EUR", true],
  ["CHF 10", "EUR", true],
  ["10 usd", "EUR", true],
  ["US$10", "EUR", true],
  ["US$10", "USD", false],
  ["€12.50", "EUR", false],
  ["12.505", "EUR", false],
  ["abc 10", "EUR", false],
  ["KWD 1.234", "KWD", false],
  ["", "EUR", false],
])("whether %j in %s has another currency's sign: %s", (typed, currency, expected) => {
  expect(isInAnotherCurrency(typed, currency)).toBe(expected);
});

test("an amount that could be two is none", () => expect(toCents("1,050")).toBeNull());

test.each([
  ["1,234.50", "123450"],
  ["12,5", "1250"],
  ["1.234", "1.234"],
  ["€1,234", "€1,234"],
])("the amount %j of a file is sent as %j", (amount, sent) => {
  expect(toRow({ row: 2, cells: { amount, currency: "EUR" } }, false).amount).toBe(sent);
});

test.each([
  ["499", "The amount must be at least 5.00."],
  ["3000001", "The amount must not be greater than 30000.00."],
  ["1.005", "The amount must be a number like 10.50, with at most two decimals."],
  ["", "The amount field is required."],
])("the contract's message for %j uses currency units", (amount, expected) => {
  let errors = {};
  try {
    parseInput(paymentLinkInput, blanksToNull({ currency: "EUR", email: "a@example.com", title: "T", amount }));
  } catch (error) {
    if (error instanceof Error && "errors" in error) errors = errorsInUnits(error.errors as Record<string, string[]>);
  }
  expect(errors).toEqual({ amount: [expected] });
});
