import { dehydrate, QueryClient, type QueryKey, type QueryMeta } from "@tanstack/react-query";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { HydrateQueries } from "@/components/shell/hydrate-queries";
import { modeHeader } from "@/lib/auth/session";
import { addressOf, resultOf } from "@/lib/client/call";
import { env } from "@/lib/core/env";
import { currentMode, currentSession } from "./session";

export type Get = (request: Request, context: { params: Promise<{ id: string }> }) => Promise<Response>;

export interface Query {
  queryKey: QueryKey;
  meta?: QueryMeta;
}

/**
 * Runs the page's first queries on the server through the API's own GET, so that the first HTML has the rows.
 * The browser repeats a query that fails here and shows its error.
 */
export async function FirstRows({ reads, children }: { reads: [Get, Query][]; children: ReactNode }) {
  const session = await currentSession();
  if (!session) return children;
  const { businessId, userId } = session;
  const place = { mode: await currentMode(), businessId, userId };
  const sent = new Headers(await headers());
  sent.set(modeHeader, place.mode);
  const client = new QueryClient();
  await Promise.all(
    reads.map(([get, { queryKey, meta }]) =>
      client.prefetchQuery({ queryKey, retry: false, queryFn: () => prefetch(get, meta ?? {}, sent) }),
    ),
  );
  const onPhone = sent.get("sec-ch-ua-mobile") === "?1" || /Mobi/.test(sent.get("user-agent") ?? "");
  return (
    <HydrateQueries place={place} onPhone={onPhone} state={dehydrate(client)}>
      {children}
    </HydrateQueries>
  );
}

async function prefetch(get: Get, { endpoint, options = {} }: QueryMeta, sent: Headers): Promise<unknown> {
  if (!endpoint) throw new Error("The query names no endpoint");
  const request = new Request(new URL(addressOf(endpoint, options), env().APP_URL), { headers: sent });
  const response = await get(request, { params: Promise.resolve({ id: options.id ?? "" }) });
  return resultOf(endpoint, response, await response.text());
}
