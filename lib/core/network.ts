/**
 * What stands for one client in a rate limit: an IPv4 address itself, or the /64 in which an IPv6 client can move at will.
 * @param address as the front server saw it
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.toLowerCase().replace(/%.*$/, "").split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill("0"), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/** The header in which the front server hands the client's address on; it overwrites what the client sent. */
export const clientHeader = "x-paydesk-client";

/** Where a request comes from, as far as it can be told. */
export interface Client {
  address: string;
  /** What the browser says of itself. */
  agent: string | null;
}

/** The address alone, as it is written down; null where no front server said one. */
export function addressOf({ headers }: Request): string | null {
  const given = headers.get(clientHeader) ?? "";
  return /^[0-9a-f.:]{2,45}$/i.test(given) ? given : null;
}

export function clientOf({ headers }: Request): Client {
  return { address: headers.get(clientHeader) ?? "unknown", agent: headers.get("user-agent") };
}
