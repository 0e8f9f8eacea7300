import { entries } from "@/components/shell/nav-links";
import { creatingAt } from "@/components/shell/use-creating";
import { call } from "@/lib/api/client";
import type { Scope } from "@/lib/api/endpoint";
import { allows, type Role, roleScopes } from "@/lib/auth/scopes";
import { refundEndpoints } from "@/lib/refunds/contract";
import { tokenizationEndpoints } from "@/lib/tokenizations/contract";

/** Where the palette can lead. */
export interface Destination {
  id: string;
  label: string;
  /** Beside the label: what makes it what it is. */
  detail?: string;
  /** The address; for what has no page of its own it is asked for first. */
  address: () => string | Promise<string>;
}

export interface Group {
  label: string;
  items: Destination[];
}

interface Kind {
  noun: string;
  scope: Scope;
  address: (id: string) => string | Promise<string>;
}

/** Where each kind of id leads. */
const kinds: Record<string, Kind> = {
  pl: { noun: "payment link", scope: "payment_links:read", address: (id) => `/payment-links/${id}` },
  pay: { noun: "payment", scope: "payments:read", address: (id) => `/payments/${id}` },
  sub: { noun: "subscription", scope: "subscriptions:read", address: (id) => `/subscriptions/${id}` },
  pkg: {
    noun: "package’s subscriptions",
    scope: "subscriptions:read",
    address: (id) => `/subscriptions?package_id=${id}`,
  },
  tkn: {
    noun: "tokenization’s customer",
    scope: "tokenizations:read",
    address: async (id) => customerAt((await call(tokenizationEndpoints.get, { id })).email),
  },
  evt: { noun: "event", scope: "events:read", address: (id) => `/developers/events/${id}` },
  whe: { noun: "webhook endpoint", scope: "webhook_endpoints:read", address: (id) => `/developers/webhooks/${id}` },
  eml: { noun: "e-mail", scope: "emails:read", address: (id) => `/outbox/${id}` },
  ref: {
    noun: "refund’s payment",
    scope: "refunds:read",
    address: async (id) => `/payments/${(await call(refundEndpoints.get, { id })).payment_id}`,
  },
  req: { noun: "request", scope: "requests:read", address: (id) => `/developers/requests/${id}` },
};

const customerAt = (email: string): string => `/customers/${encodeURIComponent(email)}`;

const creations: { label: string; scope: Scope; address: string }[] = [
  { label: "Create payment link", scope: "payment_links:write", address: creatingAt("/payment-links") },
  { label: "Create subscription", scope: "subscriptions:write", address: creatingAt("/subscriptions") },
  { label: "Create package", scope: "packages:write", address: creatingAt("/packages") },
  { label: "Create tokenization", scope: "tokenizations:write", address: creatingAt("/tokenizations") },
  { label: "Import payment links", scope: "payment_links:write", address: "/payment-links/import" },
];

const shape = /^([a-z]{2,3})_[0-9a-hjkmnp-tv-z]{36}$/;
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What somebody of a role can be led to by what was typed or pasted; without a word, to everything that has a name. */
export function destinations(role: Role, typed: string): Group[] {
  const may = (scope: Scope): boolean => allows(roleScopes[role], scope);
  const text = typed.trim();
  const words = text.toLowerCase().split(/\s+/);
  const matches = (label: string): boolean => words.every((word) => label.toLowerCase().includes(word));
  const pages = entries
    .filter(({ scope }) => may(scope))
    .map(({ href, label }) => ({ href, label }))
    .concat(may("account:read") ? [{ href: "/account", label: "Your account" }] : []);
  const groups: Group[] = [
    { label: "Open", items: pasted(text, may) },
    {
      label: "Go to",
      items: pages
        .filter(({ label }) => matches(label))
        .map(({ href, label }) => ({ id: href, label, address: () => href })),
    },
    {
      label: "Create",
      items: creations
        .filter(({ label, scope }) => may(scope) && matches(label))
        .map(({ label, address }) => ({ id: address, label, address: () => address })),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/** What an id or an e-mail leads to. */
function pasted(text: string, may: (scope: Scope) => boolean): Destination[] {
  const kind = kinds[shape.exec(text)?.[1] ?? ""];
  if (kind && may(kind.scope))
    return [{ id: text, label: `Open the ${kind.noun}`, detail: text, address: () => kind.address(text) }];
  if (emailShape.test(text) && may("customers:read"))
    return [{ id: text, label: "Open the customer", detail: text, address: () => customerAt(text) }];
  return [];
}
