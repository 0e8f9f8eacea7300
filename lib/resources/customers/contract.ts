import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { dayOrInstant, email, optional, text } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";
import { metadataFilter } from "@/lib/http/metadata";
import { annotationFields, annotations, previousNotes } from "@/lib/resources/annotations/contract";

const total = z.object({
  currency: z.string(),
  paid_cents: z.int(),
  refunded_cents: z.int(),
  disputed_cents: z.int().describe("Taken back by lost disputes."),
  lifetime_cents: z.int().describe("Paid, less refunds and lost disputes."),
  open_cents: z.int().describe("The sum of active links that are not paid."),
  overdue_cents: z
    .int()
    .describe("The part of `open_cents` that is due: periods of subscriptions that are past due or unpaid."),
  paid_count: z.int(),
  open_count: z.int(),
  overdue_count: z.int(),
});

/** Everything of one e-mail address, ignoring case. */
const customer = z.object({
  _id: z.string().describe("The e-mail, in lower case."),
  email: z.string(),
  name: z.string().nullable(),
  ...annotations,
  created_at: z.string().describe("When their first link, subscription or tokenization was created."),
  last_activity_at: z.string().describe("When their newest one was created."),
  payment_link_count: z.int().describe("Counted up to 100."),
  subscription_count: z.int().describe("Those that have not ended, counted up to 100."),
  card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() }).nullable(),
  payment_count: z.int().describe("How many links are paid."),
  dispute_count: z.int().describe("How many disputes the paid links have."),
  first_payment_at: z.string().nullable(),
  last_payment_at: z.string().nullable(),
  totals: z.array(total).describe("By currency. A deleted link counts nowhere."),
  totals_are_lower_bound: z
    .boolean()
    .describe("true: payments, disputes and totals include only the newest links, because there are more."),
  changed_to: z.string().nullable().describe("The e-mail that replaced this one. What was paid before stays here."),
  changed_at: z.string().nullable(),
  former_emails: z.array(z.string()).describe("The e-mails that this one replaced, the newest first, at most 10."),
  links_moving: z.boolean().describe("true: open links of a former e-mail are still being moved here."),
});
export type Customer = z.infer<typeof customer>;
export type CustomerNames = z.infer<typeof customerNames>;

