import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pageAwayDocument, problemDocument } from "@/components/payer/general-documents";
import { ApiError } from "@/lib/core/errors";
import { countFailure } from "@/lib/http/rate-limit";
import type { Reply } from "@/lib/http/reply";
import { documentResponse } from "@/lib/payer/document";
import { clientAddress, hasBody, incoming } from "./incoming";
import type { Pages, Replace } from "./pages";

interface PageRequest {
  request: IncomingMessage;
  response: ServerResponse;
  pages: Pages;
  requestId: string;
  path: string;
  segments: string[];
}

/**
 * Hands a request to the framework, with the security headers of the dashboard's pages. A page that fails because the database or
 * the process of the pages is away or busy is answered with 503 and a page without scripts.
 */
export async function servePage({ request, response, pages, requestId, path, segments }: PageRequest): Promise<void> {
  request.headers["x-request-id"] = requestId;
  secure(request, response);
  const isPage = !path.startsWith("/api/"); // else the requests of a sign-in, which no person reads
  // The address of such a page is a secret. The framework runs in another process, so its answer is counted here.
  const isSecret = segments.length === 2 && (segments[0] === "invitation" || segments[0] === "reset");
  const replace: Replace = async (status) => {
    if (status === 503 && isPage) return documentResponse(pageAwayDocument());
    return status === 404 && isSecret ? limited(request, requestId) : null;
  };
  try {
    await pages.handle(request, response, replace);
  } catch (error) {
    const isAway = error instanceof ApiError && error.code === "service_unavailable";
    if (!isAway || !isPage || response.headersSent || hasBody(request)) throw error;
    const { status, headers, body } = await documentResponse(pageAwayDocument());
    response.writeHead(status, headers).end(body);
  }
}

async function limited(request: IncomingMessage, requestId: string): Promise<Reply | null> {
  const seconds = await countFailure("page", incoming(request, requestId, undefined));
  return seconds > 0 ? documentResponse(problemDocument("limited", "en", { "Retry-After": String(seconds) })) : null;
}

/** In development, React evaluates code to show the server's stacks in the browser. */
const developmentScripts = process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : "";

/** Sets the security headers of the dashboard's pages. The framework reads the nonce from the request for its scripts. */
function secure(request: IncomingMessage, response: ServerResponse): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${developmentScripts}`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; ");
  request.headers["content-security-policy"] = policy;
  request.headers["x-paydesk-client"] = clientAddress(request);
  response.setHeader("Content-Security-Policy", policy);
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  response.setHeader("Referrer-Policy", "same-origin");
}
