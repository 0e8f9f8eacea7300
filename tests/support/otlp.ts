import Fastify from "fastify";

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** OTLP's numbers: 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, string | number | boolean>;
  status: number;
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
}

interface Body {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, "attributes" | "status"> & {
        attributes: { key: string; value: Value }[];
        status?: { code?: number };
      })[];
    }[];
  }[];
}

const plain = (attributes: { key: string; value: Value }[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        (value.intValue !== undefined ? Number(value.intValue) : (value.doubleValue ?? value.boolValue)),
    ]),
  ) as ReceivedSpan["attributes"];

/** A collector that takes traces as JSON over HTTP, as OpenTelemetry's does. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const resources: ReceivedSpan["attributes"][] = [];
  const headers: Record<string, unknown>[] = [];
  const texts: string[] = [];
  const server = Fastify({ bodyLimit: 10_000_000 });
  server.post<{ Body: Body }>("/v1/traces", async (request) => {
    headers.push(request.headers);
    texts.push(JSON.stringify(request.body));
    for (const { resource, scopeSpans } of request.body.resourceSpans) {
      resources.push(plain(resource.attributes));
      for (const { attributes, status, ...span } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: plain(attributes), status: status?.code ?? 0 });
    }
    return {};
  });
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  return { url, spans, resources, headers, texts, stop: () => server.close() };
}