/** What staff have written about a customer, as events have it. */
export const customerRecord = z.object({
  _id: z.string().describe("The id of this record. The API's paths take the e-mail instead."),
  email: z.string(),
  name: z.string().nullable(),
  ...annotations,
  business_id: z.int(),
  livemode: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type CustomerRecord = z.infer<typeof customerRecord>;

/** Of the event `customer.email_changed`. */
export const movedCustomer = customerRecord.extend({ previous_email: z.string() });

/** How many running subscriptions and how many cards a change of e-mail moves at most: they move in one transaction. */
export const maxMoved = 200;

export const emailChange = z.object({ email });
export type EmailChange = z.output<typeof emailChange>;

/** How many of a customer's newest links are summed up: in lists and exports, and in GET /customers/{email}. */
export const summedLinks = { list: 100, one: 5_000 } as const;

export const customerUpdate = z.object({
  name: text(200).nullish().describe("The name of the person or company. null or an empty text removes it."),
  ...annotationFields,
  previous_notes: previousNotes,
});
export type CustomerUpdate = z.output<typeof customerUpdate>;

const { per_page, cursor, with_total } = listQuery({}).shape;

const customerListQuery = z.object({
  per_page,
  cursor,
  with_total,
  created_from: optional(
    dayOrInstant.describe("A day (UTC) or an instant, ISO 8601: customers whose address was first seen then or later."),
  ),
  created_to: optional(
    dayOrInstant.describe(
      "A day (UTC, inclusive) or an instant, ISO 8601: customers whose address was first seen by then.",
    ),
  ),
  sort: optional(
    z
      .enum(["email", "-email", "created_at", "-created_at"])
      .describe(
        "By `email` unless given. `created_at` is the time of their first link, subscription or tokenization. With `created_from`, `created_to`, `metadata` or words in `q`, always by `created_at`, newest first by default; with an @ in `q` alone, always by `email`.",
      ),
  ),
  q: optional(
    text(200).describe(
      "Beginnings of words of the e-mail, the name, metadata values or notes. With an @ and no other filter: the beginning of the e-mail.",
    ),
  ),
  ...metadataFilter,
});
export type CustomerListQuery = z.output<typeof customerListQuery>;

/** How many addresses GET /customers/names takes: they must fit into an address of 16 kB. */
export const maxNamedEmails = 25;

const customerNames = z.object({
  _id: z.string(),
  names: z.array(z.object({ email: z.string().describe("In lower case."), name: z.string() })),
  created_at: z.string().describe("When they were read."),
});

const namesQuery = z.object({
  emails: z
    .string()
    .refine((given) => given.split(",").length <= maxNamedEmails, {
      error: `The emails must not be more than ${maxNamedEmails}.`,
    })
    .describe(`E-mail addresses, at most ${maxNamedEmails}, with commas between them.`),
});

const example: Customer = {
  _id: "ada@example.com",
  email: "ada@example.com",
  name: "Ada Lovelace",
  metadata: { crm_id: "C-1815" },
  notes: "Prefers to pay by bank transfer.",
  created_at: "2026-11-21T09:30:00.123456Z",
  last_activity_at: "2026-11-21T09:30:00.123456Z",
  payment_link_count: 1,
  subscription_count: 0,
  card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 },
  payment_count: 1,
  dispute_count: 0,
  first_payment_at: "2026-11-21T09:31:00.123456Z",
  last_payment_at: "2026-11-21T09:31:00.123456Z",
  totals: [
    {
      currency: "EUR",
      paid_cents: 1050,
      refunded_cents: 0,
      disputed_cents: 0,
      lifetime_cents: 1050,
      open_cents: 0,
      overdue_cents: 0,
      paid_count: 1,
      open_count: 0,
      overdue_count: 0,
    },
  ],
  totals_are_lower_bound: false,
  changed_to: null,
  changed_at: null,
  former_emails: [],
  links_moving: false,
};

export const customerRecordExample: CustomerRecord = {
  _id: "cus_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  email: example.email,
  name: example.name,
  metadata: example.metadata,
  notes: example.notes,
  business_id: 1,
  livemode: false,
  created_at: example.created_at,
  updated_at: "2026-11-21T09:40:00.123456Z",
};

/** Columns of the exported file. `lifetime_value`, `open_balance` and `overdue_balance` are texts: "EUR 10.50; USD 3.00". */
export const customerColumns: readonly string[] = [
  "email",
  "name",
  "created_at",
  "last_activity_at",
  "payment_link_count",
  "subscription_count",
  "card.brand",
  "card.last4",
  "card.exp_month",
  "card.exp_year",
  "payment_count",
  "dispute_count",
  "first_payment_at",
  "last_payment_at",
  "lifetime_value",
  "open_balance",
  "overdue_balance",
  "totals_are_lower_bound",
  "notes",
  "metadata",
  // Last, so that readers by position keep working.
  "currency",
  "lifetime_amount",
  "open_amount",
  "overdue_amount",
];

const one = "/customers/{email}";

export const customerEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/customers/export",
    summary: "Export customers as CSV",
    description:
      "Every customer that the filters find, as a file (RFC 4180, UTF-8). The column of a nested field has both names: `card_last4`. " +
      "Sums have a part for each currency: `EUR 10.50; USD 3.00`. The last columns have them as numbers, in one `currency`: that of most payments. " +
      "`metadata` is JSON.",
    scope: "customers:read",
    query: exportQuery(customerListQuery),
    response: customer,
    csv: true,
    example: { data: example },
  }),
  list: endpoint({
    method: "GET",
    path: "/customers",
    summary: "List customers",
    description: `In the order of their e-mails, unless \`sort\` is given. With any filter except an e-mail's beginning in \`q\`, the newest first. Sums include the newest ${summedLinks.list} links of each customer.`,
    scope: "customers:read",
    query: customerListQuery,
    response: customer,
    list: true,
    example: { data: example },
  }),
  names: endpoint({
    method: "GET",
    path: "/customers/names",
    summary: "Get the names of customers",
    description:
      "Of those that have a name, ignoring the case of the addresses: to show names beside addresses in a list.",
    scope: "customers:read",
    query: namesQuery,
    response: customerNames,
    example: {
      path: "/customers/names?emails=ada@example.com",
      data: {
        _id: "names",
        names: [{ email: "ada@example.com", name: "Ada Lovelace" }],
        created_at: "2026-11-21T09:40:00.123456Z",
      },
    },
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get a customer",
    description:
      "Their links, payments, subscriptions, cards and disputes are found by the `email` filter of each list, their e-mails by `to`. " +
      `Sums include the newest ${summedLinks.one.toLocaleString("en")} links.`,
    scope: "customers:read",
    response: customer,
    example: { data: example },
  }),
  update: endpoint({
    method: "PUT",
    path: one,
    summary: "Update a customer",
    description:
      "Changes only what is sent, and records the event `customer.updated` if anything has changed. `POST /customers/{email}/change-email` changes the e-mail.",
    scope: "customers:write",
    body: customerUpdate,
    response: customer,
    precondition: true,
    example: {
      body: { name: "Ada Lovelace", notes: "Prefers to pay by bank transfer.", metadata: { crm_id: "C-1815" } },
      data: example,
    },
  }),
  changeEmail: endpoint({
    method: "POST",
    path: `${one}/change-email`,
    summary: "Change a customer's e-mail",
    description:
      "Moves running subscriptions, cards, open links, the name, notes and metadata to the new address. What has ended stays with the old " +
      "one: paid links, payments, receipts, mails, revoked cards and cancelled subscriptions. Open links beyond the first 500 follow within " +
      "seconds; `links_moving` is true until then. Records `customer.email_changed` and the event of each moved row. Returns the customer " +
      "with the new address. Two customers are not merged; a change can be taken back by changing the address back.",
    scope: "customers:write",
    alsoRequires: "subscriptions:write",
    body: emailChange,
    response: customer,
    conflicts:
      "There is a customer with the new e-mail (`customer_exists`), nothing can be moved (`nothing_to_move`), a card of the customer is being " +
      `saved at this moment, links are still being moved, or there are more than ${maxMoved} running subscriptions or cards.`,
    example: {
      path: `/customers/${example._id}/change-email`,
      body: { email: "ada@lovelace.example" },
      data: {
        ...example,
        _id: "ada@lovelace.example",
        email: "ada@lovelace.example",
        former_emails: ["ada@example.com"],
      },
    },
  }),
};
