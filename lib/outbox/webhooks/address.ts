import ipaddr from "ipaddr.js";

/** Public by its range, and answered by the machine that a cloud runs on: its metadata and agents. */
const platformAddresses = new Set(["168.63.129.16"]);

/** The global unicast addresses are all in here; what is not is some protocol's, or nobody's yet. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an address is on the public internet. Not so: private, loopback, link-local, shared, multicast, reserved and
 * documentation ranges, and every form that carries an IPv4 address within (mapped, NAT64, 6to4, Teredo).
 * @param address as DNS or URL() writes it, without brackets
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || platformAddresses.has(parsed.toString())) return false;
  return parsed.kind() === "ipv4" || parsed.match(globalUnicast);
}

/** This machine: 127.0.0.0/8 and ::1, nothing else. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && !address.includes("%") && ipaddr.parse(address).range() === "loopback";
}

/** The address that a URL's host is, or null when it is a name. URL() has made one form of all (decimal, hex, octal). */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) ? bare : null;
}

/** Whether a URL's host says that it is this very machine. A name that merely resolves to it does not count. */
export function isLocalhost(hostname: string): boolean {
  const literal = literalAddress(hostname);
  return literal ? isLoopback(literal) : hostname === "localhost";
}
