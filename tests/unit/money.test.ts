import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencies, formatMoney, isCurrency, minorUnitStep, toUnits } from "@/lib/core/money";

describe("money", () => {
  it("converts every link amount to units and back", () => {
    let wrong = 0;
    for (let cents = 500; cents <= 3_000_000; cents++) {
      const wire = JSON.stringify(toUnits(cents));
      const [units = "", decimals = ""] = wire.split(".");
      // By its digits, not by arithmetic that could make the same mistake twice.
      if (decimals.length > 2 || Number(units) * 100 + Number(decimals.padEnd(2, "0")) !== cents) wrong++;
    }
    expect(wrong).toBe(0);
  });

  it.each([
    [1050, "10.5"],
    [500, "5"],
    [3_000_000, "30000"],
    [1_999_999, "19999.99"],
  ])("writes %d cents as %s", (cents, wire) => {
    expect(JSON.stringify(toUnits(cents))).toBe(wire);
  });

  it("shows exactly the digits of the amount, in every currency", () => {
    const amount = fc.integer({ min: 500, max: 3_000_000 });
    fc.assert(
      fc.property(amount, fc.constantFrom(...currencies), (raw, currency) => {
        const cents = raw - (raw % minorUnitStep(currency));
        // The name of a currency may have a dot of its own ("Cg.").
        const digits = /\d[\d,]*(\.\d+)?$/.exec(formatMoney(cents, currency))?.[0].replaceAll(",", "");
        const decimals = minorUnitStep(currency) === 100 ? 0 : 2;
        expect(digits).toBe((cents / 100).toFixed(decimals));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [1050, "EUR", "€10.50"],
    [105_000, "JPY", "¥1,050"],
    [1050, "KWD", "KWD 10.50"],
    [1050, "MGA", "MGA 10.50"],
    [1050, "IQD", "IQD 10.50"],
    [1050, "JPY", "¥10.50"], // never less on the screen than what would be charged
  ])("shows %d %s as %s", (cents, currency, text) => {
    expect(formatMoney(cents, currency).replaceAll("\u00a0", " ")).toBe(text);
  });

  it("formats in the reader's language", () => {
    expect(formatMoney(105_050, "EUR", "de").replaceAll("\u00a0", " ")).toBe("1.050,50 €");
  });

  it("knows the active currencies, only in uppercase", () => {
    for (const code of ["EUR", "USD", "JPY", "MGA", "MRU", "VED", "XCG"]) expect(isCurrency(code)).toBe(true);
    for (const code of ["eur", "DEM", "ZZZ", "", "EURO", "__proto__", "constructor"])
      expect(isCurrency(code)).toBe(false);
    expect(currencies).toEqual([...currencies].sort());
    expect(currencies.length).toBeGreaterThan(150);
  });

  it.each([
    ["EUR", 1],
    ["JPY", 100],
    ["KRW", 100],
    ["KWD", 1],
    ["MGA", 1],
    ["MRU", 1],
  ] as const)("accepts %s in steps of %d cents", (currency, step) => {
    expect(minorUnitStep(currency)).toBe(step);
  });
});
