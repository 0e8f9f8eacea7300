import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A piece of work is over when no client has sent anything for so long after it. */
const quietMs = 150;

/** What a piece of work has cost at the database. */
export interface Cost {
  /** Text of each statement in the order of execution, without BEGIN, COMMIT and ROLLBACK. */
  statements: string[];
  /** How often a client sent something and waited for the answer: BEGIN and COMMIT are one each. */
  roundTrips: number;
}

interface Message {
  type: string;
  body: Buffer;
}

/** Splits what a client sends into messages of PostgreSQL's protocol. The first of a connection has no type. */
function* messagesOf(state: { rest: Buffer; started: boolean }, chunk: Buffer): Generator<Message> {
  state.rest = Buffer.concat([state.rest, chunk]);
  for (;;) {
    const at = state.started ? 1 : 0;
    if (state.rest.length < at + 4) return;
    const end = at + state.rest.readInt32BE(at);
    if (state.rest.length < end) return;
    const type = state.started ? String.fromCharCode(state.rest[0] ?? 0) : "";
    const body = state.rest.subarray(at + 4, end);
    state.rest = state.rest.subarray(end);
    state.started = true;
    yield { type, body };
  }
}

/** The zero-terminated strings at the beginning of a message. */
const strings = (body: Buffer, count: number): string[] => body.toString("utf8").split("\0", count);

/** Reads the round trips of one connection, each with its statements. */
function reader(onRoundTrip: (statements: string[]) => void): (chunk: Buffer) => void {
  const state = { rest: Buffer.alloc(0), started: false };
  const prepared = new Map<string, string>();
  const portals = new Map<string, string>();
  let statements: string[] = [];
  return (chunk) => {
    for (const { type, body } of messagesOf(state, chunk)) {
      const [first = "", second = ""] = strings(body, 2);
      if (type === "P") prepared.set(first, second);
      else if (type === "B") portals.set(first, prepared.get(second) ?? "");
      else if (type === "E") statements.push(portals.get(first) ?? "");
      else if (type === "Q") statements.push(first);
      if (type !== "Q" && type !== "S") continue;
      onRoundTrip(statements);
      statements = [];
    }
  };
}

/** Once a second or a minute, for however many requests or jobs there are: the log of requests, and the search for due jobs. */
const background = [
  /^SET statement_timeout\b/, // once for each connection: an idle one was used, or a new one was opened
  /^\s*INSERT INTO api_request\b/,
  /\bINSERT INTO write_usage\b/,
  /^\s*UPDATE api_key SET last_used_at\b/,
  /^\s*WITH RECURSIVE waiting\b/,
];
const control = /^\s*(BEGIN|COMMIT|ROLLBACK|START TRANSACTION|SAVEPOINT|RELEASE)\b/i;

/**
 * Passes everything on to PostgreSQL and counts on the way what clients ask for. Nothing in the product knows of it.
 * @param database where PostgreSQL is, as embedded: with its socket's directory in `host`
 */
export async function startCountingProxy(database: string) {
  const { pathname, searchParams, username, hostname, port } = new URL(database);
  const socketDir = searchParams.get("host");
  const sockets = new Set<Socket>();
  /** Each round trip with the statements in it. */
  let trips: string[][] = [];
  let last = performance.now();
  const server = createServer((client) => {
    const upstream = socketDir ? connect(`${socketDir}/.s.PGSQL.5432`) : connect(Number(port || 5432), hostname);
    client.on(
      "data",
      reader((statements) => {
        last = performance.now();
        trips.push(statements);
      }),
    );
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined); // the other side hears of it by the end of its own connection
      socket.on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  /** Waits until no client has asked for anything for so long. */
  async function quiet(): Promise<void> {
    while (performance.now() - last < quietMs) await sleep(20);
  }

  return {
    url: `postgresql://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    /** Runs `work` and returns what it has cost, with what it leaves to be written after its answer. */
    async cost(work: () => Promise<unknown>): Promise<Cost> {
      await quiet();
      trips = [];
      await work();
      last = performance.now();
      await quiet();
      const own = trips.filter((statements) => !statements.some((text) => background.some((one) => one.test(text))));
      return { statements: own.flat().filter((text) => !control.test(text)), roundTrips: own.length };
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
