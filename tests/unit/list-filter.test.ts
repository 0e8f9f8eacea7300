import { createTranslator } from "use-intl/core";
import { expect, it } from "vitest";
import { paymentLinkColumns } from "@/components/payment-links/columns";
import { paymentLinkFilters } from "@/components/payment-links/filters";
import { paymentFilters } from "@/components/payments/filters";
import { requestFilterOf, requestFilters } from "@/components/requests/filters";
import { listQuery } from "@/components/shell/list-query";
import type { Texts } from "@/components/ui/list/columns";
import { criteriaOf, readFilter } from "@/components/ui/list/filter";
import { rangeNames, ranges, withDays } from "@/components/ui/list/ranges";
import { csvColumns } from "@/lib/resources/payment-links/csv-contract";
import en from "@/messages/en";

const today = "2028-03-01";
const read = (query: string) => readFilter(paymentLinkFilters, new URLSearchParams(query));

it("an address keeps the known filters and drops the others", () => {
  expect(read("status=Paid&paid=true&currency=EUR&q=+beans+&created_from=2026-01-02&cursor=c&columns=email")).toEqual({
    status: "Paid",
    paid: "true",
    currency: "EUR",
    q: "beans",
    created_from: "2026-01-02",
    cursor: "c",
    columns: "email",
  });
  expect(read("status=Unheard&paid=1&currency=eur&created_to=today&sort=title&other=1&q=+")).toEqual({});
  expect(read(`q=${"x".repeat(300)}`).q).toHaveLength(200);
});

it("an address keeps filters by metadata, of lists that have them", () => {
  const query = "metadata[order_id]=+1001+&metadata[channel]=web&metadata[not a key]=1&metadata[]=2&metadata[empty]=";
  const filter = read(query);
  expect(filter).toEqual({ "metadata[order_id]": "1001", "metadata[channel]": "web" });
  expect(listQuery(paymentLinkFilters, filter, "Europe/Berlin", today)).toEqual(filter);
  expect(readFilter(requestFilters, new URLSearchParams(query))).toEqual({});
  const many = Array.from({ length: 30 }, (_, n) => `metadata[k${n}]=1`).join("&");
  expect(Object.keys(read(many))).toHaveLength(20);
});

it("the API query has whole days in the business's time zone, and no columns", () => {
  expect(
    listQuery(
      paymentLinkFilters,
      read("created_from=2026-07-01&created_to=2026-07-01&columns=email"),
      "Europe/Berlin",
      today,
    ),
  ).toEqual({ created_from: "2026-06-30T22:00:00.000Z", created_to: "2026-07-01T21:59:59.999999Z" });
});

it("typed amounts become cents; one that cannot be read is not sent", () => {
  const sent = (query: string) => listQuery(paymentLinkFilters, read(query), "Europe/Berlin", today);
  expect(sent("amount_from=12.50&amount_to=1.234,5")).toEqual({ amount_from: "1250", amount_to: "123450" });
  expect(sent("amount_from=1,050&amount_to=much")).toEqual({});
});

it("ranges end today, and months have their own length", () => {
  const until = (today: string) => Object.fromEntries(rangeNames.map((name) => [name, ranges[name](today).join(" ")]));
  expect(until("2028-03-01")).toEqual({
    today: "2028-03-01 2028-03-01",
    yesterday: "2028-02-29 2028-02-29",
    week: "2028-02-24 2028-03-01",
    days30: "2028-02-01 2028-03-01",
    month: "2028-03-01 2028-03-01",
    lastMonth: "2028-02-01 2028-02-29",
  });
  expect(until("2027-01-31").lastMonth).toBe("2026-12-01 2026-12-31");
});

it("a range is kept by its name, and becomes days in a query", () => {
  const filter = read("created_from=week&q=beans");
  expect(filter).toEqual({ created_from: "week", q: "beans" });
  const days = { created_from: "2028-02-24", created_to: "2028-03-01", q: "beans" };
  expect(withDays(filter, today)).toEqual(days);
  expect(withDays(days, "2030-01-01")).toEqual(days);
  expect(read("created_to=week&created_from=fortnight")).toEqual({});
  expect(read("created_from=week&created_to=2028-01-01")).toEqual({ created_from: "week" });
  expect(read("created_from=2028-02-30")).toEqual({});
  // Other filters have days alone, and amounts that are named like a range are none.
  expect(readFilter(paymentFilters, new URLSearchParams("settled_from=week"))).toEqual({});
  expect(listQuery(paymentLinkFilters, read("amount_from=week&amount_to=100"), "UTC", today)).toEqual({
    amount_to: "10000",
  });
});

it("requests default to those of keys, unless the address names a request or an actor", () => {
  const asked = (query: string) => requestFilterOf(readFilter(requestFilters, new URLSearchParams(query))).actor_type;
  expect([asked(""), asked("by=people"), asked("by=all"), asked("request_id=r")]).toEqual([
    "api_key",
    "user",
    undefined,
    undefined,
  ]);
});

it("a range of days is one summary, and an amount that cannot be read is none", () => {
  const t = createTranslator({ locale: "en-GB", messages: en }) as unknown as Texts;
  expect(criteriaOf(paymentLinkFilters, read("amount_from=1,050"), t)).toEqual([]);
  expect(criteriaOf(paymentLinkFilters, read("amount_from=1,050&amount_to=20"), t)).toHaveLength(1);
  expect(criteriaOf(paymentLinkFilters, read("status=Paid&created_from=2026-01-01&created_to=2026-01-02"), t)).toEqual([
    "the status Paid",
    "a creation date in this range",
  ]);
});

it("each column that can be chosen is a column of the exported file", () => {
  const chosen = paymentLinkColumns.filter(({ choice }) => choice).map(({ key }) => key);
  expect(chosen.length).toBeGreaterThan(5);
  expect(chosen.filter((key) => !(csvColumns as readonly string[]).includes(key))).toEqual([]);
});
