import { useQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";

/** The newest subscriptions of an e-mail. */
export function useCustomersSubscriptions(email: string) {
  return useQuery({
    queryKey: ["subscriptions", "of", email],
    queryFn: ({ signal }) => call(subscriptionEndpoints.list, { query: { email }, signal }),
  });
}

/** The newest cards that were saved, or asked for, for an e-mail. */
export function useCustomersCards(email: string) {
  return useQuery({
    queryKey: ["tokenizations", "of", email],
    queryFn: ({ signal }) => call(tokenizationEndpoints.list, { query: { email }, signal }),
  });
}
