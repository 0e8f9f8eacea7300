import { z } from "zod";
import type { FieldErrors } from "@/lib/core/errors";
import type { Endpoint } from "@/lib/http/endpoint";
import type { PageMeta } from "@/lib/http/envelope";
import { attended } from "./activity";
import { sessionEnded, signIns, untilBack } from "./session-end";

// The pages' Content-Security-Policy forbids eval; without this zod probes for it and the browser reports a violation.
z.config({ jitless: true });

export type Mode = "test" | "live";

/** What the page shows: every call asks for that, whatever another tab has switched to meanwhile. */
let shown: { mode: Mode; businessId: number | null; userId: string | null } = {
  mode: "test",
  businessId: null,
  userId: null,
};

/** Says what the page shows. In the browser alone: a server shows many people's pages at once. */
export function showing(what: { mode: Mode; businessId: number; userId: string }): void {
  if (typeof window !== "undefined") shown = what;
}

export const shownMode = (): Mode => shown.mode;

/** Whether what was read for a mode, business and person belongs on this page. On the server it does: one request is one page. */
export const isShown = ({ mode, businessId, userId }: { mode: Mode; businessId: number; userId: string }): boolean =>
  typeof window === "undefined" || (shown.mode === mode && shown.businessId === businessId && shown.userId === userId);

/** Why a call to the API did not succeed. Status 0: no answer at all. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string | null,
    message: string,
    /** A 422's texts, by field; empty otherwise. */
    readonly errors: FieldErrors = {},
    readonly requestId: string | null = null,
    /** In how many seconds it may be asked again, where the answer said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "ApiFailure";
  }

  /** When the answer came, for what is counted from then. */
  readonly at = new Date();
}

type QueryOf<E extends Endpoint> = E extends { query: z.ZodType } ? z.input<E["query"]> : undefined;
type BodyOf<E extends Endpoint> = E extends { body: z.ZodType } ? z.input<E["body"]> : undefined;

export interface Rows<Row> {
  rows: Row[];
  page: PageMeta;
}

export type ResultOf<E extends Endpoint> = E extends { list: true }
  ? Rows<z.output<E["response"]>>
  : z.output<E["response"]>;

export interface CallOptions<E extends Endpoint> {
  id?: string;
  query?: QueryOf<E>;
  body?: BodyOf<E>;
  /** One per intent (a form's opening), so that a repeated request has one effect. */
  idempotencyKey?: string;
  /** The updated_at of what was read: the change is refused with 412 if somebody else has changed it since. */
  ifMatch?: string;
  signal?: AbortSignal;
  /** As whoever is signed in now, in whichever business: not as the page's person, whose session may have ended. */
  anyBusiness?: boolean;
}

const pageMeta = z.object({
  per_page: z.int(),
  next_cursor: z.string().nullable(),
  prev_cursor: z.string().nullable(),
  total: z.int().optional(),
});

const failure = z.object({
  message: z.string(),
  code: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});

/** In which mode, and for which business, the page asks. */
function pageHeaders(anyBusiness = false): Record<string, string> {
  const headers: Record<string, string> = { "X-Paydesk-Mode": shown.mode };
  if (shown.businessId !== null && !anyBusiness) headers["X-Paydesk-Business"] = String(shown.businessId);
  if (shown.userId !== null && !anyBusiness) headers["X-Paydesk-Person"] = shown.userId;
  if (!attended()) headers["X-Paydesk-Unattended"] = "true";
  return headers;
}

/**
 * Calls an endpoint of our own API with the session cookie. Where the session has ended, the page asks to sign in again:
 * a read waits for that, a write is refused and repeated by people.
 * @throws ApiFailure for every answer but a success, and when there is no answer or one that the contract does not know
 */
export async function call<const E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}): Promise<ResultOf<E>> {
  const headers = pageHeaders(options.anyBusiness);
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.idempotencyKey) headers["Idempotency-Key"] = options.idempotencyKey;
  if (options.ifMatch) headers["If-Match"] = `"${options.ifMatch}"`;
  const address = addressOf(endpoint, options);
  const before = signIns();
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method: endpoint.method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
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
    const late = signIns() !== before; // sent before somebody signed in again
    if (late ? endpoint.method === "GET" : sessionEnded() && endpoint.method === "GET") {
      if (!late) await untilBack(options.signal);
      return call(endpoint, options);
    }
  }
  return resultOf(endpoint, response, text);
}

/**
 * What an answer of the API holds.
 * @throws ApiFailure for every answer but a success, and for one that the contract does not know
 */
export function resultOf<const E extends Endpoint>(endpoint: E, response: Response, text: string): ResultOf<E> {
  const requestId = response.headers.get("x-request-id");
  const content = parseJson(text);
  if (!response.ok) {
    const said = failure.safeParse(content);
    if (!said.success)
      throw new ApiFailure(response.status, null, "Something went wrong.", {}, requestId, retryAfterOf(response));
    const { message, code, errors } = said.data;
    throw new ApiFailure(response.status, code ?? null, message, errors, requestId, retryAfterOf(response));
  }
  const schema = endpoint.list
    ? z
        .object({ data: z.array(endpoint.response), meta: pageMeta })
        .transform(({ data, meta }) => ({ rows: data, page: meta }))
    : z.object({ data: endpoint.response }).transform(({ data }) => data);
  const result = schema.safeParse(content);
  if (!result.success)
    throw new ApiFailure(
      response.status,
      null,
      "The server gave an answer that this page does not know.",
      {},
      requestId,
    );
  return result.data as ResultOf<E>;
}

/**
 * Fetches a file that an endpoint makes, as the session of this page.
 * @throws ApiFailure
 */
export async function download<const E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}): Promise<Blob> {
  const headers = pageHeaders();
  try {
    const response = await fetch(addressOf(endpoint, options), { headers, cache: "no-store", redirect: "error" });
    if (response.ok) return await response.blob();
    if (response.status === 401) sessionEnded();
    const said = failure.safeParse(parseJson(await response.text()));
    const { message, code, errors } = said.data ?? { message: "Something went wrong." };
    const requestId = response.headers.get("x-request-id");
    throw new ApiFailure(response.status, code ?? null, message, errors, requestId, retryAfterOf(response));
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    throw new ApiFailure(0, null, "The file could not be fetched whole. Check the connection and try again.");
  }
}

/** Ours says seconds; a proxy's may be a date, which is passed over. */
function retryAfterOf({ headers }: Response): number | null {
  const said = headers.get("retry-after") ?? "";
  return /^\d{1,9}$/.test(said) ? Number(said) : null;
}

/** The address of a call on our own server. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
