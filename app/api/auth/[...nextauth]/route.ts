import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions } from "@/lib/auth/options";

type Context = { params: Promise<{ nextauth: string[] }> };

const serve = (request: NextRequest, context: Context): Promise<Response> =>
  NextAuth(authOptions())(request, context) as Promise<Response>;

export { serve as GET, serve as POST };
