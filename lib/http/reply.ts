import { Readable } from "node:stream";
import type { Incoming } from "@/lib/core/incoming";

/** A response before it is sent. The front server sends it directly; a `Response` is made only for the framework. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** A file of any size is iterated while it is sent. */
  body: string | Uint8Array | AsyncIterable<string> | null;
}

/** The values of a path's segments in brackets. */
export type Params = Record<string, string | string[] | undefined>;

export type Serve = (request: Incoming, params: Params) => Reply | Promise<Reply>;

/** What a route.ts exports for a method. The framework calls it; the front server calls its `serve`, which costs less. */
export interface RouteHandler {
  (request: Request, context: { params: Promise<Params | undefined> }): Promise<Response>;
  serve: Serve;
}

export function routeHandler(serve: Serve): RouteHandler {
  const answer = async (request: Request, context: { params: Promise<Params | undefined> }) =>
    toResponse(await serve(request, (await context.params) ?? {})); // the framework gives a fixed path no params
  return Object.assign(answer, { serve });
}

export function toResponse({ status, headers, body }: Reply): Response {
  const content =
    body === null || typeof body === "string" || body instanceof Uint8Array
      ? (body as BodyInit | null)
      : streamOf(body);
  return new Response(content, { status, headers });
}

function streamOf(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoded = Readable.from(parts).map((part: string) => Buffer.from(part));
  return Readable.toWeb(encoded) as ReadableStream<Uint8Array>;
}

export const jsonReply = (status: number, body: object, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  body: JSON.stringify(body),
});

/** The reply without its body, for HEAD. */
export const bodiless = (reply: Reply): Reply => ({ ...reply, body: null });
