import { isSameOrigin, sessionIdOf } from "@/lib/auth/session";
import { actAs } from "@/lib/core/acting";
import { ApiError } from "@/lib/core/errors";
import { queryOf } from "@/lib/core/incoming";
import { addressOf, type Client, clientOf, networkOf } from "@/lib/core/network";
import type { Endpoint } from "./endpoint";
import {
  type AnswerHeaders,
  type Input,
  type Operation,
  parseBody,
  parseQuery,
  type Result,
  readJsonBody,
  respond,
  serialize,
} from "./handle";
import { takeRequest } from "./rate-limit";

interface OpenCall<E extends Endpoint> {
  body: Input<E["body"]>;
  client: Client;
  sessionId: string | null;
  /** The request's Cookie header. */
  cookies: string;
  /** The response's headers, for a cookie. */
  headers: AnswerHeaders;
}

/**
 * Connects an endpoint without authentication to its service, for people who are not signed in yet. Without a tenant there
 * are no idempotency keys: each of these services is idempotent by itself.
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
        // Browsers send Origin with every write. A program sends neither Origin nor a session cookie.
        const fromBrowser = request.headers.get("origin") !== null || sessionId !== null;
        if (endpoint.method !== "GET" && fromBrowser && !isSameOrigin(request)) throw new ApiError("forbidden");
        Object.assign(headers, await takeRequest(`open ${networkOf(client.address)}`));
        const bytes = await readJsonBody(request, Boolean(endpoint.body));
        parseQuery(endpoint, queryOf(request));
        const body = parseBody(endpoint, { livemode: false }, bytes) as Input<E["body"]>;
        // The caller is unknown. Services that audit pass `who` themselves (lib/auth/audit.ts).
        const who = {
          type: "system" as const,
          id: null,
          requestId: headers["X-Request-Id"] ?? null,
          address: addressOf(request),
        };
        const result = await actAs(who, () =>
          run({ body, client, sessionId, cookies: request.headers.get("cookie") ?? "", headers }),
        );
        return { status: 200, body: serialize(endpoint, result) };
      }),
  };
}
