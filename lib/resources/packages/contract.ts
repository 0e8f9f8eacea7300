import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { amount, currency, day, optional, text, wholeUnits } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";
import { metadataFilter } from "@/lib/http/metadata";
import { annotationEndpoint, annotationFields, annotations, noAnnotations } from "@/lib/resources/annotations/contract";

export const frequencies = ["daily", "weekly", "monthly", "quarterly", "semiannual", "yearly"] as const;
export const packageStatuses = ["active", "cancel"] as const;

export const packageResource = z.object({
  _id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  amount: z.number(),
  frequency: z.enum(frequencies),
  currency: z.string(),
  date_charge_start: z.string().nullable(),
  business_id: z.int(),
  status: z.enum(packageStatuses),
  created_at: z.string(),
  updated_at: z.string(),
  amount_cents: z.int(),
  livemode: z.boolean(),
  ...annotations,
});
export type Package = z.infer<typeof packageResource>;

/** How many subscriptions of a package are counted. */
export const maxSubscribers = 5_000;

/** Adds the fields that only the package's own responses have. */
export const packageWithCounts = packageResource.extend({
  subscriber_count: z
    .int()
    .describe(`Subscriptions that have not ended. At most ${maxSubscribers} are counted: then there may be more.`),
});
export type PackageWithCounts = z.infer<typeof packageWithCounts>;

export const packageExample: Package = {
  _id: "pkg_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  name: "Reading club",
  description: "A book every month",
  amount: 15,
  frequency: "monthly",
  currency: "EUR",
  date_charge_start: "2027-01-31",
  business_id: 1,
  status: "active",
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
  amount_cents: 1500,
  livemode: false,
  ...noAnnotations,
};

const fields = z.object({
  name: text(50).describe("What customers subscribe to."),
  description: optional(text(2000).describe("More about it.")),
  amount,
  currency,
  frequency: z.enum(frequencies).describe("How long a period is."),
  date_charge_start: optional(
    day.describe(
      "The day of the first charge, YYYY-MM-DD; one that is past, or none: when the subscription is created.",
    ),
  ),
  ...annotationFields,
});
export const packageInput = wholeUnits(fields);
export type PackageInput = z.output<typeof packageInput>;

export const packageUpdate = wholeUnits(
  fields.extend({
    status: optional(z.enum(packageStatuses).describe("cancel: no new subscriptions, for good.")),
    existing_subscriptions: z
      .enum(["keep_price", "new_price"])
      .optional()
      .describe(
        "What a changed amount means for them. keep_price (unless given): they keep theirs. new_price: each is told, and pays it from its " +
          "first period that begins `renewal_notice_days`, and at least 3 days, after that.",
      ),
  }),
);
export type PackageUpdate = z.output<typeof packageUpdate>;

export const packageListQuery = listQuery({
  status: optional(z.enum(packageStatuses)),
  currency: optional(currency),
  frequency: optional(z.enum(frequencies)),
  q: optional(text(200).describe("Words that name, description, metadata values or notes begin with.")),
  ...metadataFilter,
});
export type PackageListQuery = z.output<typeof packageListQuery>;

const body = {
  name: "Reading club",
  description: "A book every month",
  amount: "1500",
  currency: "EUR",
  frequency: "monthly",
  date_charge_start: "2027-01-31",
};

const counted: PackageWithCounts = { ...packageExample, subscriber_count: 0 };

const one = "/packages/{package_id}";

/** Columns of the exported file. */
export const packageColumns: readonly string[] = [
  "_id",
  "created_at",
  "status",
  "name",
  "description",
  "amount",
  "amount_cents",
  "currency",
  "frequency",
  "date_charge_start",
  "metadata",
  "notes",
];

export const packageEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/packages/export",
    summary: "Export packages as CSV",
    description:
      "Every package that the filters find, as a file (RFC 4180, UTF-8). `metadata` is JSON. `subscriber_count` is left out.",
    scope: "packages:read",
    query: exportQuery(packageListQuery),
    response: packageResource,
    csv: true,
    example: { data: packageExample },
  }),
  create: endpoint({
    method: "POST",
    path: "/packages",
    summary: "Create a package",
    description: "What customers subscribe to: an amount, charged every period from `date_charge_start` on.",
    scope: "packages:write",
    body: packageInput,
    response: packageWithCounts,
    example: { body, data: counted },
  }),
  list: endpoint({
    method: "GET",
    path: "/packages",
    summary: "List packages",
    scope: "packages:read",
    query: packageListQuery,
    response: packageWithCounts,
    list: true,
    example: { data: counted },
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get a package",
    scope: "packages:read",
    response: packageWithCounts,
    example: { data: counted },
  }),
  update: endpoint({
    method: "PUT",
    path: one,
    summary: "Update a package",
    description:
      "Replaces every writable field, except `metadata` and `notes`: what is not sent of them stays. A new `amount` is for new subscriptions, and for existing ones with `existing_subscriptions: new_price`. `status: cancel` closes the " +
      "package to new subscriptions; existing ones keep running. With `If-Match` and the `updated_at` that was read, 412 if it has changed since.",
    ifMatch: true,
    scope: "packages:write",
    body: packageUpdate,
    response: packageWithCounts,
    conflicts: "The package has subscriptions and its currency or schedule would change, or it is cancelled for good.",
    example: { body, data: counted },
  }),
  annotate: annotationEndpoint({
    path: one,
    noun: "a package",
    readScope: "packages:read",
    response: packageWithCounts,
    data: counted,
  }),
  remove: endpoint({
    method: "DELETE",
    path: one,
    summary: "Delete a package",
    scope: "packages:write",
    response: packageWithCounts.extend({ deleted: z.literal(true) }),
    conflicts: "The package has subscriptions.",
    example: { data: { ...counted, deleted: true } },
  }),
};
