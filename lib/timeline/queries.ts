import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "@/lib/api/client";
import { timelineEndpoints as endpoints } from "./contract";

/** What a timeline is of. */
export type TimelineOf = { paymentLink: string } | { subscription: string };

/**
 * What has happened to a payment link or a subscription, and what is to come; page by page. Its key hangs below the
 * resource's own, so that a change of that asks for this anew too.
 */
export function useTimeline(of: TimelineOf) {
  const [root, endpoint, id] =
    "paymentLink" in of
      ? (["payment-links", endpoints.ofPaymentLink, of.paymentLink] as const)
      : (["subscriptions", endpoints.ofSubscription, of.subscription] as const);
  return useInfiniteQuery({
    queryKey: [root, "timeline", id],
    queryFn: ({ pageParam, signal }) => call(endpoint, { id, query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.next_cursor,
  });
}
