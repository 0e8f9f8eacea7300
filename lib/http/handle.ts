import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Actor } from "@/lib/auth/actor";
import { authenticate } from "@/lib/auth/authenticate";
import { allows } from "@/lib/auth/scopes";
import { assertConfirmed, assertSecondFactor } from "@/lib/auth/step-up";
import { type Acting, actAs } from "@/lib/core/acting";
import { clock } from "@/lib/core/clock";
import { isDatabaseAway } from "@/lib/core/database-error";
import { type Db, db } from "@/lib/core/db";
import { ApiError, type ErrorCode, type FieldErrors, ValidationError } from "@/lib/core/errors";
import { newOperation } from "@/lib/core/id";
import { type Incoming, queryOf } from "@/lib/core/incoming";
import { log } from "@/lib/core/log";
import { addressOf } from "@/lib/core/network";
import { readBody } from "./body";
import { conforms } from "./conforms";
import type { Endpoint, Method } from "./endpoint";
import { envelope, type PageMeta } from "./envelope";
import { type Answer, fingerprintsOf, idempotencyKey, runOnce, runOnceWithGateway } from "./idempotency";
import { parseJsonObject } from "./json";
import { nameOfParameter, parametersOf } from "./metadata";
import { openExport } from "./open-exports";
import { countFailure, takeRequest, takeRequestOfBusiness } from "./rate-limit";
import { type Reply, type RouteHandler, routeHandler, type Serve } from "./reply";
import { recordRequest } from "./request-log";
import { blanksToNull, parseInput } from "./validation";
import { assertWriteQuota, countWrites } from "./write-quota";

export type Input<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface Page<Row> {
  rows: Row[];
  page: PageMeta;
}

interface Call<E extends Endpoint> {
  actor: Actor;
  /** The actor as events and audit entries name it. */
  who: Acting;
  params: { id: string };
  query: Input<E["query"]>;
  body: Input<E["body"]>;
  /** The database, or a transaction when the request carries an Idempotency-Key. */
  tx: Db;
  /** The updated_at that the caller read, from If-Match; null: any. */
  ifMatch: string | null;
  /** Names the row of an effect that calls a gateway; otherwise empty. A retry of the request gets the same value. */
  operation: string;
}

export type Result<E extends Endpoint> = E extends { csv: true }
  ? AsyncIterable<string>
  : E extends { list: true }
    ? Page<z.input<E["response"]>>
    : z.input<E["response"]>;

/** A file is streamed while it is made. */
type Outcome = Answer | { file: AsyncIterable<string> };

export interface Operation {
  method: Method;
  serve: Serve;
}

const noBytes = new Uint8Array();

/** The request's data for the request log. */
interface Seen {
  /** Set once the request is authenticated; without it, the request is not logged. */
  actor?: Actor;
  sent: Uint8Array;
}

/**
 * Connects an endpoint to its service: authentication, scope, rate limit, validation, idempotency, response, log.
 * @param options.actsAs false if the service passes `who` to everything that records, and never calls `acting()`. The request then
 * runs in no `Scope`, which on Node 20 makes each promise of the process cost more (docs/decisions/0021-request-path.md)
 */
