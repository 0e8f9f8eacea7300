import { expect, it } from "vitest";
import { statementSuffix } from "@/lib/gateways/stripe/descriptions";

it.each([
  ["Blue Bottle Books", "Blue Bottl"],
  ["Café   Müller", "Cafe Mulle"],
  ['O\'Hara "&" <Sons>*', "OHara & So"],
  ["Blue bott of it", "Blue bott"],
  ["1001 Nights", "1001 Night"],
  ["2026-001", null],
  ["本屋", null],
  ["<*>", null],
  ["", null],
])("the statement descriptor suffix of %j is %j", (merchant, expected) => {
  expect(statementSuffix(merchant)).toBe(expected);
});
