import { problemDocument } from "@/components/payer/general-documents";
import { actAs } from "@/lib/core/acting";
import { isDatabaseAway } from "@/lib/core/database-error";
import { ApiError } from "@/lib/core/errors";
import type { Incoming } from "@/lib/core/incoming";
import { log } from "@/lib/core/log";
import { addressOf } from "@/lib/core/network";
import { type PageLanguage, pageLanguages } from "@/lib/core/payer-languages";
import { readBody } from "@/lib/http/body";
import { requestIdOf } from "@/lib/http/handle";
import { countFailure } from "@/lib/http/rate-limit";
import { bodiless, type Reply, routeHandler, type Serve } from "@/lib/http/reply";
import { type Document, documentResponse } from "@/lib/payer/document";
import { matchLanguage } from "@/messages/languages";

/** Events that `work` records name the payer of the request. */
export const asPayer = <T>(request: Incoming, work: () => T): T =>
  actAs({ type: "payer", id: null, requestId: requestIdOf(request), address: addressOf(request) }, work);

/** The language of payers' pages that the browser prefers, else English. For pages whose link names no language. */
export const languageOf = (request: Incoming): PageLanguage =>
  matchLanguage(request.headers.get("accept-language"), pageLanguages);

/** A payer's page as route exports. A GET that records events does it in `asPayer`. Other methods get a 405 page, and errors an error page. */
export function serve(handlers: { GET: Serve; POST?: Serve }) {
  const { POST: post } = handlers;
  const allow = post ? "GET, HEAD, POST" : "GET, HEAD";
  const guarded = (handle: Serve) =>
    routeHandler(async (request, params) => {
      try {
        const reply = await handle(request, params);
        return request.method === "HEAD" ? bodiless(reply) : reply;
      } catch (error) {
        return failure(request, error);
      }
    });
  const refuse = routeHandler((request) =>
    documentResponse(problemDocument("method", languageOf(request), { Allow: allow })),
  );
  return {
    GET: guarded(handlers.GET),
    HEAD: guarded(handlers.GET),
    POST: post ? guarded((request, params) => asPayer(request, async () => post(request, params))) : refuse,
    PUT: refuse,
    PATCH: refuse,
    DELETE: refuse,
    OPTIONS: refuse,
  };
}

/** The page of an unknown link or token; after too many from one address, 429. */
export async function unknown(request: Incoming, document: Document): Promise<Reply> {
  const seconds = await countFailure("page", request);
  if (seconds === 0) return documentResponse(document);
  return documentResponse(problemDocument("limited", languageOf(request), { "Retry-After": String(seconds) }));
}

function failure(request: Incoming, error: unknown): Promise<Reply> {
  const language = languageOf(request);
  if (error instanceof ApiError && error.code === "body_too_large") {
    return documentResponse(problemDocument("too_large", language));
  }
  if (error instanceof ApiError && error.code === "service_unavailable") {
    return documentResponse(problemDocument("away", language, error.headers));
  }
  if (isDatabaseAway(error)) {
    log.warn({ err: error }, "database away");
    return documentResponse(problemDocument("away", language, { "Retry-After": "2" }));
  }
  log.error({ err: error }, "a payer's page failed");
  return documentResponse(problemDocument("failed", language));
}

/**
 * @returns null if the body is not a form
 * @throws ApiError body_too_large
 */
export async function readForm(request: Incoming): Promise<URLSearchParams | null> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return null;
  return new URLSearchParams(new TextDecoder().decode(await readBody(request)));
}
