import type { Socket } from "node:net";
import type { Client } from "pg";

/**
 * Closes a connection when a query waits and no byte arrives for some seconds: PostgreSQL may be unreachable. Its queries fail.
 *
 * One timer per connection, because pg's `query_timeout` starts a timer per query, which keeps the rows of the query in memory
 * for longer. That cost a list a quarter of its CPU time (docs/performance.md).
 * @param client must be connected
 */
export function closeWhenSilent(client: Client, seconds: number): void {
  const stream = client.connection.stream as Socket;
  let bytesRead = -1;
  let silentSeconds = 0;
  const timer = setInterval(() => {
    const { readyForQuery } = client as Client & { readyForQuery: boolean };
    silentSeconds = !readyForQuery && stream.bytesRead === bytesRead ? silentSeconds + 1 : 0;
    bytesRead = stream.bytesRead;
    if (silentSeconds >= seconds) stream.destroy();
  }, 1_000).unref();
  stream.once("close", () => clearInterval(timer));
}
