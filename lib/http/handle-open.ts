import { fromOurPages, sessionIdOf } from "@/lib/auth/session";
import { actAs } from "@/lib/core/acting";
import { ApiError } from "@/lib/core/errors";
import { addressOf, type Client, clientOf, networkOf } from "@/lib/core/network";
import type { Endpoint } from "./endpoint";
import {
  type Input,
  type Operation,
  parseBody,
  parseQuery,
  present,
  type Result,
  readJsonBody,
  respond,
} from "./handle";
import { takeRequest } from "./rate-limit";

interface OpenCall<E extends Endpoint> {
  body: Input<E["body"]>;
  client: Client;
  /** Of whoever has signed in with this browser; most have not. */
  sessionId: string | null;
}

/**
 * Ties an endpoint that asks for no key to the service that does its work: for people who are not signed in yet. There is
 * no tenant, so nothing is kept by an Idempotency-Key; each of these has its effect once by itself.
 */
export function handleOpen<const E extends Endpoint>(
  endpoint: E,
  run: (call: OpenCall<E>) => Promise<Result<E>>,
): Operation {
  return {
    method: endpoint.method,
    serve: (request) =>
      respond(request, async (headers) => {
        const client = clientOf(request);
        const sessionId = await sessionIdOf(request);
        // A browser names its page's origin; without one it must not be a browser that has signed in.
        const named = request.headers.get("origin") !== null || sessionId !== null;
        if (endpoint.method !== "GET" && named && !fromOurPages(request)) throw new ApiError("forbidden");
        Object.assign(headers, await takeRequest(`open ${networkOf(client.address)}`));
        const bytes = await readJsonBody(request, Boolean(endpoint.body));
        parseQuery(endpoint, new URL(request.url).searchParams);
        const body = parseBody(endpoint, { livemode: false }, bytes) as Input<E["body"]>;
        // Nobody that we know: what is done says who it was (lib/auth/audit.ts).
        const who = {
          type: "system" as const,
          id: null,
          requestId: headers["X-Request-Id"] ?? null,
          address: addressOf(request),
        };
        const result = await actAs(who, () => run({ body, client, sessionId }));
        return { status: 200, body: present(endpoint, result) };
      }),
  };
}
