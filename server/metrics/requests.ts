import type { Registry } from "prom-client";
import type { EndedRequest, RequestObserver } from "@/server/ended-requests";
import type { PromClient } from "./library";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Seconds. The API answers in milliseconds; a wait for the database ends after three seconds. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 10];

/** Counts requests by route, method and class of status. */
export function countRequests({ Counter, Gauge, Histogram }: PromClient, registry: Registry): RequestObserver {
  const inFlight = new Gauge({
    name: "paydesk_http_requests_in_flight",
    help: "Requests whose response has not ended.",
    registers: [registry],
  });
  const total = new Counter({
    name: "paydesk_http_requests_total",
    help: "Requests by route pattern, method and class of status.",
    labelNames: ["route", "method", "status"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "paydesk_http_request_duration_seconds",
    help: "Time from a request's first line to the end of its response.",
    labelNames: ["route", "method"],
    buckets: durations,
    registers: [registry],
  });
  let open = 0;
  inFlight.set(0);
  return {
    begun: () => inFlight.set(++open),
    ended: ({ route, method: given, status, ms }: EndedRequest) => {
      const method = methods.has(given) ? given : "other";
      inFlight.set(--open);
      total.inc({ route, method, status: `${Math.trunc(status / 100)}xx` });
      seconds.observe({ route, method }, ms / 1_000);
    },
  };
}
