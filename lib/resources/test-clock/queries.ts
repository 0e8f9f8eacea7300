import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call, pageMode } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { testClockEndpoints as endpoints, type TestClock } from "./contract";

const root = ["test-clock"] as const;

/** The clock, and how far it is ahead of this computer's, in milliseconds. */
export interface ReadClock extends TestClock {
  ahead: number;
}

const read = (clock: TestClock): ReadClock => ({ ...clock, ahead: Date.parse(clock.now) - Date.now() });

/** Further than two computers' own clocks may differ. */
export const isAhead = (clock: ReadClock): boolean => clock.ahead > 120_000;

/** The clock of test mode: asked often while it is being advanced, and now and then while it is ahead. */
export function useTestClock() {
  return useQuery({
    queryKey: root,
    enabled: pageMode() === "test", // live mode has everybody's time
    queryFn: async ({ signal }) => read(await call(endpoints.get, { signal })),
    refetchInterval: ({ state: { data } }) => {
      if (data?.status === "advancing") return 400;
      return data && isAhead(data) ? 30_000 : false;
    },
  });
}

/** The time by which test mode lives: to tell what is due already. */
export function useNow(): Date {
  const { data } = useTestClock();
  return new Date(Date.now() + (data && isAhead(data) ? data.ahead : 0));
}

export function useAdvanceClock() {
  const client = useQueryClient();
  return useMutation({
    // An answer from before would say that it is ready, and nobody would look again.
    onMutate: () => client.cancelQueries({ queryKey: root }),
    mutationFn: (to: string) => call(endpoints.advance, { body: { to } }),
    onSuccess: (clock) => client.setQueryData(root, read(clock)),
    onError: () => client.invalidateQueries({ queryKey: root }),
  });
}

/** When the clock has arrived, everything on the screen is out of date: it is asked for anew. */
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
