import { headers } from "next/headers";
import { cache } from "react";
import { GET as getTestClock } from "@/app/api/test-clock/route";
import { businessHeader, modeHeader, personHeader } from "@/lib/auth/session";
import { addressOf } from "@/lib/client/call";
import type { ResultOf } from "@/lib/client/result";
import { resultOf } from "@/lib/client/result";
import { env } from "@/lib/core/env";
import type { Endpoint } from "@/lib/http/endpoint";
import { testClockEndpoints } from "@/lib/resources/test-clock/contract";
import { type ReadClock, readClock } from "@/lib/resources/test-clock/queries";
import { currentMode, currentSession } from "./session";

export type Get = (request: Request, context: { params: Promise<{ id: string }> }) => Promise<Response>;

interface Options {
  id?: string;
  query?: unknown;
}

/**
 * Calls a route's GET in this process, as the person of the page's request.
 * @throws ApiFailure for an error response
 */
export async function readRoute<const E extends Endpoint>(
  get: Get,
  endpoint: E,
  options: Options = {},
): Promise<ResultOf<E>> {
  const sent = new Headers(await headers());
  sent.set(modeHeader, await currentMode());
  const session = await currentSession();
  if (session) {
    // Refused if another tab has switched the business since the page's own look at the session.
    sent.set(businessHeader, String(session.businessId));
    sent.set(personHeader, session.userId);
  }
  const request = new Request(new URL(addressOf(endpoint, options), env().APP_URL), { headers: sent });
  const response = await get(request, { params: Promise.resolve({ id: options.id ?? "" }) });
  return resultOf(endpoint, response, await response.text());
}

/** The business's test clock; null in live mode, and if it cannot be read. */
export const currentClock = cache(async (): Promise<ReadClock | null> => {
  if ((await currentMode()) === "live") return null;
  return readRoute(getTestClock, testClockEndpoints.get).then(readClock, () => null);
});
