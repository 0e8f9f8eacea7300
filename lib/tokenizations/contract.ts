import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { email, optional, phone, redirectUrl, text } from "@/lib/api/fields";
import { listQuery } from "@/lib/api/list-query";

export const tokenizationStatuses = ["pending", "active", "revoked", "expired"] as const;

export const tokenization = z.object({
  email: z.string(),
  phone_no: z.string().nullable(),
  redirect_url: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  token: z.string(),
  activation_url: z.string(),
  _id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  status: z.enum(tokenizationStatuses),
  livemode: z.boolean(),
  expires_at: z.string(),
  activated_at: z.string().nullable(),
  card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() }).nullable(),
});
export type Tokenization = z.infer<typeof tokenization>;

export const tokenizationInput = z.object({
  email,
  title: text(50),
  description: text(2000),
  phone_no: optional(phone),
  redirect_url: optional(redirectUrl),
});
export type TokenizationInput = z.output<typeof tokenizationInput>;

export const tokenizationListQuery = listQuery({
  status: optional(z.enum(tokenizationStatuses)),
  email: optional(z.string()),
  q: optional(text(200)),
});
export type TokenizationListQuery = z.output<typeof tokenizationListQuery>;

const one = "/tokenizations/{tokenization_id}";

export const tokenizationEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/tokenizations/create-token",
    summary: "Create a token for a payer",
    description: "The payer opens `activation_url` within 24 hours and saves a card. Nothing is charged.",
    scope: "tokenizations:write",
    body: tokenizationInput,
    response: tokenization,
  }),
  list: endpoint({
    method: "GET",
    path: "/tokenizations",
    summary: "List tokenizations",
    scope: "tokenizations:read",
    query: tokenizationListQuery,
    response: tokenization,
    list: true,
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get a tokenization",
    scope: "tokenizations:read",
    response: tokenization,
  }),
  revoke: endpoint({
    method: "DELETE",
    path: one,
    summary: "Revoke a tokenization",
    description: "The saved card can no longer be used. Revoking again changes nothing.",
    scope: "tokenizations:write",
    response: tokenization,
    conflicts: "The tokenization was never activated.",
  }),
};
