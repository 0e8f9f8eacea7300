import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { optional, text } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";

/** Everything of one e-mail address, ignoring case. */
const customer = z.object({
  _id: z.string().describe("The e-mail, in lower case."),
  email: z.string(),
  created_at: z.string().describe("When their first link, subscription or tokenization was created."),
  last_activity_at: z.string().describe("When their newest one was created."),
  payment_link_count: z.int().describe("Counted up to 100."),
  subscription_count: z.int().describe("Those that have not ended, counted up to 100."),
  card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() }).nullable(),
});
export type Customer = z.infer<typeof customer>;

const total = z.object({
  currency: z.string(),
  paid_cents: z.int(),
  refunded_cents: z.int(),
  open_cents: z.int(),
  paid_count: z.int(),
  open_count: z.int(),
});

const customerDetail = customer.extend({
  totals: z.array(total).describe("Of all of the customer's payment links, by currency."),
});
export type CustomerDetail = z.infer<typeof customerDetail>;

const { per_page, cursor } = listQuery({}).shape;

const customerListQuery = z.object({
  per_page,
  cursor,
  q: optional(text(200).describe("What the e-mail begins with.")),
});
export type CustomerListQuery = z.output<typeof customerListQuery>;

const example: CustomerDetail = {
  _id: "ada@example.com",
  email: "ada@example.com",
  created_at: "2026-11-21T09:30:00.123456Z",
  last_activity_at: "2026-11-21T09:30:00.123456Z",
  payment_link_count: 1,
  subscription_count: 0,
  card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 },
  totals: [{ currency: "EUR", paid_cents: 1050, refunded_cents: 0, open_cents: 0, paid_count: 1, open_count: 0 }],
};

const { totals: _, ...listed } = example;

/** Of the exported file. */
export const customerColumns: readonly string[] = [
  "email",
  "created_at",
  "last_activity_at",
  "payment_link_count",
  "subscription_count",
  "card.brand",
  "card.last4",
  "card.exp_month",
  "card.exp_year",
];

export const customerEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/customers/export",
    summary: "Export customers as CSV",
    description:
      "Every customer that the filters find, as a file (RFC 4180, UTF-8). Fields within a field have its name before theirs: `card_last4`.",
    scope: "customers:read",
    query: exportQuery(customerListQuery),
    response: customer,
    csv: true,
    example: { data: listed },
  }),
  list: endpoint({
    method: "GET",
    path: "/customers",
    summary: "List customers",
    description: "In the order of their e-mails.",
    scope: "customers:read",
    query: customerListQuery,
    response: customer,
    list: true,
    example: { data: listed },
  }),
  get: endpoint({
    method: "GET",
    path: "/customers/{email}",
    summary: "Get a customer",
    description: "Their links, payments, subscriptions and cards are found by the `email` filter of each list.",
    scope: "customers:read",
    response: customerDetail,
    example: { data: example },
  }),
};
