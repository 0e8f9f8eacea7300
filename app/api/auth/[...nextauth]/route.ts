import type { NextApiRequest, NextApiResponse } from "next";
import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/options";
import { isSameOrigin } from "@/lib/auth/session";
import { actAs } from "@/lib/core/acting";
import { ApiError } from "@/lib/core/errors";
import { addressOf } from "@/lib/core/network";
import { requestIdOf, respond } from "@/lib/http/handle";
import { toResponse } from "@/lib/http/reply";

type Context = { params: Promise<{ nextauth: string[] }> };

/** Only the paths that the dashboard uses: the library answers bad input to its other paths with 500. */
const allowedPaths: Record<string, readonly string[]> = {
  GET: ["csrf", "providers"],
  POST: ["callback/credentials", "signout"],
};

async function serve(request: NextRequest, context: Context): Promise<Response> {
  const path = (await context.params).nextauth.join("/");
  if (!allowedPaths[request.method]?.includes(path)) return refuse(request, new ApiError("not_found"));
  if (request.method === "POST" && !isSameOrigin(request)) return refuse(request, new ApiError("forbidden"));
  const type = request.headers.get("content-type") ?? "";
  if (request.method === "POST" && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    return refuse(request, new ApiError("unsupported_media_type", "The Content-Type must be that of a form."));
  const who = { type: "system", id: null, requestId: requestIdOf(request), address: addressOf(request) } as const;
  return limited(await actAs(who, () => answerOf(request, path)));
}

const rememberedUrl = /^[^=]*callback-url(=|$)/;

/**
 * The library's answer. It gets no callbackUrl, neither from the query, nor from the form, nor from the cookie in which it
 * remembers one: it answers 500 to a bad one, and our pages need none.
 */
async function answerOf(request: NextRequest, path: string): Promise<Response> {
  const cookies = request.cookies.getAll().filter(({ name }) => !rememberedUrl.test(name));
  const { callbackUrl: _, ...body } = Object.fromEntries(new URLSearchParams(await request.text()));
  const asked = {
    method: request.method,
    query: { nextauth: path.split("/") },
    headers: Object.fromEntries(request.headers),
    cookies: Object.fromEntries(cookies.map(({ name, value }) => [name, value])),
    body,
  };
  const headers = new Headers();
  let status = 200;
  let content: string | null = null;
  const answer = {
    status: (code: number) => {
      status = code;
      return answer;
    },
    getHeader: (name: string) => (name === "Set-Cookie" ? headers.getSetCookie() : headers.get(name)),
    setHeader: (name: string, value: string | string[]) => {
      headers.delete(name);
      for (const each of [value].flat()) if (!rememberedUrl.test(each)) headers.append(name, each);
      return answer;
    },
    json: (value: unknown) => {
      headers.set("Content-Type", "application/json");
      content = JSON.stringify(value);
    },
    send: (value: unknown) => answer.json(value),
    end: () => undefined,
  };
  await NextAuth(asked as unknown as NextApiRequest, answer as unknown as NextApiResponse, authOptions());
  return new Response(content, { status, headers });
}

/** The library answers 401 to a sign-in over the rate limit. This turns it into 429 with Retry-After. */
async function limited(answer: Response): Promise<Response> {
  if (answer.status !== 401) return answer;
  const text = await answer.text();
  const until = /TooManyAttempts\.(\d+)/.exec(text)?.[1];
  if (until === undefined) return new Response(text, { status: 401, headers: answer.headers });
  const headers = new Headers(answer.headers);
  headers.set("Retry-After", String(Math.max(1, Math.ceil((Number(until) - Date.now()) / 1000))));
  return new Response(text, { status: 429, headers });
}

const refuse = async (request: Request, error: ApiError): Promise<Response> =>
  toResponse(
    await respond(request, () => {
      throw error;
    }),
  );

export { serve as DELETE, serve as GET, serve as HEAD, serve as PATCH, serve as POST, serve as PUT };
