import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { jsonSchema } from "@/lib/http/openapi";
import { ownBusiness, session } from "@/lib/resources/account/contract";
import { passkey } from "@/lib/resources/account/passkeys-contract";
import { ownBusinesses, passkeys, savedViews, sessions } from "@/lib/resources/account/resource";
import { savedView } from "@/lib/resources/account/saved-views-contract";
import { apiKey } from "@/lib/resources/api-keys/contract";
import { apiKeys } from "@/lib/resources/api-keys/resource";
import { auditEndpoints } from "@/lib/resources/audit-log/contract";
import { auditEntries } from "@/lib/resources/audit-log/resource";
import { disputeEndpoints } from "@/lib/resources/disputes/contract";
import { disputes } from "@/lib/resources/disputes/resource";
import { emailEndpoints, emailSummary } from "@/lib/resources/emails/contract";
import { emailSummaries, emails } from "@/lib/resources/emails/resource";
import { sections } from "@/lib/resources/endpoints";
import { eventEndpoints } from "@/lib/resources/events/contract";
import { events } from "@/lib/resources/events/resource";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import { gatewayAccounts } from "@/lib/resources/gateway-accounts/resource";
import { packageEndpoints, packageResource } from "@/lib/resources/packages/contract";
import { embeddedPackages, packages } from "@/lib/resources/packages/resource";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { payments } from "@/lib/resources/payments/resource";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";
import { balanceEntryEndpoints } from "@/lib/resources/payouts/entries-contract";
import { balanceEntries } from "@/lib/resources/payouts/entries-resource";
import { payouts } from "@/lib/resources/payouts/resource";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { refunds, refundsOfLinks } from "@/lib/resources/refunds/resource";
import { requestEndpoints, requestSummary } from "@/lib/resources/requests/contract";
import { requestSummaries, requests } from "@/lib/resources/requests/resource";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { invitation, member } from "@/lib/resources/team/contract";
import { invitations, members } from "@/lib/resources/team/resource";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { tokenizations } from "@/lib/resources/tokenizations/resource";
import { webhookDelivery, webhookEndpoint } from "@/lib/resources/webhook-endpoints/contract";
import { webhookDeliveries, webhookEndpoints } from "@/lib/resources/webhook-endpoints/resource";

type Fields = { definition: { name: string; fields: object } };

/** Each definition, its contract, and where the two differ on purpose: made in code, or read for that. */
const defined: [Fields, z.ZodObject, { made?: string[]; read?: string[] }?][] = [
  [paymentLinks, paymentLinkEndpoints.get.response],
  [tokenizations, tokenizationEndpoints.get.response, { made: ["token", "activation_url"], read: ["stored_token"] }],
  [payments, paymentEndpoints.get.response],
  [refundsOfLinks, refundEndpoints.list.response],
  [refunds, refundEndpoints.get.response],
  [disputes, disputeEndpoints.get.response],
  [payouts, payoutEndpoints.get.response],
  [balanceEntries, balanceEntryEndpoints.entries.response],
  [embeddedPackages, packageResource],
  [packages, packageEndpoints.get.response],
  [subscriptions, subscriptionEndpoints.get.response],
  [events, eventEndpoints.get.response],
  [emailSummaries, emailSummary, { read: ["props"] }],
  [emails, emailEndpoints.get.response, { read: ["props"] }],
  [webhookEndpoints, webhookEndpoint],
  [webhookDeliveries, webhookDelivery],
  [apiKeys, apiKey],
  [gatewayAccounts, gatewayAccountEndpoints.list.response],
  [requestSummaries, requestSummary],
  [requests, requestEndpoints.get.response],
  [auditEntries, auditEndpoints.list.response],
  [members, member],
  [invitations, invitation],
  [sessions, session, { made: ["browser", "device", "current"], read: ["user_agent"] }],
  [passkeys, passkey],
  [savedViews, savedView],
  [ownBusinesses, ownBusiness, { made: ["current"] }],
];

describe("a resource's definition", () => {
  it.each(defined.map(([resource, schema, but]) => [resource.definition.name, resource, schema, but ?? {}] as const))(
    "%s has every field of its contract, and no other",
    (_, { definition }, schema, { made = [], read = [] }) => {
      const fields = Object.keys(definition.fields).filter((field) => !read.includes(field));
      expect([...fields, ...made].sort()).toEqual(Object.keys(schema.shape).sort());
    },
  );

  it("is documented with every field", () => {
    for (const [{ definition }, schema, { read = [] } = {}] of defined) {
      const { properties } = jsonSchema(schema, "output");
      const fields = Object.keys(definition.fields).filter((field) => !read.includes(field));
      expect(Object.keys(properties as object)).toEqual(expect.arrayContaining(fields));
    }
  });
});

interface Schema {
  "x-sensitive"?: boolean;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Every field below a schema, and whether the request log hides it. */
function* fieldsOf(schema: Schema): Generator<[name: string, hidden: boolean]> {
  const isHidden = (one: Schema): boolean => one["x-sensitive"] === true || (one.anyOf ?? []).some(isHidden);
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    yield [name, isHidden(inner)];
    yield* fieldsOf(inner);
  }
  for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) yield* fieldsOf(inner);
}

describe("the fields that the request log hides", () => {
  /** Names like a secret's that hold none. */
  const harmless = [
    "api_keys",
    "keep_keys",
    ...["payment_url", "redirect_url", "webhook_url", "logo_url", "gateway_url", "url", "api_key_id", "key_last4"],
    ...["recovery_codes_left", "previous_secret_expires_at", "broken_code", "gateway_code", "passkeys"],
  ];
  const hidden = new Set<string>();
  const shown = new Set<string>();
  for (const { endpoints } of sections)
    for (const { query, body, response } of Object.values(endpoints)) {
      const schemas = [
        query && jsonSchema(query, "input"),
        body && jsonSchema(body, "input"),
        jsonSchema(response, "output"),
      ];
      for (const schema of schemas)
        for (const [name, isHidden] of fieldsOf(schema ?? {})) (isHidden ? hidden : shown).add(name);
    }

  it("are those that the contracts mark", () => {
    expect([...hidden].sort()).toEqual([
      ...[
        "activation_url",
        "code",
        "current_password",
        "html",
        "image",
        "key",
        "options",
        "otpauth_uri",
        "passkey",
        "password",
      ],
      ...[
        "qr_svg",
        "receipt_url",
        "recovery_codes",
        "secret",
        "secret_key",
        "text",
        "ticket",
        "token",
        "webhook_secret",
      ],
    ]);
  });

  it("include every field that is named like a secret", () => {
    const suspicious = [...shown].filter((name) => /token$|secret|password|code|key|_?ur[il]$|^hash/.test(name));
    expect(suspicious.filter((name) => !harmless.includes(name))).toEqual([]);
  });
});
