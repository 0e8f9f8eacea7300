import fc from "fast-check";
import { expect, test } from "vitest";
import { errorsInUnits, fromCents, toCents } from "@/components/payment-links/amount";
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

test("only an amount with at most two decimals parses", () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const read = toCents(typed);
      if (read !== null) expect(typed.trim()).toMatch(/^[0-9]{1,12}([.,][0-9]{0,2})?$/);
    }),
  );
});

test.each([
  ["10", "1000"],
  ["10.", "1000"],
  ["10.5", "1050"],
  ["10,50", "1050"],
  ["0.07", "7"],
  ["0", "0"],
  ["1.005", null],
  ["1,050", null],
  ["1 050", null],
  ["1,050.00", null],
  [".5", null],
  ["-5", null],
  ["+5", null],
  ["1e3", null],
  ["0x10", null],
  ["١٠", null],
  ["", null],
])("%j is %j cents", (typed, expected) => expect(toCents(typed)).toBe(expected));

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
