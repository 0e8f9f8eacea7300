import type { Socket } from "node:net";
import type { Client } from "pg";

/**
 * Closes a connection on which a query waits while nothing comes for some seconds: its other end may be gone without a word.
 * Its queries then fail.
 *
 * One timer per connection. The timer per query of pg's `query_timeout` keeps the rows of a query in memory after it, which cost
 * a list a quarter of its CPU time (docs/performance.md).
 * @param client has connected
 */
export function closeWhenSilent(client: Client, seconds: number): void {
  const stream = client.connection.stream as Socket;
  let read = -1;
  let silent = 0;
  const timer = setInterval(() => {
    const { readyForQuery } = client as Client & { readyForQuery: boolean };
    silent = !readyForQuery && stream.bytesRead === read ? silent + 1 : 0;
    read = stream.bytesRead;
    if (silent >= seconds) stream.destroy();
  }, 1_000).unref();
  stream.once("close", () => clearInterval(timer));
}
