import type { ViewList } from "@/lib/resources/account/saved-views-contract";

/** The address of each list that has views. */
const paths: Record<ViewList, string> = {
  payment_links: "/payment-links",
  payments: "/payments",
  refunds: "/refunds",
  disputes: "/disputes",
  payouts: "/payouts",
  subscriptions: "/subscriptions",
  packages: "/packages",
  tokenizations: "/tokenizations",
  customers: "/customers",
  emails: "/emails",
  api_keys: "/developers/keys",
  events: "/developers/events",
  requests: "/developers/requests",
  audit_log: "/settings/audit-log",
};

export const viewPath = (list: ViewList): string => paths[list];

/** The list at an address that may have views. */
export const viewListAt = (path: string): ViewList | undefined =>
  (Object.keys(paths) as ViewList[]).find((list) => paths[list] === path);

/** The parameter with which a list shows all rows instead of its default view. */
export const allRows = { view: "all" };

/** A list's filters, order and columns as a view stores them: sorted by name, without the page. */
export function viewQueryOf(filter: Readonly<Record<string, string | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value && name !== "cursor") params.set(name, value);
  params.sort();
  return params.toString();
}
