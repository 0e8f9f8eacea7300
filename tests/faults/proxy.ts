import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";

/** Keeps idle connections, and learns only from the next request that the server has closed one, as on a slow network. */
class LateAgent extends Agent {
  override keepSocketAlive(socket: Duplex) {
    socket.pause();
    return super.keepSocketAlive(socket);
  }
  override reuseSocket(socket: Duplex, reused: Parameters<Agent["reuseSocket"]>[1]): void {
    super.reuseSocket(socket, reused);
    socket.resume();
  }
}

/** Which kind of connection failed tells why: a new one as the server closed its socket, a kept one as it closed idle ones. */
class NoAnswer extends Error {
  constructor(
    readonly code: string,
    wasKept: boolean,
  ) {
    super(`${code} on a ${wasKept ? "kept" : "new"} connection`);
  }
}

/**
 * A reverse proxy like nginx with the configuration in docs/operations.md: the servers in turn, connections that are kept
 * alive. A request goes to the next server if it could not be sent, or may be repeated.
 * @param idleMs how long it keeps an idle connection
 */
export async function startProxy(ports: number[], idleMs: number) {
  const agent = new LateAgent({ keepAlive: true, timeout: idleMs });
  let turn = 0;

  function forward(from: IncomingMessage, body: Buffer, port: number): Promise<IncomingMessage> {
    const { method, url: path, headers } = from;
    const forwarded = request({ agent, port, method, path, headers: { ...headers, connection: "keep-alive" } });
    forwarded.end(body);
    return once(forwarded, "response").then(
      ([answer]) => answer as IncomingMessage,
      ({ code }: NodeJS.ErrnoException) => {
        throw new NoAnswer(String(code), forwarded.reusedSocket);
      },
    );
  }

  async function answer(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = await buffer(from);
    const first = turn++;
    let reason = "";
    for (let tries = 0; tries < ports.length; tries++) {
      try {
        const answered = await forward(from, body, ports[(first + tries) % ports.length] as number);
        to.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(to);
        return;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        reason = error.message;
        const notSent = error.code === "ECONNREFUSED";
        if (!notSent && from.method !== "GET") break;
      }
    }
    to.writeHead(502).end(reason);
  }

  const server = createServer((from, to) => void answer(from, to)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
