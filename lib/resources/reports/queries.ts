import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { read } from "@/lib/client/read";
import { forecastReportEndpoints } from "@/lib/resources/subscriptions/forecast-contract";
import { reportEndpoints as endpoints } from "./contract";
import { problemEndpoints } from "./problems-contract";

const root = ["reports"] as const;

export const overviewQueryOptions = (days: { from: string; to: string }) =>
  queryOptions({
    ...read(endpoints.overview, { query: days }),
    queryKey: [...root, "overview", days],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data && !(data.open && data.recurring) ? 2_000 : 30_000),
  });

/** Read every 30 s, independently of the figures; faster while a payment's outcome is unknown. */
export const problemsQueryOptions = () =>
  queryOptions({
    ...read(problemEndpoints.problems),
    queryKey: [...root, "problems"],
    refetchInterval: ({ state: { data } }) => (data && data.unknown_payments.length > 0 ? 5_000 : 30_000),
  });

export const ratesQueryOptions = (days: { from: string; to: string }) =>
  queryOptions({
    ...read(endpoints.rates, { query: days }),
    queryKey: [...root, "rates", days],
    placeholderData: keepPreviousData,
  });

export function useForecast(enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: [...root, "forecast"],
    queryFn: ({ signal }) => call(forecastReportEndpoints.forecast, { query: { days: "90" }, signal }),
    refetchInterval: ({ state: { data } }) => (data && !data.days ? 5_000 : false),
  });
}
