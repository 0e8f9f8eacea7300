import { useInfiniteQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { timelineEndpoints as endpoints } from "./contract";

export type TimelineOf =
  | { paymentLink: string }
  | { subscription: string }
  | { package: string }
  | { customer: string }
  | { tokenization: string };

function sourceOf(of: TimelineOf) {
  if ("paymentLink" in of) return ["payment-links", endpoints.ofPaymentLink, of.paymentLink] as const;
  if ("subscription" in of) return ["subscriptions", endpoints.ofSubscription, of.subscription] as const;
  if ("customer" in of) return ["customers", endpoints.ofCustomer, of.customer.toLowerCase()] as const;
  if ("package" in of) return ["packages", endpoints.ofPackage, of.package] as const;
  return ["tokenizations", endpoints.ofTokenization, of.tokenization] as const;
}

/** A timeline, page by page. Its key begins with the resource's root, so that invalidating that refetches the timeline. */
export function useTimeline(of: TimelineOf) {
  const [root, endpoint, id] = sourceOf(of);
  return useInfiniteQuery({
    queryKey: [root, "timeline", id],
    queryFn: ({ pageParam, signal }) => call(endpoint, { id, query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.next_cursor,
  });
}
