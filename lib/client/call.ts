import type { z } from "zod";
import type { Endpoint } from "@/lib/http/endpoint";
import { isAttended } from "./activity";
import { ApiFailure } from "./api-failure";
import { askToConfirm } from "./confirmation";
import { loadWhenIdle } from "./idle";
import { schemaOf } from "./late-schema";
import type { ResultOf } from "./result";
import { reportSessionEnd, signInCount, waitForSignIn } from "./session-end";

export type Mode = "test" | "live";

/**
 * The page's mode, business and person. Every call sends them, so that a switch in another tab does not redirect this
 * page's calls.
 */
let pageContext: { mode: Mode; businessId: number | null; userId: string | null } = {
  mode: "test",
  businessId: null,
  userId: null,
};

/** Sets the page's context. Does nothing on the server, which renders pages of many people at once. */
export function setPageContext(context: { mode: Mode; businessId: number; userId: string }): void {
  if (typeof window !== "undefined") pageContext = context;
}

export const pageMode = (): Mode => pageContext.mode;

/** Names the page's person, business and mode: a key for what the browser stores for them. */
export const pageContextKey = (): string => `${pageContext.userId}:${pageContext.businessId}:${pageContext.mode}`;

/** Whether data of a mode, business and person belongs to this page. Always true on the server, where a request renders one page. */
export function isOfPage({ mode, businessId, userId }: { mode: Mode; businessId: number; userId: string }): boolean {
  if (typeof window === "undefined") return true;
  return pageContext.mode === mode && pageContext.businessId === businessId && pageContext.userId === userId;
}

/** Without the filter by metadata, the only parameter that is an object. */
export type QueryOf<E extends Endpoint> = E extends { query: z.ZodType }
  ? Omit<z.input<E["query"]>, "metadata">
  : undefined;
type BodyOf<E extends Endpoint> = E extends { body: z.ZodType } ? z.input<E["body"]> : undefined;

export interface CallOptions<E extends Endpoint> {
  id?: string;
  query?: QueryOf<E>;
  body?: BodyOf<E>;
  /** One per opened form or dialog, so that a repeated request has one effect. */
  idempotencyKey?: string;
  /** The updated_at that was read: the change is refused with 412 if the resource has changed since. */
  ifMatch?: string;
  signal?: AbortSignal;
  /** Uses the current session of any person and business, even if the page's own session has ended. */
  anyBusiness?: boolean;
}

function pageHeaders(anyBusiness = false): Record<string, string> {
  const headers: Record<string, string> = { "X-Paydesk-Mode": pageContext.mode };
  if (pageContext.businessId !== null && !anyBusiness) headers["X-Paydesk-Business"] = String(pageContext.businessId);
  if (pageContext.userId !== null && !anyBusiness) headers["X-Paydesk-Person"] = pageContext.userId;
  if (!isAttended()) headers["X-Paydesk-Unattended"] = "true";
  return headers;
}

/** JSON has null for NaN, and null can mean all of an amount. */
function refuseNaN(field: string, value: unknown): unknown {
  if (Number.isNaN(value)) throw new Error(`The ${field} is not a number.`);
  return value;
}

/**
 * Calls an endpoint of our own API with the session cookie. If the session has ended, the page asks the person to sign in
 * again. A read waits for that; a write fails, and the person repeats it. If the API asks for a confirmation of the person's
 * identity, the page asks the person, and the call is repeated.
 * @throws ApiFailure for an error response, for no response, and for a response that does not match the contract
 */
export async function call<const E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}): Promise<ResultOf<E>> {
  const headers = pageHeaders(options.anyBusiness);
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.idempotencyKey) headers["Idempotency-Key"] = options.idempotencyKey;
  if (options.ifMatch) headers["If-Match"] = `"${options.ifMatch}"`;
  const address = addressOf(endpoint, options);
  const signInsBefore = signInCount();
  const loading = loadParser(endpoint);
  // A read loads it meanwhile, and fails below. A write whose response could not be read is not sent.
  if (endpoint.method === "GET") loading.catch(() => undefined);
  else await loading;
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method: endpoint.method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body, refuseNaN),
      signal: options.signal,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
    });
    text = await response.text();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiFailure(0, null, "Paydesk could not be reached. Check the connection and try again.");
  }
  if (response.status === 401 && !options.anyBusiness) {
    const signedInSince = signInCount() !== signInsBefore;
    if (signedInSince ? endpoint.method === "GET" : reportSessionEnd() && endpoint.method === "GET") {
      if (!signedInSince) await waitForSignIn(options.signal);
      return call(endpoint, options);
    }
  }
  const { failureOf, resultOf } = await loading;
  const isUnconfirmed = response.status === 403 && failureOf(response, text).code === "confirmation_required";
  if (isUnconfirmed && (await askToConfirm())) return call(endpoint, options);
  return resultOf(endpoint, response, text);
}

const loadResult = () => import("./result");
loadWhenIdle(loadResult);

/**
 * What parses responses. Pages come with their first data, so its script and the endpoint's schema load with the first call.
 * @throws ApiFailure if they do not load
 */
async function loadParser(endpoint?: Endpoint): Promise<typeof import("./result")> {
  try {
    const [parser] = await Promise.all([loadResult(), endpoint && schemaOf(endpoint.response)]);
    return parser;
  } catch {
    throw new ApiFailure(0, null, "A part of the page could not be loaded. Reload the page.");
  }
}

/**
 * Downloads an endpoint's file with this page's session.
 * @throws ApiFailure
 */
export async function download<const E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}): Promise<Blob> {
  const headers = pageHeaders();
  try {
    const response = await fetch(addressOf(endpoint, options), { headers, cache: "no-store", redirect: "error" });
    if (response.ok) return await response.blob();
    if (response.status === 401) reportSessionEnd();
    const { failureOf } = await loadParser();
    throw failureOf(response, await response.text());
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    throw new ApiFailure(0, null, "The download failed. Check the connection and try again.");
  }
}

export function addressOf({ path }: Endpoint, { id, query }: { id?: string; query?: unknown }): string {
  const target = path.replace(/\{\w+\}/, () => {
    if (!id) throw new Error(`${path} needs an id`);
    return encodeURIComponent(id);
  });
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  return `/api${target}${params.size > 0 ? `?${params}` : ""}`;
}
