import type { Scope } from "@/lib/auth/scopes";
import type en from "@/messages/en";

interface Creation {
  list: string;
  key: keyof (typeof en)["palette"]["creations"];
  scope: Scope;
}

/** The lists that open their sheet for a new row at `createPath`. */
export const creations: Creation[] = [
  { list: "/payment-links", key: "paymentLink", scope: "payment_links:write" },
  { list: "/subscriptions", key: "subscription", scope: "subscriptions:write" },
  { list: "/packages", key: "package", scope: "packages:write" },
  { list: "/tokenizations", key: "tokenization", scope: "tokenizations:write" },
  { list: "/team", key: "member", scope: "team:write" },
  { list: "/developers/keys", key: "apiKey", scope: "api_keys:write" },
  { list: "/developers/webhooks", key: "webhookEndpoint", scope: "webhook_endpoints:write" },
];

export const createPath = (list: string): string => `${list}?create=1`;
