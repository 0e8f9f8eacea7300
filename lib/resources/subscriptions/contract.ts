import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { amount, currency, dayOrInstant, email, optional, phone, text } from "@/lib/http/fields";
import { amountRange, exportQuery, flag, listQuery } from "@/lib/http/list-query";
import { metadataFilter } from "@/lib/http/metadata";
import { annotationEndpoint, annotationFields, annotations, noAnnotations } from "@/lib/resources/annotations/contract";
import { customerNameColumn, customerNameNote } from "@/lib/resources/customers/csv-contract";
import { packageExample, packageResource } from "@/lib/resources/packages/contract";
import { paymentLink } from "@/lib/resources/payment-links/contract";
import { forecastEndpoints } from "./forecast-contract";

export const subscriptionStatuses = [
  "created",
  "active",
  "past_due",
  "paused",
  "unpaid",
  "cancel",
  "completed",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Why a subscription has ended. */
export const endedReasons = ["canceled_by_staff", "canceled_by_api", "unpaid", "period_end"] as const;
export type EndedReason = (typeof endedReasons)[number];

/** The statuses that a caller may request; the system sets the others. */
export const requestableStatuses = ["cancel", "paused", "active"] as const;
export type RequestableStatus = (typeof requestableStatuses)[number];

/**
 * The statuses from which a request may move; billing makes the other moves.
 * Contract, section 3: created -> active and past_due -> active happen by payment alone, never on request.
 */
export const requestableMoves: Record<RequestableStatus, readonly SubscriptionStatus[]> = {
  cancel: ["created", "active", "past_due", "paused", "unpaid"],
  paused: ["active"],
  active: ["paused"],
};

export const subscription = z.object({
  _id: z.string(),
  package_id: z.string(),
  email: z.string(),
  phone_no: z.string().nullable(),
  status: z.enum(subscriptionStatuses),
  package: packageResource,
  payment_links: z.array(paymentLink),
  created_at: z.string(),
  updated_at: z.string(),
  business_id: z.int(),
  livemode: z.boolean(),
  cancel_at_period_end: z.boolean(),
  current_period_start: z.string().nullable(),
  current_period_end: z.string().nullable(),
  next_charge_at: z
    .string()
    .nullable()
    .describe(
      "When the next period begins. With `cancel_at_period_end` nothing is charged then: the subscription ends.",
    ),
  next_charge_amount_cents: z.int().nullable().describe("What the period that begins at `next_charge_at` costs."),
  ended_at: z
    .string()
    .nullable()
    .describe("When it was cancelled, completed or became unpaid. null again once a payment makes it active."),
  ended_reason: z
    .enum(endedReasons)
    .nullable()
    .describe(
      "canceled_by_staff: in the dashboard. canceled_by_api: with an API key. unpaid: all retries failed. period_end: `cancel_at_period_end`. null: not ended, or ended before this was recorded.",
    ),
  paused_reason: z
    .enum(["dispute"])
    .nullable()
    .describe(
      "dispute: paused by Paydesk, because one of its payments is disputed (`pause_disputed` of the settings).",
    ),
  amount: z
    .number()
    .describe("The agreed price of a period. It can differ from the package's, which is for new subscriptions."),
  amount_cents: z.int(),
  price_change: z
    .object({ amount: z.number(), amount_cents: z.int(), from: z.string(), told: z.boolean() })
    .nullable()
    .describe(
      "A new price, and the start of the first period that costs it. `told`: whether its e-mail was sent; until then the old price is charged, and `from` can move.",
    ),
  ...annotations,
});
export type Subscription = z.infer<typeof subscription>;

const example: Subscription = {
  _id: "sub_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  package_id: packageExample._id,
  email: "ada@example.com",
  phone_no: null,
  status: "created",
  package: packageExample,
  payment_links: [],
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
  business_id: 1,
  livemode: false,
  cancel_at_period_end: false,
  current_period_start: null,
  current_period_end: null,
  next_charge_at: null,
  next_charge_amount_cents: null,
  ended_at: null,
  ended_reason: null,
  paused_reason: null,
  amount: 15,
  amount_cents: 1500,
  price_change: null,
  ...noAnnotations,
};

export const subscriptionInput = z.object({
  package_id: z.string().describe("An active package of yours."),
  email,
  phone_no: optional(phone),
  allow_duplicate: z
    .boolean()
    .optional()
    .describe("true: creates it even if this e-mail already has a subscription to this package that has not ended."),
  ...annotationFields,
});

/** For the form that changes a subscription's contact: in an update a blank would keep the old value. */
export const contactInput = subscriptionInput.pick({ email: true, phone_no: true });
export type SubscriptionInput = z.output<typeof subscriptionInput>;

/** Absent fields stay unchanged; `phone_no: null` clears the phone number. */
export const subscriptionUpdate = z.object({
  email: email.optional(),
  phone_no: phone.nullish(),
  allow_duplicate: z
    .boolean()
    .optional()
    .describe(
      "With `email`. true: changes it even if the new e-mail already has a subscription to this package that has not ended.",
    ),
  cancel_at_period_end: z
    .boolean()
    .optional()
    .describe(
      "true: the subscription ends when the current period is over, or at once if no period is running (not begun yet, or `unpaid`), unless `status` asks for another status.",
    ),
  status: z.enum(requestableStatuses).optional().describe("Where to move it; see the states."),
  close_links: z
    .boolean()
    .optional()
    .describe(
      "With `status: cancel`. false: the links of its unpaid periods stay payable. By default they become Inactive.",
    ),
  ...annotationFields,
});
export type SubscriptionUpdate = z.output<typeof subscriptionUpdate>;

export const subscriptionListQuery = listQuery(
  {
    status: optional(z.enum(subscriptionStatuses)),
    email: optional(z.string()),
    package_id: optional(z.string()),
    untold_price: optional(
      flag.describe("true: subscriptions whose new price could not be announced. They keep the old one."),
    ),
    first_payment_failed: optional(
      flag.describe("true: subscriptions that have not started, because the first charge of the saved card failed."),
    ),
    recurring: optional(
      flag.describe("true: active and past-due subscriptions, which make the monthly recurring revenue."),
    ),
    churned: optional(
      flag.describe("true: subscriptions that had begun and have ended, which make the churn. false: all others."),
    ),
    ended_reason: optional(z.enum(endedReasons)),
    ended_from: optional(
      dayOrInstant.describe("A day (UTC) or an instant, ISO 8601: those that ended since. Fast with `sort=-ended_at`."),
    ),
    ended_to: optional(
      dayOrInstant.describe("A day (UTC, inclusive) or an instant, ISO 8601: those that ended until then."),
    ),
    currency: optional(currency.describe("The package's.")),
    ...amountRange,
    q: optional(text(200).describe("Words that e-mail, phone number, metadata values or notes begin with.")),
    ...metadataFilter,
  },
  ["ended_at", "next_charge_at"],
);
export type SubscriptionListQuery = z.output<typeof subscriptionListQuery>;

export const priceChangeQuery = listQuery({ amount: amount.describe("The new price of a period, in cents.") });
export type PriceChangeQuery = z.output<typeof priceChangeQuery>;

const one = "/subscriptions/{subscription_id}";

/** Columns of the exported file. */
export const subscriptionColumns: readonly string[] = [
  "_id",
  "created_at",
  "status",
  "paused_reason",
  "email",
  "phone_no",
  "package_id",
  "package.name",
  "package.frequency",
  "amount",
  "amount_cents",
  "package.currency",
  "current_period_start",
  "current_period_end",
  "next_charge_at",
  "next_charge_amount_cents",
  "cancel_at_period_end",
  "ended_at",
  "ended_reason",
  "metadata",
  "notes",
  customerNameColumn,
];

export const subscriptionEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/subscriptions/export",
    summary: "Export subscriptions as CSV",
    description: `Every subscription that the filters find, as a file (RFC 4180, UTF-8). The column of a nested field has both names: \`card_last4\`. ${customerNameNote}`,
    scope: "subscriptions:read",
    query: exportQuery(subscriptionListQuery),
    response: subscription,
    csv: true,
    example: { data: example },
  }),
  ...forecastEndpoints,
  priceChange: endpoint({
    method: "GET",
    path: "/packages/{package_id}/price-change",
    summary: "Preview a package's new price",
    description:
      "The existing subscriptions that `existing_subscriptions: new_price` would change, each with the `price_change` that it would get. Changes nothing.",
    scope: "subscriptions:read",
    query: priceChangeQuery,
    response: subscription,
    list: true,
    example: {
      path: `/packages/${packageExample._id}/price-change?amount=1800`,
      data: {
        ...example,
        price_change: { amount: 18, amount_cents: 1800, from: "2026-12-21T09:30:00.000000Z", told: false },
      },
    },
  }),
  create: endpoint({
    method: "POST",
    path: "/subscriptions",
    summary: "Create a subscription",
    description: "Attaches a customer to a package.",
    scope: "subscriptions:write",
    body: subscriptionInput,
    response: subscription,
    conflicts:
      "The e-mail already has a subscription to this package that has not ended (`already_subscribed`, with its `subscription_id`).",
    example: { body: { package_id: packageExample._id, email: "ada@example.com" }, data: example },
  }),
  list: endpoint({
    method: "GET",
    path: "/subscriptions",
    summary: "List subscriptions",
    scope: "subscriptions:read",
    query: subscriptionListQuery,
    response: subscription,
    list: true,
    example: { data: example },
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get a subscription",
    scope: "subscriptions:read",
    response: subscription,
    example: { data: example },
  }),
  update: endpoint({
    method: "PUT",
    path: one,
    summary: "Update a subscription",
    description:
      "Changes only what is sent. With `If-Match` and the `updated_at` that was read, 412 if it has changed since.",
    ifMatch: true,
    scope: "subscriptions:write",
    body: subscriptionUpdate,
    response: subscription,
    conflicts:
      "The subscription's state does not allow the move, or the new `email` already has a subscription to this package that has not ended (`already_subscribed`, with its `subscription_id`).",
    example: {
      body: { status: "cancel" },
      data: {
        ...example,
        status: "cancel",
        updated_at: "2026-11-22T10:00:00.123456Z",
        ended_at: "2026-11-22T10:00:00.123456Z",
        ended_reason: "canceled_by_api",
      },
    },
  }),
  annotate: annotationEndpoint({
    path: one,
    noun: "a subscription",
    readScope: "subscriptions:read",
    response: subscription,
    data: example,
  }),
  remove: endpoint({
    method: "DELETE",
    path: one,
    summary: "Delete a subscription",
    description: "Not recoverable. Stops all charging; its payments stay in the books.",
    scope: "subscriptions:write",
    response: subscription.extend({ deleted: z.literal(true) }),
    conflicts: "A payment of one of its periods is in progress.",
    example: { data: { ...example, deleted: true } },
  }),
};
