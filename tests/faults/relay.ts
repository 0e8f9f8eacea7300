import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP relay between the product and PostgreSQL, which fails as networks do. */
export async function startRelay(socketPath: string) {
  const pairs = new Set<[Socket, Socket]>();
  let forwards = true;

  const server = createServer((client) => {
    const upstream = connect(socketPath);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on("error", () => undefined);
      // A pair that was silenced keeps its other half open, as a lost connection does.
      from.once("close", () => pairs.delete(pair) && to.destroy());
      if (forwards) from.pipe(to);
    }
    if (!forwards) pairs.delete(pair);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  function silence(): void {
    for (const [client, upstream] of pairs) {
      client.unpipe(upstream);
      upstream.unpipe(client);
    }
    pairs.clear();
  }

  return {
    port: (server.address() as AddressInfo).port,
    /** Nothing passes any more on the open connections, which stay open. New ones work. */
    silence,
    /** The same, and new connections are accepted and silent. @returns ends it for new connections */
    silenceAll(): () => void {
      silence();
      forwards = false;
      return () => {
        forwards = true;
      };
    },
    /** Resets every open connection. */
    reset(): void {
      for (const [client, upstream] of pairs) {
        client.resetAndDestroy();
        upstream.destroy();
      }
    },
    stop(): void {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
