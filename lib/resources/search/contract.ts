import { z } from "zod";
import { fieldMessages } from "@/lib/core/field-messages";
import { endpoint } from "@/lib/http/endpoint";
import { text } from "@/lib/http/fields";
import { disputeStatusNames } from "@/lib/resources/disputes/contract";

export const hitTypes = ["customer", "payment_link", "payment", "subscription", "package", "tokenization"] as const;
export type HitType = (typeof hitTypes)[number];

/** At most this many of each type. */
export const maxHits = 5;

const searchHit = z.object({
  _id: z.string().describe("The resource's; a customer's is the e-mail, in lower case."),
  type: z.enum(hitTypes),
  title: z
    .string()
    .describe("For a subscription the package's name. For a customer the name, or the e-mail if there is no name."),
  email: z.string().nullable().describe("The customer's or payer's e-mail address; null for a package."),
  status: z.string().nullable().describe("As the resource has it; null for customers."),
  amount: z.number().nullable(),
  amount_cents: z.int().nullable(),
  currency: z.string().nullable(),
  refunded_amount: z.number().nullable().describe("Of a payment or a payment link; null for other types."),
  disputed_amount: z
    .number()
    .nullable()
    .describe("Of a payment: what open and lost disputes have taken; null for other types."),
  dispute_status: z
    .enum(disputeStatusNames)
    .nullable()
    .describe("Of a payment: the status of its open dispute, else of its newest; null without disputes."),
  mismatch_at: z
    .string()
    .nullable()
    .describe("Of a payment that was settled by hand as failed: when the gateway turned out to have taken it."),
  mismatch_resolved_at: z.string().nullable().describe("When staff resolved the mismatch."),
  card: z
    .object({ brand: z.string(), last4: z.string(), exp_month: z.int().nullable(), exp_year: z.int().nullable() })
    .nullable()
    .describe("A saved card has its expiry. A payment's card has none, because it is not known."),
  created_at: z.string(),
});
export type SearchHit = z.infer<typeof searchHit>;

const example: SearchHit = {
  _id: "pay_01k8m3w0a1b2c3d4e5f6g7h8j9k0m1n2p3q4",
  type: "payment",
  title: "Order 1001",
  email: "ada@example.com",
  status: "succeeded",
  amount: 10.5,
  amount_cents: 1050,
  currency: "EUR",
  refunded_amount: 2.5,
  disputed_amount: 0,
  dispute_status: null,
  mismatch_at: null,
  mismatch_resolved_at: null,
  card: { brand: "visa", last4: "4242", exp_month: null, exp_year: null },
  created_at: "2026-11-21T09:31:00.123456Z",
};

export const searchEndpoints = {
  search: endpoint({
    method: "GET",
    path: "/search",
    summary: "Search everything",
    description:
      `Customers, payment links, payments, subscriptions, packages and tokenizations, at most ${maxHits} of each type, the newest first. ` +
      "The list is complete in itself: it has no further pages. The lists of each resource find all with their own `q`. Types that the " +
      "caller may not read are missing.",
    scope: "search:read",
    query: z.object({
      q: text(200)
        .refine((q) => q.trim() !== "", fieldMessages.required("q"))
        .describe(
          "Words that a title, name, e-mail, reference, card brand, last four digits or currency begin with; an amount, 12.50; or an id.",
        ),
    }),
    response: searchHit,
    list: true,
    example: { path: "/search?q=4242", data: example },
  }),
};
