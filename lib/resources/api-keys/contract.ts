import { z } from "zod";
import { grantableScopes } from "@/lib/auth/scopes";
import { fieldMessages } from "@/lib/core/field-messages";
import { endpoint } from "@/lib/http/endpoint";
import { instant, optional, sensitive, text } from "@/lib/http/fields";
import { flag, listQuery } from "@/lib/http/list-query";

export const apiKeyStatuses = ["active", "expired", "revoked"] as const;

export const apiKey = z.object({
  _id: z.string(),
  name: z.string(),
  hint: z.string().describe("First and last characters, to recognise the key by."),
  scopes: z.array(z.string()),
  status: z.enum(apiKeyStatuses),
  business_id: z.int(),
  livemode: z.boolean(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable().describe("To the minute."),
  revoked_at: z.string().nullable(),
  replaced_by: z.string().nullable().describe("The key that took its place when it was rotated."),
  created_at: z.string(),
  updated_at: z.string(),
  allowed_ips: z.array(z.string()).describe("The networks that it may be used from, as CIDR; empty: all."),
  created_by: z
    .string()
    .nullable()
    .describe("The person who made it, also with a key of theirs; null: the operator made it, or it is not known."),
  created_by_name: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

/** Only the response that creates a key has it. */
const newApiKey = apiKey.extend({
  key: sensitive(z.string()).describe("The key itself. It is only shown now."),
});
export type NewApiKey = z.infer<typeof newApiKey>;

const scopes = z
  .array(z.enum(grantableScopes), {
    error: ({ input }) => (input == null ? undefined : "The scopes must be a list of scopes."),
  })
  .min(1, fieldMessages.required("scopes"))
  .max(50, "The scopes must not have more than 50 items.")
  .describe(
    "`read` and `write` for everything but keys, gateway accounts, manual payments and the audit log, or resource by resource: `payment_links:write`. Write includes read of the same.",
  );

const maxRanges = 20;

const allowedIps = z
  .array(text(49), {
    error: ({ input }) => (input == null ? undefined : "The allowed_ips must be a list of addresses."),
  })
  .max(maxRanges, `The allowed_ips must not have more than ${maxRanges} items.`)
  .describe(
    "The only networks that the key may be used from: IPv4 or IPv6 addresses, or ranges as CIDR such as `203.0.113.0/24`. From all, unless given.",
  );

export const apiKeyInput = z.object({
  name: text(100).describe("What the key is for."),
  scopes,
  expires_at: optional(instant.describe("When the key stops working; never, unless given.")),
  allowed_ips: optional(allowedIps).transform((ranges) => ranges ?? []),
});
export type ApiKeyInput = z.output<typeof apiKeyInput>;

export const rotateInput = z.object({
  overlap_hours: optional(
    z
      .int("The overlap_hours must be an integer.")
      .min(0, "The overlap_hours must be at least 0.")
      .max(168, "The overlap_hours must not be greater than 168.")
      .describe("How long the old key still works: 0 to 168 hours; 24 unless given."),
  ).transform((hours) => hours ?? 24),
});
export type RotateInput = z.output<typeof rotateInput>;

export const apiKeyListQuery = listQuery({
  usable: optional(flag.describe("true: only keys that work; false: only those that no longer do.")),
});
export type ApiKeyListQuery = z.output<typeof apiKeyListQuery>;

export const apiKeyExample: ApiKey = {
  _id: "key_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  name: "Web shop",
  hint: "sk_test_Rk3v…9fQa",
  scopes: ["payment_links:write", "payments:read"],
  status: "active",
  business_id: 1,
  livemode: false,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  replaced_by: null,
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
  allowed_ips: [],
  created_by: "usr_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  created_by_name: "Grace Hopper",
};
const shown: NewApiKey = { ...apiKeyExample, key: "sk_test_…" };

const one = "/api-keys/{key_id}";

const inLiveMode = (_: unknown, { livemode }: { livemode: boolean }): boolean => livemode;

export const apiKeyEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/api-keys",
    summary: "Create an API key",
    description:
      "Of the caller's mode. Only this response has the `key`. A key can not have more than its creator: " +
      "no further scopes, no later expiry, no other addresses. It never does more than the present role of the person " +
      "who made it (`created_by`) allows, and ends with that person's membership unless another member keeps it.",
    scope: "api_keys:write",
    stepUp: inLiveMode,
    secret: true,
    body: apiKeyInput,
    response: newApiKey,
    conflicts: "The business has 100 active keys in this mode.",
    example: {
      body: { name: "Web shop", scopes: ["payment_links:write", "payments:read"], allowed_ips: ["203.0.113.0/24"] },
      data: { ...shown, allowed_ips: ["203.0.113.0/24"] },
    },
  }),
  list: endpoint({
    method: "GET",
    path: "/api-keys",
    summary: "List API keys",
    scope: "api_keys:read",
    query: apiKeyListQuery,
    response: apiKey,
    list: true,
    example: { data: apiKeyExample },
  }),
  get: endpoint({
    method: "GET",
    path: one,
    summary: "Get an API key",
    scope: "api_keys:read",
    response: apiKey,
    example: { data: apiKeyExample },
  }),
  rotate: endpoint({
    method: "POST",
    path: `${one}/rotate`,
    summary: "Rotate an API key",
    description:
      "A new key with the same name, scopes, addresses and expiry takes its place; the old one works for `overlap_hours` more.",
    scope: "api_keys:write",
    stepUp: inLiveMode,
    secret: true,
    body: rotateInput,
    response: newApiKey,
    conflicts: "The key is revoked, expired or rotated already, or the business has 100 active keys in this mode.",
    example: { body: { overlap_hours: 24 }, data: shown },
  }),
  remove: endpoint({
    method: "DELETE",
    path: one,
    summary: "Revoke an API key",
    description: "At once and for good. The key stays in the list, with `revoked_at`.",
    scope: "api_keys:write",
    response: apiKey,
    example: { data: { ...apiKeyExample, status: "revoked", revoked_at: "2026-11-21T09:31:00.123456Z" } },
  }),
};
