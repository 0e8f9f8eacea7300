import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencies, minorUnitStep } from "@/lib/core/money";
import { fromStripeAmount, toStripeAmount } from "@/lib/gateways/stripe/amounts";

describe("an amount at Stripe", () => {
  it.each([
    [1050, "EUR", 1050],
    [50, "USD", 50],
    [105_000, "JPY", 1050],
    [100, "KRW", 1],
    [1050, "JPY", null],
    [500, "ISK", 500], // no minor unit, and yet in hundredths
    [550, "ISK", null],
    [500, "UGX", 500],
    [550, "UGX", null],
    [1050, "HUF", 1050], // only payouts are in whole units
    [1050, "TWD", 1050],
    [1050, "KWD", 10_500],
    [500, "MGA", 5], // five ariary; ISO 4217 would allow a fifth of one
    [520, "MGA", null],
    [99_999_999, "USD", 99_999_999],
    [100_000_000, "USD", null],
    [100_000_000, "IDR", 100_000_000],
    [1050, "IQD", null], // Stripe takes no cards in it
    [1050, "XXX", null],
    [1050, "eur", null],
    [0, "EUR", null],
    [-1, "EUR", null],
    [10.5, "EUR", null],
    [Number.NaN, "EUR", null],
  ])("is, of %d cents of %s, %s", (cents, currency, amount) => {
    expect(toStripeAmount(cents, currency)).toBe(amount);
  });

  const anyAmount = fc.tuple(fc.integer({ min: 1, max: 21_000_000 }), fc.constantFrom(...currencies));

  it("converts back unchanged in every currency, and is an integer", () => {
    fc.assert(
      fc.property(anyAmount, ([units, currency]) => {
        const cents = units * minorUnitStep(currency);
        const amount = toStripeAmount(cents, currency);
        if (amount === null) return;
        expect(Number.isSafeInteger(amount)).toBe(true);
        expect(fromStripeAmount(amount, currency)).toBe(cents);
        expect(fromStripeAmount(amount, currency.toLowerCase())).toBe(cents);
      }),
      { numRuns: 2000 },
    );
  });

  it("accepts whole units in every supported currency", () => {
    const taken = currencies.filter((currency) => toStripeAmount(100, currency) !== null);
    expect(taken.length).toBeGreaterThan(125);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom(...taken), (units, currency) => {
        expect(toStripeAmount(units * 100, currency)).not.toBeNull();
      }),
    );
  });

  it("always ends in 0 in a currency with three decimals", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.constantFrom("BHD", "JOD", "KWD", "OMR", "TND"),
        (c, code) => {
          expect((toStripeAmount(c, code) ?? 1) % 10).toBe(0);
        },
      ),
    );
  });

  it("rounds a fee to hundredths", () => {
    expect(fromStripeAmount(1234, "kwd")).toBe(123);
    expect(fromStripeAmount(1235, "KWD")).toBe(124);
  });
});
