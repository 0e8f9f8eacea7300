import { useQuery, useQueryClient } from "@tanstack/react-query";
import { call, pageMode } from "@/lib/client/call";
import { useMutation } from "@/lib/client/use-mutation";
import { testClockEndpoints as endpoints, type TestClock } from "./contract";

export const testClockKey = ["test-clock"] as const;

export interface ReadClock extends TestClock {
  /** Milliseconds ahead of this computer's clock. */
  ahead: number;
}

export const readClock = (clock: TestClock): ReadClock => ({ ...clock, ahead: Date.parse(clock.now) - Date.now() });

/** By more than two computers' clocks may differ. */
export const isAhead = (clock: ReadClock): boolean => clock.ahead > 120_000;

/** Refetches often while the clock is being advanced, and occasionally while it is ahead. */
export function useTestClock() {
  return useQuery({
    queryKey: testClockKey,
    enabled: pageMode() === "test", // live mode has no clock of its own
    queryFn: async ({ signal }) => readClock(await call(endpoints.get, { signal })),
    refetchInterval: ({ state: { data } }) => {
      if (data?.status === "advancing") return 400;
      return data && isAhead(data) ? 30_000 : false;
    },
  });
}

/** The business's time: the test clock's if that is ahead. */
export const nowOf = (clock: ReadClock | null | undefined): Date =>
  new Date(Date.now() + (clock && isAhead(clock) ? clock.ahead : 0));

export const useNow = (): Date => nowOf(useTestClock().data);

export function useAdvanceClock() {
  const client = useQueryClient();
  return useMutation({
    // An earlier response would say that the clock is ready, and end the polling.
    onMutate: () => client.cancelQueries({ queryKey: testClockKey }),
    mutationFn: (to: string) => call(endpoints.advance, { body: { to } }),
    onSuccess: (clock) => client.setQueryData(testClockKey, readClock(clock)),
    onError: () => client.invalidateQueries({ queryKey: testClockKey }),
  });
}
