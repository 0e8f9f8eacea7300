/** The metrics library, which is loaded only if METRICS_PORT is set. */
export type PromClient = typeof import("prom-client");
