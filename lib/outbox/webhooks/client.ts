import { promises as dns } from "node:dns";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { env } from "@/lib/core/env";
import { isLocalhost, isPublic, literalAddress } from "./address";

const timeoutMs = 15_000;
const connectTimeoutMs = 10_000;
/** Of one of several addresses, so that the next ones are tried in time. */
const addressTimeoutMs = 3_000;
/** Addresses tried of IPv4 and of IPv6: a host may name any number that never answer. */
const maxAddressesOfEach = 2;
const maxResponseBytes = 4_096;

export interface Outcome {
  status: number | null;
  /** A sentence for the merchant; null unless the request failed. */
  error: string | null;
  latency_ms: number;
  response: string | null;
}

class Refused extends Error {}

export const mayCallLocalhost = (livemode: boolean): boolean => !livemode && env().WEBHOOKS_ALLOW_LOCALHOST;

/**
 * The allowed addresses of a URL's host.
 * @throws Refused when there is none
 */
async function addressesOf(hostname: string, local: boolean): Promise<string[]> {
  if (isLocalhost(hostname)) {
    if (!local) throw new Refused("The address is on this machine.");
    return hostname === "localhost" ? ["127.0.0.1", "::1"] : [literalAddress(hostname) ?? ""];
  }
  const literal = literalAddress(hostname);
  const found = literal ? [literal] : await resolve(hostname);
  const allowed = found.filter(isPublic);
  if (allowed.length === 0) throw new Refused("The address is not on the public internet.");
  return allowed;
}

/** Uses DNS directly: the system resolver has four threads per process, and slow names would block them all. */
async function resolve(name: string): Promise<string[]> {
  const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  const found = answers.flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value.slice(0, maxAddressesOfEach) : [],
  );
  if (found.length === 0) throw new Error("The host's name could not be resolved.");
  return found;
}

const connectToOnly = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
const connectToNext = buildConnector({ timeout: addressTimeoutMs, allowH2: false });

/**
 * Connects to the address that was checked, so that a second DNS lookup cannot return another one (DNS rebinding). The
 * certificate is still checked against the name.
 */
function guardedConnector(local: boolean): buildConnector.connector {
  return (options, callback) => {
    const { hostname } = options;
    const attempt = async () => {
      const addresses = await addressesOf(hostname, local);
      const connect = addresses.length > 1 ? connectToNext : connectToOnly;
      for (const [index, address] of addresses.entries()) {
        try {
          return await connectTo(connect, { ...options, hostname: address });
        } catch (error) {
          if (index === addresses.length - 1) throw error;
        }
      }
      throw new Refused("There is no address.");
    };
    attempt().then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function connectTo(connect: buildConnector.connector, options: buildConnector.Options) {
  return new Promise<Parameters<buildConnector.Callback>[1] & object>((done, fail) => {
    connect(options, (error, socket) => (socket ? done(socket) : fail(error)));
  });
}

// A new connection per attempt: every address is checked, and no attempt hits a connection that the peer has closed.
const agents = {
  public: new Agent({ connect: guardedConnector(false), pipelining: 0 }),
  local: new Agent({ connect: guardedConnector(true), pipelining: 0 }),
};

/**
 * Posts a body to a merchant's endpoint. Uses no proxy, follows no redirect, and reaches only the public internet. With
 * `local` it also reaches localhost URLs.
 * @param stopping aborts the request
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  { local, stopping }: { local: boolean; stopping?: AbortSignal },
): Promise<Outcome> {
  const startedMs = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout;
  const outcome: Outcome = { status: null, error: null, latency_ms: 0, response: null };
  try {
    const { protocol, hostname, username, password } = new URL(url);
    if (protocol !== "https:" && !(protocol === "http:" && local && isLocalhost(hostname)))
      throw new Refused("The address is not https.");
    if (username || password) throw new Refused("The address has a user in it.");
    const dispatcher = local ? agents.local : agents.public;
    const answer = await rejectOnAbort(signal, request(url, { method: "POST", headers, body, signal, dispatcher }));
    outcome.status = answer.statusCode;
    outcome.response = await readStart(answer.body);
  } catch (error) {
    outcome.error = explain(error, timeout.aborted);
  }
  outcome.latency_ms = Math.round(performance.now() - startedMs);
  return outcome;
}

/** Rejects as soon as the signal is aborted: undici checks it only after it has connected, and then sends nothing. */
function rejectOnAbort<T>(signal: AbortSignal, pending: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const stop = () => fail(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    // A signal with a listener lives as long as the worker.
    pending.then(done, fail).finally(() => signal.removeEventListener("abort", stop));
  });
}

/**
 * Connects to a live endpoint's host as `post` does, and sends nothing.
 * @returns a sentence that says why it failed; null if it connected
 */
export function connectionError(url: string): Promise<string | null> {
  const { protocol, hostname, host, port } = new URL(url);
  return new Promise((done) => {
    guardedConnector(false)({ protocol, hostname, host, port }, (error, socket) => {
      socket?.destroy();
      done(error && explain(error, false));
    });
  });
}

/** Reads the first bytes of a body as text and drops the rest. */
async function readStart(body: Dispatcher.ResponseData["body"]): Promise<string> {
  body.on("error", () => undefined); // errors after the part that is read
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxResponseBytes) break;
    }
  } finally {
    body.destroy();
  }
  // PostgreSQL text cannot contain NUL.
  return Buffer.concat(chunks).subarray(0, maxResponseBytes).toString("utf8").replaceAll("\0", "\ufffd");
}

const systemErrors: Record<string, string> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was reset.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The network cannot be reached.",
  ETIMEDOUT: "The connection timed out.",
  UND_ERR_CONNECT_TIMEOUT: "The connection timed out.",
  UND_ERR_SOCKET: "The connection was closed before the answer was complete.",
  UND_ERR_HEADERS_OVERFLOW: "The answer's headers are too large.",
};

function explain(error: unknown, timedOut: boolean): string {
  if (timedOut) return "There was no complete answer within 15 seconds.";
  if (!(error instanceof Error)) return "The request failed.";
  const code = "code" in error ? String(error.code) : "";
  if (/^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code))
    return `The TLS connection failed: ${code}.`;
  return (systemErrors[code] ?? error.message).slice(0, 300);
}
