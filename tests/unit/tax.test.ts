import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { toRow } from "@/components/payment-links/import-file";
import { amountBounds, currencies, minorUnitStep } from "@/lib/core/money";
import { includedTax, toPercent } from "@/lib/core/tax";
import { taxPercent } from "@/lib/http/fields";

const rate = fc.integer({ min: 0, max: 10_000 });
/** A currency, and two valid amounts in it, the smaller one first. */
const amounts = fc
  .tuple(
    fc.constantFrom(...currencies),
    fc.integer({ min: 0, max: amountBounds.max }),
    fc.integer({ min: 0, max: amountBounds.max }),
  )
  .map(([currency, ...cents]) => {
    const step = minorUnitStep(currency);
    const [less = 0, more = 0] = cents.map((one) => one - (one % step)).sort((a, b) => a - b);
    return { currency, step, less, more };
  });

describe("the tax that an amount includes", () => {
  it("is amount × rate / (100 % + rate), rounded half up to the currency’s smallest unit", () => {
    fc.assert(
      fc.property(amounts, rate, ({ currency, step, more }, basisPoints) => {
        const tax = includedTax(more, currency, basisPoints);
        expect(Math.abs(tax % step)).toBe(0);
        const whole = 10_000n + BigInt(basisPoints);
        const twice = 2n * BigInt(more) * BigInt(basisPoints);
        expect((2n * BigInt(tax) - BigInt(step)) * whole <= twice).toBe(true);
        expect(twice < (2n * BigInt(tax) + BigInt(step)) * whole).toBe(true);
      }),
    );
  });

  it("leaves a net amount in whole units, and never shrinks with the amount or the rate", () => {
    fc.assert(
      fc.property(amounts, rate, rate, ({ currency, step, less, more }, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const tax = includedTax(less, currency, low);
        const net = less - tax;
        expect(net >= 0 && net <= less && net % step === 0).toBe(true);
        expect(includedTax(more, currency, low)).toBeGreaterThanOrEqual(tax);
        expect(includedTax(less, currency, high)).toBeGreaterThanOrEqual(tax);
        expect(more - includedTax(more, currency, low)).toBeGreaterThanOrEqual(net);
      }),
    );
  });

  it.each([
    [1904, "EUR", 1900, 304],
    [1000, "EUR", 1900, 160],
    [1050, "EUR", 770, 75],
    [501, "EUR", 10_000, 251],
    [110_000, "JPY", 1000, 10_000],
    [50_100, "JPY", 10_000, 25_100],
    [1050, "EUR", 0, 0],
    [amountBounds.max, "EUR", 10_000, amountBounds.max / 2],
  ])("of %i cents of %s at %i basis points: %i", (cents, currency, basisPoints, tax) => {
    expect(includedTax(cents, currency, basisPoints)).toBe(tax);
  });
});

test("every rate with two decimals reads exactly, as a number, a string, and as people type it", () => {
  fc.assert(
    fc.property(rate, fc.constantFrom(".", ","), fc.constantFrom("", "%", " %"), (basisPoints, mark, sign) => {
      expect(taxPercent.parse(basisPoints / 100)).toBe(basisPoints);
      expect(taxPercent.parse((basisPoints / 100).toFixed(2))).toBe(basisPoints);
      const typed = `${String(basisPoints / 100).replace(".", mark)}${sign}`;
      expect(taxPercent.parse(toPercent(typed))).toBe(basisPoints);
    }),
  );
});

test.each([
  ["19", "19"],
  ["7,7", "7.7"],
  [" 8.25 % ", "8.25"],
  ["19.", "19"],
  ["7,725", null],
  ["1,000", null],
  ["-5", null],
  ["19%%", null],
  [".5", null],
  ["", null],
])("the typed rate %j is %j", (typed, percent) => expect(toPercent(typed)).toBe(percent));

test.each([
  ["7,7 %", "7.7"],
  ["a fifth", "a fifth"],
])("the rate %j of a file is sent as %j", (tax_percent, sent) => {
  expect(toRow({ row: 2, cells: { tax_percent } }, false).tax_percent).toBe(sent);
});
