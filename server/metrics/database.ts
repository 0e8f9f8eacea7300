import type { EventEmitter } from "node:events";
import type { Registry } from "prom-client";
import { pool } from "@/lib/core/db";
import type { PromClient } from "./library";

/** The pool of connections: its size, and how long callers wait when none is idle. */
export function measurePool({ Gauge, Histogram }: PromClient, registry: Registry): () => void {
  new Gauge({
    name: "paydesk_database_pool_connections",
    help: "Connections of the pool, by state.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { totalCount, idleCount } = pool();
      this.set({ state: "idle" }, idleCount);
      this.set({ state: "used" }, totalCount - idleCount);
    },
  });
  new Gauge({
    name: "paydesk_database_pool_waiting",
    help: "Callers that wait for a connection.",
    registers: [registry],
    collect() {
      this.set(pool().waitingCount);
    },
  });
  new Gauge({
    name: "paydesk_database_pool_max",
    help: "The most connections that the pool opens (DATABASE_POOL).",
    registers: [registry],
  }).set(pool().options.max);
  const waits = new Histogram({
    name: "paydesk_database_pool_wait_seconds",
    help: "Waits for a connection while none was idle. Callers who got one at once are not counted.",
    labelNames: ["outcome"],
    buckets: [0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 1],
    registers: [registry],
  });
  for (const outcome of ["connected", "timed_out"]) waits.zero({ outcome });
  const note = (ms: number, connected: boolean) =>
    waits.observe({ outcome: connected ? "connected" : "timed_out" }, ms / 1_000);
  const emitter: EventEmitter = pool();
  emitter.on("waited", note);
  return () => {
    emitter.off("waited", note);
  };
}
