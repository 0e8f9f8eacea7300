import { createSocket } from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

const types = { 1: "A", 28: "AAAA" } as const;
type AddressesOf = (name: string, type: "A" | "AAAA" | null) => string[];

/** A local DNS server that answers with `addressesOf`. */
export async function startDns(addressesOf: AddressesOf): Promise<{ port: number; stop: () => void }> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => socket.send(reply(query, addressesOf), from.port, from.address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { port: socket.address().port, stop: () => socket.close() };
}

/** The question, and an answer with TTL 0 for each address (RFC 1035, section 4). */
function reply(query: Buffer, addressesOf: AddressesOf): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = types[query.readUInt16BE(at + 1) as keyof typeof types] ?? null;
  const question = query.subarray(12, at + 5);
  const answers = addressesOf(labels.join(".").toLowerCase(), type).map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    const head = Buffer.from([0xc0, 12, 0, type === "A" ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
    return Buffer.concat([head, data]);
  });
  const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
  return Buffer.concat([header, question, ...answers]);
}