export function handle<const E extends Endpoint>(
  endpoint: E,
  run: (call: Call<E>) => Promise<Result<E>>,
  { actsAs = true } = {},
): Operation {
  async function answer(
    request: Incoming,
    params: { id: string },
    headers: AnswerHeaders,
    seen: Seen,
  ): Promise<Outcome> {
    const actor = await authenticate(request);
    seen.actor = actor;
    const who = { ...actor.who, requestId: headers["X-Request-Id"] ?? null, address: addressOf(request) };
    const work = () => clock.ahead(actor.clockAhead, () => answerAs(actor, who, request, params, headers, seen));
    const writes = endpoint.method !== "GET" || endpoint.csv; // of the GETs, only exports record who made them
    return writes && actsAs ? actAs(who, work) : work();
  }

  async function answerAs(
    actor: Actor,
    who: Acting,
    request: Incoming,
    params: { id: string },
    headers: AnswerHeaders,
    seen: Seen,
  ): Promise<Outcome> {
    if (endpoint.scope === null || !allows(actor.scopes, endpoint.scope)) throw new ApiError("forbidden");
    if (endpoint.alsoRequires && !allows(actor.scopes, endpoint.alsoRequires)) throw new ApiError("forbidden");
    assertSecondFactor(actor, endpoint.path);
    if (actor.session?.mustVerifyEmail && needsVerifiedEmail(endpoint, actor)) throw new ApiError("email_not_verified");
    Object.assign(headers, await takeRequest(actor.who.id));
    await takeRequestOfBusiness(actor);
    assertWriteQuota(actor, endpoint.method, endpoint.scope);
    const key = endpoint.method === "POST" ? idempotencyKey(request) : null;
    const bytes =
      endpoint.method === "GET" || endpoint.method === "DELETE"
        ? noBytes
        : await readJsonBody(request, Boolean(endpoint.body));
    seen.sent = bytes;
    const query = parseQuery(endpoint, queryOf(request)) as Input<E["query"]>;
    const body = parseBody(endpoint, actor, bytes) as Input<E["body"]>;
    if (endpoint.stepUp?.(body ?? {}, actor)) assertConfirmed(actor);
    const ifMatch = endpoint.ifMatch ? ifMatchOf(request) : null;
    const perform = async (tx: Db, operation: string): Promise<Answer> => {
      const result = await run({ actor, who, params, query, body, tx, ifMatch, operation });
      const switchedTo = endpoint.switchesBusiness ? Number((result as { _id: unknown })._id) : undefined;
      return { status: 200, body: serialize(endpoint, result), switchedTo };
    };
    if (endpoint.csv) {
      const make = () => run({ actor, who, params, query, body, tx: db, ifMatch, operation: "" });
      return { file: await openExport(actor, make as () => Promise<AsyncIterable<string>>) };
    }
    if (key === null) return perform(db, endpoint.callsGateway ? newOperation() : "");
    const secret = endpoint.secret === true;
    const prints = fingerprintsOf(endpoint.method, endpoint.path + params.id, bytes, secret);
    return endpoint.callsGateway
      ? runOnceWithGateway(actor, key, prints, (operation) => perform(db, operation))
      : runOnce(actor, key, prints, (tx) => perform(tx, ""), secret);
  }

  const serve: Serve = async (request, { id }) => {
    const started = performance.now();
    const seen: Seen = { sent: noBytes };
    const reply = await respond(request, (headers) =>
      answer(request, { id: typeof id === "string" ? id : "" }, headers, seen),
    );
    const { actor, sent } = seen;
    if (actor) {
      const { status, headers, body } = reply;
      if (endpoint.method !== "GET" && status < 300) countWrites(actor);
      // A successful read's body is not kept: it can be read again.
      const answer = (endpoint.method !== "GET" || status >= 400) && typeof body === "string" ? body : "";
      const requestId = headers["X-Request-Id"] ?? "";
      if (!endpoint.polled || status >= 400)
        recordRequest({ endpoint, actor, request, sent, status, answer, requestId, started });
    }
    return reply;
  };
  return { method: endpoint.method, serve };
}

/** Until then a person can try everything in test mode, and change their own account. */
const needsVerifiedEmail = (endpoint: Endpoint, { livemode }: Actor): boolean =>
  endpoint.needsVerifiedEmail === true ||
  (livemode && endpoint.method !== "GET" && endpoint.scope?.startsWith("account:") === false);

/** The exports of a route.ts: its operations, HEAD, OPTIONS, and a 405 that lists the allowed methods. */
export function methods(...operations: Operation[]) {
  const byMethod = new Map<string, Serve>(operations.map(({ method, serve }) => [method, serve]));
  const get = byMethod.get("GET");
  if (get) byMethod.set("HEAD", get);
  const allowed = ["GET", "HEAD", "POST", "PUT", "DELETE"].filter((method) => byMethod.has(method)).join(", ");
  byMethod.set("OPTIONS", () => ({ status: 204, headers: { Allow: allowed }, body: null }));
  const refuse: Serve = (request) =>
    respond(request, () => {
      const message = `The ${request.method} method is not supported for this route. Supported methods: ${allowed}.`;
      throw new ApiError("method_not_allowed", message, { Allow: allowed });
    });
  const serve = (method: string): RouteHandler => routeHandler(byMethod.get(method) ?? refuse);
  return {
    GET: serve("GET"),
    HEAD: serve("HEAD"),
    POST: serve("POST"),
    PUT: serve("PUT"),
    PATCH: serve("PATCH"),
    DELETE: serve("DELETE"),
    OPTIONS: serve("OPTIONS"),
  };
}

export type AnswerHeaders = Record<string, string>;

/** Turns an answer, or an error thrown by `answer`, into a reply with the common headers. */
export async function respond(
  request: Incoming,
  answer: (headers: AnswerHeaders) => Outcome | Promise<Outcome>,
): Promise<Reply> {
  const requestId = requestIdOf(request);
  const headers: AnswerHeaders = {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
  };
  try {
    const outcome = await answer(headers);
    if ("file" in outcome) return await fileReply(request, outcome.file, headers);
    const { status, body, replayed } = outcome;
    if (replayed) headers["Idempotency-Replayed"] = "true";
    return { status, headers, body: request.method === "HEAD" ? null : body };
  } catch (error) {
    const thrown = error instanceof ApiError || error instanceof ValidationError ? error : unexpected(error, requestId);
    const refusal =
      thrown instanceof ApiError && withoutRight.has(thrown.code) ? await limited(request, thrown) : thrown;
    Object.assign(headers, refusal.headers);
    return { status: refusal.status, headers, body: request.method === "HEAD" ? null : refusal.body() };
  }
}

