import { problemDocument } from "@/components/payer/general-documents";
import { actAs } from "@/lib/core/acting";
import { ApiError, isDatabaseAway } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { addressOf } from "@/lib/core/network";
import { readBody } from "@/lib/http/body";
import { requestIdOf } from "@/lib/http/handle";
import { documentResponse } from "@/lib/payer/document";

type Context = { params: Promise<Record<string, string | string[] | undefined>> };
type Handler = (request: Request, context: Context) => Promise<Response>;

/** A payer's page as route exports. Other methods get a 405 page, and errors an error page. */
export function serve(handlers: { GET: Handler; POST?: Handler }) {
  const allow = handlers.POST ? "GET, HEAD, POST" : "GET, HEAD";
  const guarded =
    (handler: Handler): Handler =>
    async (request, context) => {
      const payer = { type: "payer", id: null, requestId: requestIdOf(request), address: addressOf(request) } as const;
      const answer = await actAs(payer, () => handler(request, context).catch(failure));
      if (request.method !== "HEAD") return answer;
      return new Response(null, { status: answer.status, headers: answer.headers });
    };
  const refuse: Handler = () => documentResponse(problemDocument("method", { Allow: allow }));
  return {
    GET: guarded(handlers.GET),
    HEAD: guarded(handlers.GET),
    POST: guarded(handlers.POST ?? refuse),
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
    OPTIONS: refuse,
  };
}

function failure(error: unknown): Promise<Response> {
  if (error instanceof ApiError && error.code === "body_too_large") {
    return documentResponse(problemDocument("too_large"));
  }
  if (isDatabaseAway(error)) {
    log.warn({ err: error }, "database away");
    return documentResponse(problemDocument("away", { "Retry-After": "2" }));
  }
  log.error({ err: error }, "a payer's page failed");
  return documentResponse(problemDocument("failed"));
}

/**
 * @returns null if the body is not a form
 * @throws ApiError body_too_large
 */
export async function readForm(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return null;
  return new URLSearchParams(new TextDecoder().decode(await readBody(request)));
}
