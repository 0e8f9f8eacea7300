import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { env, required } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { clientHeader } from "@/lib/core/network";
import {
  browserCookie,
  cookieOf,
  decodeSession,
  endSession,
  sessionCookie,
  sessionHours,
  sessionIdIn,
} from "./session";
import { signIn, signInWithCode, signInWithPasskey } from "./sign-in";

declare module "next-auth" {
  interface User {
    sid?: string;
  }
}

/** The error that asks for the second step, by the factors that the person has. The sign-in page reads it. */
const neededFactors = { code: "CodeNeeded", passkey: "PasskeyNeeded", either: "CodeOrPasskeyNeeded" };

/** @returns null for no JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * next-auth's settings: a password sign-in, and a token that carries only the id of a `session` row. Deleting the row ends
 * the session at once. Made per request, because the environment is not known at build time.
 */
export function authOptions(): NextAuthOptions {
  // next-auth reads its base URL from NEXTAUTH_URL; Paydesk's is APP_URL.
  process.env.NEXTAUTH_URL ??= env().APP_URL;
  const secure = env().APP_URL.startsWith("https:");
  return {
    secret: required("APP_SECRET"),
    jwt: { decode: async ({ token }) => (token ? decodeSession(token) : null) },
    useSecureCookies: secure,
    session: { strategy: "jwt", maxAge: sessionHours * 3600 },
    cookies: {
      sessionToken: { name: sessionCookie(), options: { httpOnly: true, sameSite: "lax", path: "/", secure } },
    },
    pages: { signIn: "/login", signOut: "/login", error: "/login" },
    providers: [
      Credentials({
        credentials: { email: {}, password: {}, ticket: {}, code: {}, passkey: {} },
        authorize: async (given, request) => {
          const { email, password, ticket, code, passkey } = given ?? {};
          const address = String(request.headers?.[clientHeader] ?? "unknown");
          const agent = request.headers?.["user-agent"];
          const cookies = String(request.headers?.cookie ?? "");
          const previousSession = await sessionIdIn(cookies);
          const client = { address, agent: typeof agent === "string" ? agent : null, previousSession };
          const attempt = passkey
            ? signInWithPasskey({
                passkey: parseJson(passkey),
                ticket: ticket ?? null,
                browser: cookieOf(cookies, browserCookie()),
                ...client,
              })
            : typeof ticket === "string" && typeof code === "string"
              ? signInWithCode({ ticket, code, ...client })
              : typeof email === "string" && typeof password === "string"
                ? signIn({ email, password, ...client })
                : null;
          if (!attempt) return null;
          // next-auth puts a thrown message into a URL that the browser sees: throw codes, never an error's own text.
          const result = await attempt.catch((error: unknown) => {
            log.error({ err: error }, "sign-in failed");
            throw new Error("Unavailable");
          });
          if (result.outcome === "limited") throw new Error(`TooManyAttempts.${result.retryAt.getTime()}`);
          if (result.outcome === "factor_needed") throw new Error(`${neededFactors[result.factors]}.${result.ticket}`);
          return result.outcome === "signed_in" ? { id: result.userId, sid: result.sessionId } : null;
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ sid: user?.sid ?? token.sid }),
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sid === "string") await endSession(token.sid);
      },
    },
    logger: {
      error: (code) => log.error({ code }, "next-auth"),
      warn: (code) => log.debug({ code }, "next-auth"),
      debug: () => undefined,
    },
  };
}
