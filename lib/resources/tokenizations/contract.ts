import { z } from "zod";
import { type DeclineReason, declineReasons } from "@/lib/gateways/reasons";
import { endpoint } from "@/lib/http/endpoint";
import { email, optional, phone, redirectErrors, redirectUrl, sensitive, text } from "@/lib/http/fields";
import { exportQuery, listQuery } from "@/lib/http/list-query";
import { metadataFilter } from "@/lib/http/metadata";
import { annotationEndpoint, annotationFields, annotations, noAnnotations } from "@/lib/resources/annotations/contract";
import { customerNameColumn, customerNameNote } from "@/lib/resources/customers/csv-contract";

export const tokenizationStatuses = ["pending", "active", "revoked", "expired"] as const;

export const tokenization = z.object({
  email: z.string(),
  phone_no: z.string().nullable(),
  redirect_url: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  token: sensitive(z.string()),
  activation_url: sensitive(z.string()),
  _id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  status: z.enum(tokenizationStatuses),
  livemode: z.boolean(),
  expires_at: z
    .string()
    .describe(
      "24 hours after the creation, and at most an hour later if the payer has opened the gateway's page by then. Later only if the gateway reports a saved card and cannot be asked for it.",
    ),
  activated_at: z.string().nullable(),
  card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() }).nullable(),
  declined_at: z
    .string()
    .nullable()
    .describe("When the bank declined the card for good. It is not charged again; the payer can save it again."),
  decline_reason: z.enum(Object.keys(declineReasons) as [DeclineReason, ...DeclineReason[]]).nullable(),
  card_expired: z
    .boolean()
    .describe("Whether the saved card has expired, by the business's clock: a charge of it will probably be declined."),
  ...annotations,
});
export type Tokenization = z.infer<typeof tokenization>;

/** The tokenization in events, without the secrets that allow saving or charging a card. */
export const eventTokenization = tokenization.omit({ token: true, activation_url: true });

const example: Tokenization = {
  email: "ada@example.com",
  phone_no: null,
  redirect_url: "https://shop.example/account",
  title: "Card for your orders",
  description: "Saved once, charged when an order ships",
  token: "Vb3q0sY1m8Jx5cT2nR7wK4pL9dF6hG0aZ8eU3iO1bQk",
  activation_url: "https://pay.shop.example/activate/Vb3q0sY1m8Jx5cT2nR7wK4pL9dF6hG0aZ8eU3iO1bQk?test=1",
  _id: "tkn_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:31:10.654321Z",
  status: "active",
  livemode: false,
  expires_at: "2026-11-22T09:30:00.123456Z",
  activated_at: "2026-11-21T09:31:10.654000Z",
  card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 },
  declined_at: null,
  decline_reason: null,
  card_expired: false,
  ...noAnnotations,
};

export const tokenizationInput = z.object({
  email,
  title: text(50).describe("What the card is saved for; the payer sees it."),
  description: text(2000).describe("Shown to the payer below the title."),
  phone_no: optional(phone),
  redirect_url: optional(redirectUrl),
  ...annotationFields,
});
export type TokenizationInput = z.output<typeof tokenizationInput>;

export const tokenizationListQuery = listQuery({
  status: optional(z.enum(tokenizationStatuses)),
  email: optional(z.string()),
  q: optional(
    text(200).describe(
      "Words that title, e-mail, the card's brand or last four digits, metadata values or notes begin with.",
    ),
  ),
  ...metadataFilter,
});
export type TokenizationListQuery = z.output<typeof tokenizationListQuery>;

const body = {
  email: "ada@example.com",
  title: "Card for your orders",
  description: "Saved once, charged when an order ships",
  redirect_url: "https://shop.example/account",
};

const one = "/tokenizations/{tokenization_id}";

const { token: _, activation_url: __, ...exportedExample } = example;

/** Columns of the exported file. */
export const tokenizationColumns: readonly string[] = [
  "_id",
  "created_at",
  "status",
  "email",
  "phone_no",
  "title",
  "description",
  "redirect_url",
  "expires_at",
  "activated_at",
  "card.brand",
  "card.last4",
  "card.exp_month",
  "card.exp_year",
  "card_expired",
  "declined_at",
  "decline_reason",
  "metadata",
  "notes",
  customerNameColumn,
];

export const tokenizationEndpoints = {
  export: endpoint({
    method: "GET",
    path: "/tokenizations/export",
    summary: "Export tokenizations as CSV",
    description: `Every tokenization that the filters find, without its token and its activation URL, as a file (RFC 4180, UTF-8). The column of a nested field has both names: \`card_last4\`. ${customerNameNote}`,
    scope: "tokenizations:read",
    query: exportQuery(tokenizationListQuery),
    response: eventTokenization,
    csv: true,
    example: { data: exportedExample },
  }),
  create: endpoint({
    method: "POST",
    path: "/tokenizations/create-token",
    summary: "Create a token for a payer",
    description:
      "The payer opens `activation_url` within 24 hours and saves a card. A gateway's page that they opened in this time can be finished in the " +
      "hour after it. Only what the payer's subscriptions owe is charged; the " +
      "page says how much, before and after.",
    scope: "tokenizations:write",
    secret: true,
    body: tokenizationInput,
    check: (input, { livemode }) => redirectErrors(input, livemode),
    response: tokenization,
    example: { body, data: example },
  }),
  list: endpoint({
    method: "GET",
    path: "/tokenizations",
    summary: "List tokenizations",
    scope: "tokenizations:read",
    query: tokenizationListQuery,
    response: tokenization,
    list: true,
    example: { data: example },
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get a tokenization",
    scope: "tokenizations:read",
    response: tokenization,
    example: { data: example },
  }),
  annotate: annotationEndpoint({
    path: one,
    noun: "a tokenization",
    readScope: "tokenizations:read",
    response: tokenization,
    data: example,
  }),
  revoke: endpoint({
    method: "DELETE",
    path: one,
    summary: "Revoke a tokenization",
    description: "The saved card can no longer be used, and is removed at the gateway. Revoking again changes nothing.",
    scope: "tokenizations:write",
    response: tokenization,
    conflicts: "The tokenization was never activated.",
    example: { data: { ...example, status: "revoked" } },
  }),
};
