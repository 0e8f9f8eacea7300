import { ArrowSquareInIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareIn";
import { UserCircleIcon } from "@phosphor-icons/react/dist/ssr/UserCircle";
import { entries, entryOf } from "@/components/shell/nav-links";
import { gatewayPath } from "@/components/shell/no-gateway-bar";
import { pageOf } from "@/components/shell/pages";
import type { Place } from "@/components/shell/recent-places";
import { mayCall, type Role, type Scope } from "@/lib/auth/scopes";
import { call } from "@/lib/client/call";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { webhookDeliveryEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import type en from "@/messages/en";
import type { TextsOf } from "@/messages/texts-of";
import type { Choice } from "./choice";

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

const shape = /^([a-z]{2,3})_[0-9a-hjkmnp-tv-z]{36}$/;
const requestShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The resource that a whole id or e-mail names, if the role may open it. */
export function pasted(role: Role, text: string, t: TextsOf<"palette">): Choice[] {
  const may = (scope: Scope): boolean => mayCall(role, { scope });
  const choice = (label: string, address: () => string | Promise<string>): Choice[] => [
    { id: text, icon: ArrowSquareInIcon, label, detail: text, address },
  ];
  const prefix = shape.exec(text)?.[1] ?? "";
  if (isKind(prefix) && may(kinds[prefix].scope)) {
    const { address }: Kind = kinds[prefix];
    const page = pageOf(text);
    const target = page ? () => page : address && (() => address(text));
    return target ? choice(t(`open.${prefix}`), target) : [];
  }
  if (requestShape.test(text) && may("requests:read"))
    return choice(t("open.requestId"), () => `/developers/requests?request_id=${text}`);
  if (emailShape.test(text) && may("customers:read"))
    return choice(t("open.customer"), () => `/customers/${encodeURIComponent(text)}`);
  return [];
}

type Keywords = keyof (typeof en)["palette"]["keywords"];

const withKeywords: readonly string[] = [
  "account",
  "apiKeys",
  "auditLog",
  "emails",
  "exports",
  "overview",
  "payouts",
  "reference",
  "requests",
  "settings",
  "team",
  "tokenizations",
] satisfies Keywords[];

const hasKeywords = (title: string): title is Keywords => withKeywords.includes(title);

/** Every page of the navigation that the role may open. */
export function pages(role: Role, t: TextsOf<"palette">, titles: TextsOf<"titles">): Choice[] {
  const own = { href: "/account", title: "account", icon: UserCircleIcon } as const;
  return [...entries.filter((entry) => mayCall(role, entry)), own].map(({ href, title, icon }) => ({
    id: href,
    icon,
    label: titles(title),
    keywords: hasKeywords(title) ? t(`keywords.${title}`) : undefined,
    address: () => href,
    isPlace: true,
  }));
}

/** What a page of each list shows. */
const single: Record<string, keyof (typeof en)["titles"]> = {
  "/payment-links": "paymentLink",
  "/payments": "payment",
  "/disputes": "dispute",
  "/payouts": "payout",
  "/subscriptions": "subscription",
  "/packages": "package",
  "/tokenizations": "tokenization",
  "/customers": "customer",
  "/emails": "email",
  "/developers/keys": "apiKey",
  "/developers/webhooks": "webhookEndpoint",
  "/developers/events": "event",
  "/developers/requests": "request",
};

/** The recent places that the role may still open, without the page that is shown. */
export function recent(role: Role, places: Place[], shown: string, titles: TextsOf<"titles">): Choice[] {
  return places
    .filter(({ address }) => address !== shown)
    .flatMap(({ address, title }): Choice[] => {
      const path = address.split("?")[0] ?? "";
      const entry = entries.find(({ href }) => href === entryOf(path));
      if (entry && !mayCall(role, entry)) return [];
      const kind = entry && path !== entry.href ? single[entry.href] : undefined;
      return [
        {
          id: address,
          icon: entry?.icon ?? UserCircleIcon,
          label: title,
          detail: kind && titles(kind),
          address: () => address,
          isPlace: kind === undefined,
        },
      ];
    });
}
