import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call, pageMode } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { testClockEndpoints as endpoints, type TestClock } from "./contract";

const root = ["test-clock"] as const;

export interface ReadClock extends TestClock {
  /** Milliseconds ahead of this computer's clock. */
  ahead: number;
}

const read = (clock: TestClock): ReadClock => ({ ...clock, ahead: Date.parse(clock.now) - Date.now() });

/** By more than two computers' clocks may differ. */
export const isAhead = (clock: ReadClock): boolean => clock.ahead > 120_000;

/** Refetches often while the clock is being advanced, and occasionally while it is ahead. */
export function useTestClock() {
  return useQuery({
    queryKey: root,
    enabled: pageMode() === "test", // live mode has no clock of its own
    queryFn: async ({ signal }) => read(await call(endpoints.get, { signal })),
    refetchInterval: ({ state: { data } }) => {
      if (data?.status === "advancing") return 400;
      return data && isAhead(data) ? 30_000 : false;
    },
  });
}

export function useNow(): Date {
  const { data } = useTestClock();
  return new Date(Date.now() + (data && isAhead(data) ? data.ahead : 0));
}

export function useAdvanceClock() {
  const client = useQueryClient();
  return useMutation({
    // An earlier response would say that the clock is ready, and end the polling.
    onMutate: () => client.cancelQueries({ queryKey: root }),
    mutationFn: (to: string) => call(endpoints.advance, { body: { to } }),
    onSuccess: (clock) => client.setQueryData(root, read(clock)),
    onError: () => client.invalidateQueries({ queryKey: root }),
  });
}

export function useArrival(clock: ReadClock | undefined, onArrival: (clock: ReadClock) => void): void {
  const client = useQueryClient();
  const underway = useRef(false);
  const latest = useRef(onArrival);
  latest.current = onArrival;
  useEffect(() => {
    if (!clock) return;
    const arrived = underway.current && clock.status === "ready";
    underway.current = clock.status === "advancing";
    if (!arrived) return;
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== root[0] });
    latest.current(clock);
  }, [clock, client]);
}
