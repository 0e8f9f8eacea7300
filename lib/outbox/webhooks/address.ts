import ipaddr from "ipaddr.js";

/** In a public range, but served by the cloud host: metadata and agents. */
const platformAddresses = new Set(["168.63.129.16"]);

/** Contains all global unicast addresses. The rest of IPv6 is reserved or used by protocols. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an address is on the public internet. Rejects private, loopback, link-local, shared, multicast, reserved and
 * documentation ranges, and every form that embeds an IPv4 address (mapped, NAT64, 6to4, Teredo).
 * @param address without brackets
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || platformAddresses.has(parsed.toString())) return false;
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast);
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && !address.includes("%") && ipaddr.parse(address).range() === "loopback";
}

/** The IP address in a URL's host; null for a name. URL() has normalised decimal, hex and octal forms. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) ? bare : null;
}

/** Whether a URL's host is `localhost` or a loopback address. A name that resolves to one does not count. */
export function isLocalhost(hostname: string): boolean {
  const literal = literalAddress(hostname);
  return literal ? isLoopback(literal) : hostname === "localhost";
}
