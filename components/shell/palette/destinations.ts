import { entries } from "@/components/shell/nav-links";
import { gatewayPath } from "@/components/shell/no-gateway-bar";
import { pageOf } from "@/components/shell/pages";
import { createPath } from "@/components/shell/use-create-sheet";
import { mayCall, type Role, type Scope } from "@/lib/auth/scopes";
import { call } from "@/lib/client/call";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { webhookDeliveryEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import type en from "@/messages/en";
import type { TextsOf } from "@/messages/texts-of";

export interface Destination {
  id: string;
  label: string;
  detail?: string;
  /** Asks the API for resources without a page of their own. */
  address: () => string | Promise<string>;
}

export interface Group {
  label: string;
  items: Destination[];
}

interface Kind {
  scope: Scope;
  address?: (id: string) => string | Promise<string>;
}

const kinds = {
  pl: { scope: "payment_links:read" },
  pay: { scope: "payments:read" },
  dsp: { scope: "disputes:read" },
  po: { scope: "payouts:read" },
  sub: { scope: "subscriptions:read" },
  pkg: { scope: "packages:read" },
  tkn: { scope: "tokenizations:read" },
  evt: { scope: "events:read" },
  whe: { scope: "webhook_endpoints:read" },
  whd: {
    scope: "webhook_endpoints:read",
    address: async (id) =>
      `/developers/webhooks/${(await call(webhookDeliveryEndpoints.getDelivery, { id })).webhook_endpoint_id}?delivery=${id}`,
  },
  eml: { scope: "emails:read" },
  ref: {
    scope: "refunds:read",
    address: async (id) => `/payments/${(await call(refundEndpoints.get, { id })).payment_id}`,
  },
  req: { scope: "requests:read" },
  key: { scope: "api_keys:read" },
  gwa: { scope: "gateway_accounts:read", address: () => gatewayPath },
  usr: { scope: "team:read", address: () => "/team" },
  inv: { scope: "team:read", address: () => "/team" },
} satisfies Record<string, Kind>;

const isKind = (prefix: string): prefix is keyof typeof kinds => Object.hasOwn(kinds, prefix);

const customerAt = (email: string): string => `/customers/${encodeURIComponent(email)}`;

const creations: { key: keyof (typeof en)["palette"]["creations"]; scope: Scope; address: string }[] = [
  { key: "paymentLink", scope: "payment_links:write", address: createPath("/payment-links") },
  { key: "subscription", scope: "subscriptions:write", address: createPath("/subscriptions") },
  { key: "package", scope: "packages:write", address: createPath("/packages") },
  { key: "tokenization", scope: "tokenizations:write", address: createPath("/tokenizations") },
  { key: "importPaymentLinks", scope: "payment_links:write", address: "/payment-links/import" },
];

const shape = /^([a-z]{2,3})_[0-9a-hjkmnp-tv-z]{36}$/;
const requestShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The destinations that match the text and that the role may open. Without text: every named page. */
export function destinations(role: Role, typed: string, t: TextsOf<"palette">, titles: TextsOf<"titles">): Group[] {
  const may = (scope: Scope): boolean => mayCall(role, { scope });
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/);
  const matches = (label: string): boolean => words.every((word) => label.toLowerCase().includes(word));
  const pages = entries
    .filter(({ scope }) => may(scope))
    .map(({ href, title }) => ({ href, label: titles(title) as string }))
    .concat(may("account:read") ? [{ href: "/account", label: titles("account") }] : []);
  const groups: Group[] = [
    { label: t("groups.open"), items: pasted(text, may, t) },
    {
      label: t("groups.goTo"),
      items: pages
        .filter(({ label }) => matches(label))
        .map(({ href, label }) => ({ id: href, label, address: () => href })),
    },
    {
      label: t("groups.create"),
      items: creations
        .filter(({ scope }) => may(scope))
        .map(({ key, address }) => ({ label: t(`creations.${key}`), address }))
        .filter(({ label }) => matches(label))
        .map(({ label, address }) => ({ id: address, label, address: () => address })),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

function pasted(text: string, may: (scope: Scope) => boolean, t: TextsOf<"palette">): Destination[] {
  const prefix = shape.exec(text)?.[1] ?? "";
  if (isKind(prefix) && may(kinds[prefix].scope)) {
    const { address }: Kind = kinds[prefix];
    const page = pageOf(text);
    const target = page ? () => page : address && (() => address(text));
    return target ? [{ id: text, label: t(`open.${prefix}`), detail: text, address: target }] : [];
  }
  if (requestShape.test(text) && may("requests:read"))
    return [
      { id: text, label: t("open.requestId"), detail: text, address: () => `/developers/requests?request_id=${text}` },
    ];
  if (emailShape.test(text) && may("customers:read"))
    return [{ id: text, label: t("open.customer"), detail: text, address: () => customerAt(text) }];
  return [];
}
