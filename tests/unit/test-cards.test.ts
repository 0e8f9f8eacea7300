import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { groupDigits } from "@/components/payer/words";
import { declineReasons } from "@/lib/gateways/reasons";
import { cardGroups, testCards } from "@/lib/gateways/sandbox/cards";
import { feeOf } from "@/lib/gateways/sandbox/charges";
import { sandbox } from "@/lib/gateways/sandbox/driver";

it("documents every test card, in the page's order and with its texts", () => {
  const rows = testCards.map(({ number, label }) => `| ${groupDigits(number)} | ${label} |`);
  const documented = readFileSync("docs/test-cards.md", "utf8").match(/^(## .*|\| [345].*)$/gm);
  expect(documented).toEqual(
    cardGroups.flatMap((group) => [`## ${group}`, ...rows.filter((_, i) => testCards[i]?.group === group)]),
  );
});

it("has a card for every decline reason", () => {
  const notOfACard = ["authentication_required", "authentication_failed", "abandoned", "gateway_refused"];
  const reasons = Object.keys(declineReasons).filter((reason) => !notOfACard.includes(reason));
  const behaviours = testCards.map(({ behaviour }) => behaviour);
  for (const reason of reasons) expect(behaviours).toContain(reason);
  expect(new Set(testCards.map(({ number }) => number)).size).toBe(testCards.length);
});

it.each([
  [1050, "EUR", 40], // 14.7 + 25
  [50, "EUR", 26], // 0.7 + 25
  [250, "EUR", 29], // 3.5 + 25: half up
  [20, "EUR", 20], // never more than there is
  [100_000, "JPY", 1_400], // 14.25 yen
  [100, "JPY", 0],
  [2_147_483_647, "EUR", 30_064_796],
])("keeps of %i cents of %s %i", (amount, currency, fee) => expect(feeOf(amount, currency)).toBe(fee));

it("depends on the currency's minor unit", () => {
  const { supportsAmount } = sandbox("1");
  expect([supportsAmount(1, "EUR"), supportsAmount(100, "JPY"), supportsAmount(2_147_483_647, "USD")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([
    supportsAmount(0, "EUR"),
    supportsAmount(-5, "EUR"),
    supportsAmount(150, "JPY"),
    supportsAmount(1.5, "EUR"),
    supportsAmount(100, "XXX"),
  ]).toEqual(Array(5).fill(false));
});
