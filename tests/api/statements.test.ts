import { describe, expect, it } from "vitest";
import { z } from "zod";
import { db } from "@/lib/core/db";
import { type IdPrefix, newId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { cursorAt } from "@/lib/http/list";
import { sessionEndpoints } from "@/lib/resources/account/contract";
import { passkeyEndpoints } from "@/lib/resources/account/passkeys-contract";
import { ownBusinesses, passkeys, savedViews, sessions } from "@/lib/resources/account/resource";
import { savedViewListQuery } from "@/lib/resources/account/saved-views-contract";
import { apiKeyListQuery } from "@/lib/resources/api-keys/contract";
import { apiKeys } from "@/lib/resources/api-keys/resource";
import { auditListQuery } from "@/lib/resources/audit-log/contract";
import { auditEntries } from "@/lib/resources/audit-log/resource";
import { customerRowQuery, customers } from "@/lib/resources/customers/resource";
import { disputeEndpoints } from "@/lib/resources/disputes/contract";
import { disputes } from "@/lib/resources/disputes/resource";
import { emailListQuery } from "@/lib/resources/emails/contract";
import { emailSummaries, emails } from "@/lib/resources/emails/resource";
import { eventListQuery } from "@/lib/resources/events/contract";
import { events } from "@/lib/resources/events/resource";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import { gatewayAccounts } from "@/lib/resources/gateway-accounts/resource";
import { packageListQuery } from "@/lib/resources/packages/contract";
import { embeddedPackages, packages } from "@/lib/resources/packages/resource";
import { paymentLinkListQuery } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { paymentListQuery } from "@/lib/resources/payments/contract";
import { payments } from "@/lib/resources/payments/resource";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";
import { balanceEntryEndpoints } from "@/lib/resources/payouts/entries-contract";
import { balanceEntries } from "@/lib/resources/payouts/entries-resource";
import { payouts } from "@/lib/resources/payouts/resource";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { refunds, refundsOfLinks } from "@/lib/resources/refunds/resource";
import { requestListQuery } from "@/lib/resources/requests/contract";
import { requestSummaries, requests } from "@/lib/resources/requests/resource";
import { subscriptionListQuery } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { invitationListQuery, memberListQuery } from "@/lib/resources/team/contract";
import { invitations, members } from "@/lib/resources/team/resource";
import { tokenizationListQuery } from "@/lib/resources/tokenizations/contract";
import { tokenizations } from "@/lib/resources/tokenizations/resource";
import { deliveryListQuery, webhookEndpointListQuery } from "@/lib/resources/webhook-endpoints/contract";
import { webhookDeliveries, webhookEndpoints } from "@/lib/resources/webhook-endpoints/resource";

const owner = { businessId: 1, livemode: false, userId: "usr_none" };

interface TestedResource {
  definition: { name: string; table: string; idPrefix: IdPrefix | null };
  get(tx: typeof db, asker: typeof owner, id: string): Promise<unknown>;
  list(tx: typeof db, asker: typeof owner, query: never): Promise<Page<unknown>>;
}

const defined: [TestedResource, z.ZodObject][] = [
  [paymentLinks, paymentLinkListQuery],
  [tokenizations, tokenizationListQuery],
  [payments, paymentListQuery],
  [refunds, refundEndpoints.list.query],
  [refundsOfLinks, refundEndpoints.list.query],
  [disputes, disputeEndpoints.list.query],
  [customers, customerRowQuery],
  [payouts, payoutEndpoints.list.query],
  [balanceEntries, balanceEntryEndpoints.entries.query],
  [embeddedPackages, packageListQuery],
  [packages, packageListQuery],
  [subscriptions, subscriptionListQuery],
  [events, eventListQuery],
  [emailSummaries, emailListQuery],
  [emails, emailListQuery],
  [webhookEndpoints, webhookEndpointListQuery],
  [webhookDeliveries, deliveryListQuery],
  [apiKeys, apiKeyListQuery],
  [gatewayAccounts, gatewayAccountEndpoints.list.query],
  [requestSummaries, requestListQuery],
  [requests, requestListQuery],
  [auditEntries, auditListQuery],
  [members, memberListQuery],
  [invitations, invitationListQuery],
  [sessions, sessionEndpoints.list.query],
  [passkeys, passkeyEndpoints.list.query],
  [savedViews, savedViewListQuery],
  [ownBusinesses, sessionEndpoints.list.query],
];

const at = { at: "2026-11-21T09:30:00.123456Z", id: "x" };

type Value = string | Record<string, string>;

/** Valid values of a parameter: all values of an enum, or one text. */
function valuesOf(query: z.ZodObject, name: string): Value[] {
  const schema = JSON.stringify(z.toJSONSchema(query.shape[name] as z.ZodType, { io: "input" }));
  const options = schema.match(/"enum":(\[[^\]]*\])/);
  const values: Value[] = options?.[1]
    ? JSON.parse(options[1])
    : ["EUR", "2026-11-21", "1250", "true", { order_id: "1001" }];
  return values.filter((value) => query.safeParse({ [name]: value }).success);
}

const paging = ["per_page", "cursor", "sort", "with_total", "created_from", "created_to"];

describe("PostgreSQL prepares every statement of a definition", () => {
  it.each(defined.map(([resource, query]) => [resource.definition.name, resource, query] as const))(
    "%s: get, list, each filter, all of them, pages and totals",
    async (_, resource, query) => {
      const list = (given: Record<string, Value>) => resource.list(db, owner, query.parse(given) as never);
      const filters = Object.keys(query.shape).filter((name) => !paging.includes(name));
      const all: Record<string, Value> = { created_from: "2026-11-21", created_to: "2026-11-22", with_total: "true" };
      for (const name of filters) {
        const values = valuesOf(query, name);
        expect(values, `values of ${name}`).not.toEqual([]);
        for (const value of values) await list({ [name]: value });
        all[name] = values[0] ?? "";
      }
      expect((await list(all)).page.total).toBeGreaterThanOrEqual(0);
      for (const back of [false, true])
        await list({ cursor: cursorAt(resource.definition.table, "-created_at", { ...at, back }) });
      for (const sort of valuesOf(query, "sort")) await list({ sort });
      const id = resource.definition.idPrefix === null ? "0" : newId(resource.definition.idPrefix);
      await expect(resource.get(db, owner, id)).rejects.toMatchObject({ code: "not_found" });
    },
  );
});
