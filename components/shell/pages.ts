const lists: Record<string, string> = {
  pl: "/payment-links",
  pay: "/payments",
  dsp: "/disputes",
  po: "/payouts",
  sub: "/subscriptions",
  pkg: "/packages",
  tkn: "/tokenizations",
  key: "/developers/keys",
  whe: "/developers/webhooks",
  evt: "/developers/events",
  req: "/developers/requests",
  eml: "/emails",
};

/** The page of an id's resource; null if it has no page of its own. */
export function pageOf(id: string): string | null {
  const list = lists[id.split("_")[0] ?? ""];
  return list === undefined ? null : `${list}/${encodeURIComponent(id)}`;
}
