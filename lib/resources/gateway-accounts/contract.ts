import { z } from "zod";
import { always, endpoint } from "@/lib/http/endpoint";
import { optional, sensitive, text } from "@/lib/http/fields";
import { listQuery } from "@/lib/http/list-query";

const statuses = ["connected", "replaced"] as const;

/** A merchant's account at a gateway. Its keys are never returned. */
export const gatewayAccount = z.object({
  _id: z.string(),
  gateway: z.literal("stripe"),
  external_id: z.string().describe("The gateway's own id of the account."),
  key_last4: z.string().describe("The last four characters of the secret key."),
  status: z
    .enum(statuses)
    .describe(
      "connected: payments go through it; replaced: kept for what was paid through it. One is connected in each mode.",
    ),
  webhook_url: z.string().describe("Where the gateway is to call."),
  business_id: z.int(),
  livemode: z.boolean(),
  replaced_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  broken_at: z
    .string()
    .nullable()
    .describe(
      "Since when the gateway refuses the key, for all or some calls. null if it does not. To fix it, connect the account again, or give the key the permissions that it lacks.",
    ),
  broken_code: z.string().nullable().describe("The gateway's code of that refusal, if it gave one."),
  refused_calls: z
    .array(z.string())
    .describe(
      "What the gateway refuses: `key` for every call; otherwise the calls for which the key lacks a permission.",
    ),
  needs_https: z
    .boolean()
    .describe("Whether the gateway takes no payments because APP_URL is no https address. In live mode only."),
});
export type GatewayAccount = z.infer<typeof gatewayAccount>;

const connectedAccount = gatewayAccount.extend({
  callbacks: z
    .enum(["created", "given", "kept", "missing"])
    .describe("created, given, kept: the gateway calls; missing: make an endpoint at the gateway for webhook_url."),
});
export type ConnectedAccount = z.infer<typeof connectedAccount>;

export const gatewayAccountExample: GatewayAccount = {
  _id: "gwa_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  gateway: "stripe",
  external_id: "acct_1032D82eZvKYlo2C",
  key_last4: "7dTx",
  status: "connected",
  webhook_url: "https://pay.example/api/gateways/stripe/webhook?account=gwa_01k8m3v7q2r5t9x0c4b6n8p1s3w7y2a4d6f8",
  business_id: 1,
  livemode: false,
  replaced_at: null,
  created_at: "2026-11-21T09:30:00.123456Z",
  updated_at: "2026-11-21T09:30:00.123456Z",
  broken_at: null,
  broken_code: null,
  refused_calls: [],
  needs_https: false,
};

export const gatewayAccountInput = z.object({
  secret_key: sensitive(text(255)).describe(
    "Stripe's secret or restricted key of the mode that it is for. It is tried, and kept encrypted.",
  ),
  webhook_secret: optional(
    sensitive(text(255)).describe("Of an endpoint that you made at Stripe yourself. Without it, one is made."),
  ),
});
export type GatewayAccountInput = z.output<typeof gatewayAccountInput>;

const gatewayAccountListQuery = listQuery({ status: optional(z.enum(statuses)) });
export type GatewayAccountListQuery = z.output<typeof gatewayAccountListQuery>;

export const gatewayAccountEndpoints = {
  connect: endpoint({
    method: "POST",
    path: "/gateway-accounts",
    summary: "Connect a Stripe account",
    description:
      "For the mode of the key or page. The one before stays for what was paid through it; the same account gets the new keys.",
    scope: "gateway_accounts:write",
    stepUp: always,
    secret: true,
    needsVerifiedEmail: true,
    callsGateway: true,
    body: gatewayAccountInput,
    response: connectedAccount,
    conflicts: "Another account of the business is being connected just then.",
    example: {
      body: { secret_key: "sk_test_…", webhook_secret: null },
      data: { ...gatewayAccountExample, callbacks: "created" },
    },
  }),
  list: endpoint({
    method: "GET",
    path: "/gateway-accounts",
    summary: "List gateway accounts",
    description:
      "Of the mode of the key or page. Without a connected one, test payments go to the sandbox and live ones nowhere.",
    scope: "gateway_accounts:read",
    query: gatewayAccountListQuery,
    response: gatewayAccount,
    list: true,
    example: { data: gatewayAccountExample },
  }),
  disconnect: endpoint({
    method: "DELETE",
    path: "/gateway-accounts/{gateway_account_id}",
    summary: "Disconnect a gateway account",
    description: "No new payment goes through it. Its keys stay for refunds, and for payments that are open.",
    scope: "gateway_accounts:write",
    stepUp: always,
    response: gatewayAccount,
    example: { data: { ...gatewayAccountExample, status: "replaced", replaced_at: "2026-11-21T09:31:00.000000Z" } },
  }),
};