/** Not the 403s that ask a signed-in person for one more step. */
const withoutRight: ReadonlySet<ErrorCode> = new Set(["unauthenticated", "forbidden"]);

/** The refusal of a request without a right; after too many from its address, 429. */
async function limited(request: Incoming, refused: ApiError): Promise<ApiError> {
  const seconds = await countFailure(request.headers.get("authorization") === null ? "session" : "key", request);
  if (seconds === 0) return refused;
  return new ApiError("too_many_attempts", undefined, { "Retry-After": String(seconds) });
}

async function fileReply(request: Incoming, file: AsyncIterable<string>, headers: AnswerHeaders): Promise<Reply> {
  const named = { ...headers, "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": "attachment" };
  if (request.method !== "HEAD") return { status: 200, headers: named, body: file };
  await file[Symbol.asyncIterator]().return?.();
  return { status: 200, headers: named, body: null };
}

function unexpected(error: unknown, requestId: string): ApiError {
  if (isDatabaseAway(error)) {
    log.warn({ err: error, requestId }, "database away");
    return new ApiError("service_unavailable", undefined, { "Retry-After": "1" });
  }
  log.error({ err: error, requestId }, "unexpected error");
  return new ApiError("server_error");
}

/** The id that the front server gave the request, or a new one without a front server. */
export function requestIdOf(request: Incoming): string {
  const given = request.headers.get("x-request-id");
  return given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}

/** The If-Match value without its quotes; null for none or "*". */
function ifMatchOf(request: Incoming): string | null {
  const given = request.headers.get("if-match")?.trim();
  return given === undefined || given === "*" ? null : given.replace(/^(W\/)?"(.*)"$/, "$2");
}

/**
 * Reads a JSON body's bytes.
 * @param required whether the endpoint takes a body; if not, an empty body needs no Content-Type
 * @throws ApiError unsupported_media_type, body_too_large
 */
export async function readJsonBody(request: Incoming, required: boolean): Promise<Uint8Array> {
  const isJson = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(request.headers.get("content-type") ?? "");
  if (required && !isJson) throw new ApiError("unsupported_media_type");
  const bytes = await readBody(request);
  if (bytes.length > 0 && !isJson) throw new ApiError("unsupported_media_type");
  return bytes;
}

export function parseBody(endpoint: Endpoint, { livemode }: { livemode: boolean }, bytes: Uint8Array): unknown {
  // An endpoint without a body ignores the fields of one, but still refuses invalid JSON.
  if (!endpoint.body) return bytes.length > 0 ? void parseJsonObject(bytes) : undefined;
  const given = parseJsonObject(bytes);
  const input = blanksToNull(given);
  return parseInput(endpoint.body, input, endpoint.check?.(given, { livemode, now: clock.now() }));
}

/** @throws ValidationError for an unknown or repeated parameter, listing the allowed parameters */
export function parseQuery(endpoint: Endpoint, params: URLSearchParams): unknown {
  if (!endpoint.query && params.size === 0) return undefined;
  const allowed = endpoint.query && "shape" in endpoint.query ? Object.keys(endpoint.query.shape as object) : [];
  const list = allowed.length > 0 ? `Allowed parameters: ${allowed.join(", ")}.` : "No parameters are allowed.";
  const errors: FieldErrors = Object.create(null); // a parameter may be called __proto__
  for (const name of new Set(params.keys())) {
    if (!allowed.includes(nameOfParameter(name))) errors[name] = [`The ${name} parameter is not supported. ${list}`];
    else if (params.getAll(name).length > 1) errors[name] = [`The ${name} parameter must be given once. ${list}`];
    else if (/[\0\ufffd]/.test(params.get(name) ?? "")) errors[name] = [`The ${name} is invalid.`];
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  return endpoint.query ? parseInput(endpoint.query, parametersOf(params)) : undefined;
}

/** Serializes the fields that the response schema names, and no others. A result that does not match is our bug: 500. */
export function serialize<E extends Endpoint>({ list, response }: E, result: Result<E>): string {
  const shown = (value: unknown) => (conforms(response, value) ? value : response.parse(value));
  if (!list) return envelope(shown(result));
  const { rows, page } = result as Page<unknown>;
  return envelope(rows.map(shown), page);
}
