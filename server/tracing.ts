import type { IncomingMessage } from "node:http";
import type { Span } from "@opentelemetry/api";
import type { Env } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { addObserver, type Observer, type Operation } from "@/lib/core/observe";
import type { RequestObserver } from "./ended-requests";
import type { Role } from "./prepare";

interface Tracing {
  requests: RequestObserver;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const load = () =>
  Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);

type Loaded = Awaited<ReturnType<typeof load>>;

/**
 * Sends traces to an OpenTelemetry collector: a span for each request, its statements, calls of gateways, jobs, deliveries and
 * mails. Loads its libraries only here. The libraries read the collector's address and headers from the environment.
 * @returns null if OTEL_EXPORTER_OTLP_ENDPOINT is not set
 */
export async function startTracing(env: Env, role: Role): Promise<Tracing | null> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return null;
  const loaded = await load();
  const [{ diag, DiagLogLevel, trace }] = loaded;
  const provider = startProvider(loaded, env.OTEL_TRACES_SAMPLER_ARG, role);
  const warn = (message: string) => log.warn({ reason: message.slice(0, 300) }, "traces could not be sent");
  const ignore = () => undefined;
  diag.setLogger({ error: warn, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  const tracer = trace.getTracer("paydesk");
  const remove = addObserver(observeWith(loaded, tracer), { statements: true });
  return {
    requests: traceRequests(loaded, tracer),
    stop: async () => {
      remove();
      await provider.shutdown().catch((error: Error) => warn(error.message));
    },
  };
}

type Tracer = ReturnType<Loaded[0]["trace"]["getTracer"]>;

function startProvider([, sdk, { OTLPTraceExporter }, { resourceFromAttributes }]: Loaded, ratio: number, role: Role) {
  // The caller's wish does not count: else a stranger could have every request traced.
  const root = new sdk.TraceIdRatioBasedSampler(ratio);
  const sampler = new sdk.ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root });
  const resource = resourceFromAttributes({
    "service.name": process.env.OTEL_SERVICE_NAME || "paydesk",
    "service.version": process.env.PAYDESK_COMMIT || "unknown",
    "paydesk.role": role,
  });
  const spanProcessors = [new sdk.BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new sdk.NodeTracerProvider({ sampler, resource, spanProcessors });
  provider.register();
  return provider;
}

/** A span for each request. Its parent is the caller's span, if the request has a `traceparent`. */
function traceRequests([api]: Loaded, tracer: Tracer): RequestObserver {
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const spans = new WeakMap<IncomingMessage, Span>();
  return {
    serve: (request, work) => {
      const { traceparent, tracestate } = request.headers;
      const parent = propagation.extract(ROOT_CONTEXT, { traceparent, tracestate });
      const span = tracer.startSpan("request", { kind: SpanKind.SERVER }, parent);
      spans.set(request, span);
      return context.with(trace.setSpan(parent, span), work);
    },
    ended: ({ request, method, route, status }) => {
      const span = spans.get(request);
      if (!span) return;
      span.updateName(`${method} ${route}`);
      span.setAttributes({ "http.request.method": method, "http.route": route, "http.response.status_code": status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Begins a trace of its own. Polls do not: they mostly find nothing to do. */
const beginsTrace: ReadonlySet<Operation["kind"]> = new Set(["job", "webhook", "mail"]);

/** A span for each piece of work within a trace. No parameters of statements, no addresses, no error texts: they can hold data of payers. */
function observeWith([{ context, SpanKind, SpanStatusCode, trace }]: Loaded, tracer: Tracer): Observer {
  return async ({ kind, name }, work, outcomeOf) => {
    const within = trace.getSpan(context.active());
    if (kind === "poll" || (!within && !beginsTrace.has(kind))) return work();
    const spanKind = kind === "job" || kind === "transaction" ? SpanKind.INTERNAL : SpanKind.CLIENT;
    const attributes = kind === "statement" ? { "db.system.name": "postgresql", "db.query.summary": name } : {};
    const spanName = kind === "statement" || kind === "transaction" ? name : `${kind} ${name}`;
    return tracer.startActiveSpan(spanName, { kind: spanKind, attributes }, async (span) => {
      try {
        const result = await work();
        if (outcomeOf) span.setAttribute("paydesk.outcome", outcomeOf(result));
        return result;
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
        throw error;
      } finally {
        span.end();
      }
    });
  };
}
