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
  /** What the caller must be allowed; null: nobody need be known (lib/http/handle-open.ts). */
  scope: Scope | null;
  /** The answer shows a secret, once, or the body holds one: what is stored of them (lib/http/idempotency.ts) is sealed. */
  secret?: boolean;
  query?: z.ZodType<Record<string, unknown>>;
  body?: z.ZodType<Record<string, unknown>>;
  /** What is wrong with a body by rules that depend on more than the body; told together with the schema's own. */
  check?: (input: Record<string, unknown>, context: { livemode: boolean; now: Date }) => FieldErrors;
  /** The resource, or one item of the list. An allow-list: what it does not name does not leave. */
  response: z.ZodType<Record<string, unknown>>;
  list?: boolean;
  /** The effect asks a gateway, so it cannot share a transaction with its stored answer (lib/http/idempotency.ts). */
  asksGateway?: boolean;
  /** Takes the caller to the business that it answers with, from where it comes when it is sent again. */
  moves?: boolean;
  /** Answers with a CSV file in place of the envelope; `response` is then what a row is made from. */
  csv?: boolean;
  /** Takes If-Match: refused with 412 when what it names is no longer as the caller read it. */
  ifMatch?: boolean;
  /** Why this can be refused with 402, in words; documentation. */
  declines?: string;
  /** What a caller sends and, for one resource, gets; documentation, kept true by a test. */
  example: { body?: Record<string, unknown>; data: Record<string, unknown> };
  /** Why this can be refused with 409, in words; documentation. */
  conflicts?: string;
}

export const endpoint = <const E extends Endpoint>(definition: E): E => definition;
