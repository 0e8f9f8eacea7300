import { Client, type ClientConfig, type QueryConfig, type QueryResult } from "pg";
import { log } from "./log";

export interface Pipeline {
  query<Row extends object>(query: QueryConfig): Promise<QueryResult<Row>>;
  end(): Promise<void>;
}

/**
 * A connection that sends each query without waiting for the answer to the one before, for short reads: a request that only
 * looks up rows by an index. All queries of one turn of the event loop leave in one write, which otherwise is most of
 * their cost (npm run bench). A long query would delay those behind it.
 *
 * Connects at the first query, and again at the first after the connection was lost. Queries in flight then fail.
 */
export function openPipeline(config: ClientConfig): Pipeline {
  let client: Client | null = null;
  let connecting: Promise<Client> | null = null;
  let collecting = false;

  async function connect(): Promise<Client> {
    // A connection that no longer answers would hold up every request.
    const opened = new Client({ ...config, pipeline: true, keepAlive: true, query_timeout: 5_000 });
    const forget = () => {
      if (client === opened) client = null;
    };
    opened.on("end", forget);
    opened.on("error", ({ message }) => {
      forget();
      log.warn({ reason: message }, "database connection lost");
    });
    await opened.connect();
    client = opened;
    return opened;
  }

  return {
    query: async (query) => {
      if (!client) {
        connecting ??= connect().finally(() => {
          connecting = null;
        });
        await connecting;
      }
      if (!client) throw new Error("Connection terminated unexpectedly");
      if (!collecting) {
        const { stream } = client.connection;
        collecting = true;
        stream.cork();
        setImmediate(() => {
          collecting = false;
          stream.uncork();
        });
      }
      return client.query(query);
    },
    end: async () => {
      await (client ?? (await connecting?.catch(() => null)))?.end();
    },
  };
}
