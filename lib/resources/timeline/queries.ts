import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { timelineEndpoints as endpoints } from "./contract";

/** What a timeline is of. */
export type TimelineOf =
  | { paymentLink: string }
  | { subscription: string }
  | { package: string }
  | { tokenization: string };

function sourceOf(of: TimelineOf) {
  if ("paymentLink" in of) return ["payment-links", endpoints.ofPaymentLink, of.paymentLink] as const;
  if ("subscription" in of) return ["subscriptions", endpoints.ofSubscription, of.subscription] as const;
  if ("package" in of) return ["packages", endpoints.ofPackage, of.package] as const;
  return ["tokenizations", endpoints.ofTokenization, of.tokenization] as const;
}

/**
 * What has happened to something, and what is to come; page by page. Its key hangs below the resource's own, so that a
 * change of that asks for this anew too.
 */
export function useTimeline(of: TimelineOf) {
  const [root, endpoint, id] = sourceOf(of);
  return useInfiniteQuery({
    queryKey: [root, "timeline", id],
    queryFn: ({ pageParam, signal }) => call(endpoint, { id, query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.next_cursor,
  });
}
