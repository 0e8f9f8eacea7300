import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { ApiError } from "@/lib/api/errors";
import { respond } from "@/lib/api/handle";
import { authOptions } from "@/lib/auth/options";

type Context = { params: Promise<{ nextauth: string[] }> };

/** What the sign-in page and the user menu ask for. The library's other doors have no use here, and answer bad input with 500. */
const doors: Record<string, readonly string[]> = {
  GET: ["csrf", "providers"],
  POST: ["callback/credentials", "signout"],
};

async function serve(request: NextRequest, context: Context): Promise<Response> {
  const path = (await context.params).nextauth.join("/");
  if (!doors[request.method]?.includes(path)) return refuse(request, new ApiError("not_found"));
  const type = request.headers.get("content-type") ?? "";
  if (request.method === "POST" && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    return refuse(request, new ApiError("unsupported_media_type", "The Content-Type must be that of a form."));
  return NextAuth(authOptions())(request, context) as Promise<Response>;
}

const refuse = (request: Request, error: ApiError): Promise<Response> =>
  respond(request, () => {
    throw error;
  });

export { serve as DELETE, serve as GET, serve as HEAD, serve as PATCH, serve as POST, serve as PUT };
