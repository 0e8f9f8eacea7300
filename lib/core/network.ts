import ipaddr from "ipaddr.js";
import type { Incoming } from "./incoming";

/**
 * A client's key in rate limits: an IPv4 address, or the /64 network of an IPv6 client, who can change addresses within it.
 * @param address as the front server saw it
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** The front server's header for the client's address. It overwrites a header that the client sent. */
export const clientHeader = "x-paydesk-client";

export interface Client {
  address: string;
  agent: string | null;
}

/** The client's address for logs and audit entries; null without a front server. */
export function addressOf({ headers }: Incoming): string | null {
  const given = headers.get(clientHeader) ?? "";
  return /^[0-9a-f.:]{2,45}$/i.test(given) ? given : null;
}

export function clientOf({ headers }: Incoming): Client {
  return { address: headers.get(clientHeader) ?? "unknown", agent: headers.get("user-agent") };
}
