import type { IncomingMessage, ServerResponse } from "node:http";
import { log } from "@/lib/core/log";

/** A request whose response has ended, also because the client hung up. */
export interface EndedRequest {
  request: IncomingMessage;
  method: string;
  /** The route's pattern, `pages`, or `unmatched`: never a path, so that the values are few and hold no secret. */
  route: string;
  status: number;
  ms: number;
}

/** Observes the front server's requests, for metrics and traces. */
export interface RequestObserver {
  /** Runs `work`, which serves the request. */
  serve?(request: IncomingMessage, work: () => Promise<void>): Promise<void>;
  /** Called once for each call of `ended`, before it. */
  begun?(): void;
  ended(request: EndedRequest): void;
}

/** On a terminal, request logs would scroll the start's output away. */
const requestLevel = process.stdout.isTTY ? "debug" : "info";

/** Statuses of the front server and the framework for addresses that no page has. */
const unmatchedStatuses = new Set([400, 404, 405]);

/** The route of API addresses that do not exist. */
const unknownApi = "/api/[...path]";

interface Served {
  requestId: string;
  method: string;
  /** The route's pattern; null for a path that is not one of our routes. */
  pattern: string | null;
  /** The path's first segment, for the log. */
  firstSegment: string;
}

/**
 * Writes one log line per request and calls the observers, even if the client hangs up. The path may hold a payer's credential,
 * so the line has only the route's pattern or the first segment.
 */
export function whenEnded(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, method, pattern, firstSegment }: Served,
  observers: readonly RequestObserver[],
): void {
  const isLogged = log.isLevelEnabled(requestLevel);
  if (!isLogged && observers.length === 0) return;
  const started = performance.now();
  for (const observer of observers) observer.begun?.();
  response.once("close", () => {
    const elapsed = performance.now() - started;
    const status = response.statusCode;
    const ms = Math.round(elapsed * 10) / 10;
    if (isLogged) log[requestLevel]({ requestId, method, route: pattern ?? firstSegment, status, ms }, "request");
    const isUnmatched = pattern === null ? unmatchedStatuses.has(status) : pattern === unknownApi;
    const route = isUnmatched ? "unmatched" : (pattern ?? "pages");
    for (const observer of observers) observer.ended({ request, method, route, status, ms: elapsed });
  });
}

/** Runs `work`, which serves the request, within all observers. */
export function serveObserved(
  request: IncomingMessage,
  work: () => Promise<void>,
  observers: readonly RequestObserver[],
): Promise<void> {
  if (observers.length === 0) return work();
  return observers.reduceRight((inner, observer) => () => observer.serve?.(request, inner) ?? inner(), work)();
}
