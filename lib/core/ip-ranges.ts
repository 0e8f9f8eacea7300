import ipaddr from "ipaddr.js";

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * An address or a range in CIDR notation, in one way of writing: `203.0.113.7` becomes `203.0.113.7/32`.
 * @returns null for anything else
 */
export function parseRange(text: string): string | null {
  const [address = "", bits, ...rest] = text.split("/");
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (rest.length > 0 || !(isV4 || (address.includes(":") && ipaddr.IPv6.isValid(address)))) return null;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return null;
  const max = isV4 ? 32 : 128;
  const length = bits === undefined ? max : Number(bits);
  if (length > max) return null;
  const { IPv4, IPv6 } = ipaddr;
  if (isV4) return `${IPv4.networkAddressFromCIDR(`${address}/${length}`)}/${length}`;
  const parsed = IPv6.parse(address);
  if (parsed.isIPv4MappedAddress() || parsed.zoneId) return null; // clients' mapped addresses are read as IPv4
  return `${IPv6.networkAddressFromCIDR(`${address}/${length}`)}/${length}`;
}

const contains = ([network, bits]: Range, [address, length]: Range): boolean =>
  network.kind() === address.kind() && bits <= length && address.match(network, bits);

/** Whether one of the ranges has the address. */
export function isWithin(ranges: readonly string[], address: string | null): boolean {
  if (address === null || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => contains(ipaddr.parseCIDR(range), [parsed, parsed.kind() === "ipv4" ? 32 : 128]));
}

/** Whether each of the inner ranges lies in one of the outer ones. */
export const coverRanges = (outer: readonly string[], inner: readonly string[]): boolean =>
  inner.every((range) => outer.some((wide) => contains(ipaddr.parseCIDR(wide), ipaddr.parseCIDR(range))));
