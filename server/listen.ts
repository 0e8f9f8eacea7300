import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { createServer, type Server } from "node:net";

/** `localhost` is both loopback addresses: browsers try either first. */
const addressesOf = (host: string): string[] => (host === "localhost" ? ["127.0.0.1", "::1"] : [host]);

/**
 * Listens on each address of HOST.
 * @returns the listeners, to close: the server itself, and those that hand it the connections of a further address
 * @throws the listen error, with code EADDRINUSE when the port is taken
 */
export async function listen(server: HttpServer, port: number, host: string): Promise<Server[]> {
  const listeners: Server[] = [];
  for (const address of addressesOf(host)) {
    const listener =
      listeners.length === 0
        ? server
        : createServer({ noDelay: true, allowHalfOpen: true }, (socket) => server.emit("connection", socket));
    try {
      await listenOn(listener, port, address);
      listeners.push(listener);
    } catch (error) {
      if (address === "::1" && host === "localhost" && isMissing(error)) continue; // a machine without IPv6
      for (const open of listeners) open.close();
      throw error;
    }
  }
  return listeners;
}

/** @throws the listen error */
export async function assertPortIsFree(port: number, host: string): Promise<void> {
  const listeners = await listen(createHttpServer(), port, host);
  await Promise.all(listeners.map((one) => new Promise((resolve) => one.close(resolve))));
}

const isMissing = (error: unknown): boolean =>
  ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes((error as NodeJS.ErrnoException).code ?? "");

function listenOn(listener: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      listener.off("error", reject);
      resolve();
    });
  });
}
