import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { read } from "@/lib/client/read";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { reportEndpoints as endpoints } from "./contract";

const root = ["reports"] as const;

export const overviewKey = [...root, "overview"] as const;

export const overviewQueryOptions = (days: { from: string; to: string }) =>
  queryOptions({
    ...read(endpoints.overview, { query: days }),
    queryKey: [...overviewKey, days],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data && !(data.open && data.recurring) ? 2_000 : 30_000),
  });

export const ratesQueryOptions = (days: { from: string; to: string }) =>
  queryOptions({
    ...read(endpoints.rates, { query: days }),
    queryKey: [...root, "rates", days],
    placeholderData: keepPreviousData,
  });

export function useForecast() {
  return useQuery({
    queryKey: [...root, "forecast"],
    queryFn: ({ signal }) => call(subscriptionEndpoints.forecast, { query: { days: "90" }, signal }),
    refetchInterval: ({ state: { data } }) => (data && !data.days ? 5_000 : false),
  });
}

export function useFailedRefunds() {
  return useQuery({
    queryKey: [...root, "failed-refunds"],
    queryFn: ({ signal }) => call(refundEndpoints.list, { query: { status: "failed", per_page: "5" }, signal }),
  });
}
