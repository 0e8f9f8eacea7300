import { expect, it } from "vitest";
import { mostPaidFirst } from "@/lib/resources/customers/totals";

const cents = {
  paid_cents: 0,
  refunded_cents: 0,
  disputed_cents: 0,
  lifetime_cents: 0,
  open_cents: 0,
  overdue_cents: 0,
};
const total = (currency: string, paid_count: number) => ({
  ...{ ...cents, open_count: 0, overdue_count: 0 },
  ...{ currency, paid_count },
});

it("the currency in which a customer has paid most often comes first, then by name", () => {
  const totals = [total("CHF", 1), total("EUR", 10), total("GBP", 0), total("SEK", 1)];
  expect(mostPaidFirst(totals).map(({ currency }) => currency)).toEqual(["EUR", "CHF", "SEK", "GBP"]);
});
