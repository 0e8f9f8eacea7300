import type { Socket } from "node:net";
import type { Client, ClientConfig, QueryArrayConfig, QueryArrayResult } from "pg";
import { LimitedClient } from "./limited-client";
import { log } from "./log";
import type { SilenceWatch } from "./silence";

/** A short read that takes longer has lost its connection. */
const silentLimitMs = 2_000;
const lockNotAvailable = "55P03";

export interface Pipeline {
  query(query: QueryArrayConfig): Promise<QueryArrayResult>;
  end(): Promise<void>;
}

/**
 * Connections that send each query without waiting for the answer to the one before, for short reads: a request that only
 * looks up rows by an index. All queries of one turn of the event loop leave in one write over one of the connections: writes
 * are most of the cost of a query (npm run bench). A long query would delay those behind it.
 *
 * Each connects at its first query, and again at the first after it was lost. Queries in flight then fail.
 */
export function openPipeline(config: ClientConfig, connections: number, watch: SilenceWatch): Pipeline {
  const lanes = Array.from({ length: connections }, () => openLane(config, watch));
  let collecting: Lane | null = null;
  let turn = 0;

  /** The connection for all queries of this turn of the event loop. The turns take them one after the other. */
  function laneOfTurn(): Lane {
    if (collecting) return collecting;
    const lane = lanes[turn++ % connections] as Lane;
    collecting = lane;
    const send = lane.hold();
    setImmediate(() => {
      collecting = null;
      send();
    });
    return lane;
  }

  return {
    query: (query) => laneOfTurn().query(query),
    end: async () => {
      await Promise.all(lanes.map((lane) => lane.end()));
    },
  };
}

interface Lane extends Pipeline {
  /** Holds back what is written. @returns sends it */
  hold(): () => void;
}

function openLane(config: ClientConfig, watch: SilenceWatch): Lane {
  let client: Client | null = null;
  let connecting: Promise<Client> | null = null;

  async function connect(): Promise<Client> {
    const opened = new LimitedClient({ ...config, pipeline: true });
    const forget = () => {
      if (client === opened) client = null;
    };
    opened.on("end", forget);
    opened.on("error", ({ message }) => {
      forget();
      log.warn({ reason: message }, "database connection lost");
    });
    await opened.connect();
    watch.add(opened, silentLimitMs);
    client = opened;
    return opened;
  }

  /** A query that waited too long for a lock delayed those behind it. Further ones may wait too, so all fail at once. */
  const send = (to: Client, query: QueryArrayConfig) =>
    to.query(query).catch((error: Error & { code?: string }) => {
      if (error.code === lockNotAvailable) (to.connection.stream as Socket).destroy();
      throw error;
    });

  return {
    hold: () => {
      const stream = client?.connection.stream;
      stream?.cork();
      return () => stream?.uncork();
    },
    query: async (query) => {
      if (client) return send(client, query);
      connecting ??= connect().finally(() => {
        connecting = null;
      });
      return send(await connecting, query);
    },
    end: async () => {
      await (client ?? (await connecting?.catch(() => null)))?.end();
    },
  };
}
