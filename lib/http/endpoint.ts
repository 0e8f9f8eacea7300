import type { z } from "zod";
import type { Scope } from "@/lib/auth/scopes";
import type { FieldErrors } from "@/lib/core/errors";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One operation of the API, as data: the route, the documentation, the client and the tests all read it. */
export interface Endpoint {
  method: Method;
  /** Below the base address, with {id} for the identifier. */
  path: string;
  summary: string;
  description?: string;
  /** The scope that a caller needs; null: callers need not be authenticated (lib/http/handle-open.ts). */
  scope: Scope | null;
  /** A second scope that the caller needs. */
  alsoRequires?: Scope;
  /** The request or the response holds a secret: idempotency stores the response encrypted (lib/http/idempotency.ts). */
  secret?: boolean;
  /** Refused in test mode too until the person has confirmed their e-mail address. Live mode's writes always are. */
  needsVerifiedEmail?: boolean;
  query?: z.ZodType<Record<string, unknown>>;
  body?: z.ZodType<Record<string, unknown>>;
  /** Errors by rules that depend on more than the body. They are reported together with the schema's errors. */
  check?: (input: Record<string, unknown>, context: { livemode: boolean; now: Date }) => FieldErrors;
  /** The resource, or one item of the list. An allow-list: fields that it does not name are dropped. */
  response: z.ZodType<Record<string, unknown>>;
  list?: boolean;
  /** The effect calls a gateway, so it cannot share a transaction with its stored response (lib/http/idempotency.ts). */
  callsGateway?: boolean;
  /** The dashboard polls it. Successful requests are not in the request log. */
  polled?: boolean;
  /** Moves the session to the business in the response. A retry then comes from that business. */
  switchesBusiness?: boolean;
  /** Responds with a CSV file instead of the envelope; `response` then describes a row. */
  csv?: boolean;
  /** Accepts If-Match: refused with 412 when the resource has changed since the caller read it. */
  ifMatch?: boolean;
  /** The body can say what the caller read: refused with 412 when that has changed since. */
  precondition?: true;
  /**
   * Whether a session needs a recent confirmation of the person's identity for this request (lib/auth/step-up.ts): 403
   * `confirmation_required` without it. Keys are not asked.
   */
  stepUp?: (body: Record<string, unknown>, context: { livemode: boolean }) => boolean;
  declines?: string;
  /** `path`: with identifier and query, where the data's `_id` is not the identifier or the query is required. */
  example: { path?: string; body?: Record<string, unknown>; data: Record<string, unknown> };
  conflicts?: string;
}

/** For `stepUp` of an endpoint that always needs the confirmation. */
export const always = (): boolean => true;

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

/** The path of the example's request, below the base address. */
export const examplePath = ({ path, example }: Endpoint): string =>
  example.path ?? path.replace(/\{\w+\}/, String(example.data._id));
