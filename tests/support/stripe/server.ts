import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { apiVersion, type Book, type Remembered, token } from "./books";
import { ApiError, badParameter } from "./errors";
import { type Faults, keyRefusals, limits } from "./faults";
import { decode, type Raw, readable } from "./params";
import { findRoute } from "./routes";

export type LoggedRequest = {
  method: string;
  path: string;
  idempotencyKey: string | null;
  params: Record<string, unknown>;
  /** 0 for a request lost before it was executed. */
  status: number;
};

type Reply = { status: number; body: unknown; replayed?: boolean };
type Setting = { faults: Faults; log: LoggedRequest[]; bookOf: (secretKey: string) => Book | undefined };
type ApiCall = {
  method: string;
  path: string;
  raw: Record<string, Raw>;
  sent: string;
  key: string | null;
  requestId: string;
};

const day = 86_400_000;

/** Answers one API request and logs it. */
export async function answerApi(req: IncomingMessage, res: ServerResponse, setting: Setting): Promise<void> {
  const url = new URL(req.url ?? "/", "http://localhost");
  const method = req.method ?? "GET";
  const text = await bodyOf(req);
  const raw = decode(method === "POST" ? text : url.search);
  const sent = JSON.stringify([...new URLSearchParams(text)].sort()); // the order of parameters does not matter
  const key = method === "POST" ? header(req, "idempotency-key") : null;
  const call: ApiCall = { method, path: url.pathname, raw, sent, key, requestId: `req_${token(14)}` };
  const log = (status: number) => {
    const params = readable(raw) as Record<string, unknown>;
    setting.log.push({
      method,
      path: call.path,
      idempotencyKey: key,
      params: Array.isArray(params) ? {} : params,
      status,
    });
  };

  const fault = setting.faults.draw(method, call.path);
  if (fault?.kind === "lost_request") {
    log(0);
    req.socket.destroy();
    return;
  }
  if (fault?.kind === "proxy_limited") {
    log(429);
    res.writeHead(429, { "Content-Type": "text/html" }).end("<h1>Too many requests</h1>");
    return;
  }
  const reply = await attempt(() => {
    const book = authenticate(req, setting);
    if (fault && fault.kind in keyRefusals) {
      const [status, code, message] = keyRefusals[fault.kind as keyof typeof keyRefusals];
      throw new ApiError(status, { type: "invalid_request_error", code, message });
    }
    if (fault && fault.kind in limits) {
      const code = limits[fault.kind as keyof typeof limits];
      throw new ApiError(429, { type: "invalid_request_error", code, message: "Too many requests." });
    }
    if (fault?.kind === "error_500") throw failure(false);
    if (method === "POST" && text && !header(req, "content-type")?.startsWith("application/x-www-form-urlencoded")) {
      throw new ApiError(400, { type: "invalid_request_error", message: "Bodies must be form-encoded." });
    }
    const wait = fault?.kind === "slow" ? (fault.ms ?? 200) : 0;
    return executeOnce(book, call, { wait, fails: fault?.kind === "error_500_stored" });
  });
  log(reply.status);
  if (fault?.kind === "lost_reply") {
    req.socket.destroy();
    return;
  }
  res.writeHead(reply.status, {
    "Content-Type": "application/json",
    "Request-Id": call.requestId,
    "Stripe-Version": apiVersion,
    ...(key ? { "Idempotency-Key": key } : {}),
    ...(reply.status === 501 ? { "Stripe-Should-Retry": "false" } : {}), // a retry cannot succeed
    ...(reply.replayed ? { "Idempotent-Replayed": "true" } : {}),
  });
  res.end(JSON.stringify(reply.body));
}

export async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function authenticate(req: IncomingMessage, { bookOf }: Setting): Book {
  const [scheme, value = ""] = (header(req, "authorization") ?? "").split(" ");
  const secretKey = scheme === "Basic" ? Buffer.from(value, "base64").toString().replace(/:$/, "") : value;
  const book = bookOf(secretKey);
  if (!book) {
    const message = secretKey ? `Invalid API key provided: ****${secretKey.slice(-4)}` : "No API key was provided.";
    throw new ApiError(401, { type: "invalid_request_error", message });
  }
  const version = header(req, "stripe-version");
  if (version !== null && version !== apiVersion) {
    throw new ApiError(400, { type: "invalid_request_error", message: `Invalid Stripe API version: ${version}` });
  }
  const acting = header(req, "stripe-account") ?? header(req, "stripe-context");
  if (acting !== null && acting !== book.account.id) {
    const message = `The key has no access to account '${acting}'.`;
    throw new ApiError(403, { type: "invalid_request_error", code: "account_invalid", message });
  }
  return book;
}

const failure = (executed: boolean) =>
  new ApiError(500, { type: "api_error", message: "Something went wrong." }, executed);

/** Executes a request, or returns the stored response of its idempotency key. */
async function executeOnce(
  book: Book,
  call: ApiCall,
  { wait, fails }: { wait: number; fails: boolean },
): Promise<Reply> {
  const found = findRoute(call.method, call.path);
  if (!found) {
    const message = `Unrecognized request URL (${call.method}: ${call.path}).`;
    throw new ApiError(404, { type: "invalid_request_error", message });
  }
  const { key, path } = call;
  const params = call.sent;
  if (key !== null && key.length > 255) throw badParameter("An idempotency key has at most 255 characters.");
  const known = key === null ? undefined : book.remembered.get(key);
  if (known && book.clock() - known.at < day) return repeat(known, path, params);
  const work = found.route.prepare(call.raw, found.id);

  const entry: Remembered = { path, params, at: book.clock(), reply: null };
  if (key !== null) book.remembered.set(key, entry);
  await (wait > 0 ? sleep(wait) : turn());
  return attempt(() => {
    book.cause = { requestId: call.requestId, idempotencyKey: key };
    try {
      if (fails) throw failure(true);
      const body = work(book);
      entry.reply = { status: 200, body };
      return entry.reply;
    } catch (error) {
      if (error instanceof ApiError && error.executed) entry.reply = { status: error.status, body: errorBody(error) };
      throw error;
    } finally {
      book.cause = { requestId: null, idempotencyKey: null };
      if (key !== null && !entry.reply) book.remembered.delete(key);
    }
  });
}

function repeat(known: Remembered, path: string, params: string): Reply {
  if (known.path !== path || known.params !== params) {
    const message = "This idempotency key was used before, for another address or with other parameters.";
    throw new ApiError(400, { type: "idempotency_error", message });
  }
  if (!known.reply) {
    const message = "Another request with this idempotency key is still being executed.";
    throw new ApiError(409, { type: "invalid_request_error", code: "idempotency_key_in_use", message });
  }
  return { ...known.reply, replayed: true };
}

async function attempt(run: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: errorBody(error) };
  }
}

const errorBody = (error: ApiError) => ({ error: error.envelope });

function header(req: IncomingMessage, name: string): string | null {
  const value = req.headers[name];
  return typeof value === "string" ? value : null;
}
