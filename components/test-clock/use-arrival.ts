import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type ReadClock, testClockKey } from "@/lib/resources/test-clock/queries";

/** Refetches everything when the test clock arrives. */
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
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== testClockKey[0] });
    latest.current(clock);
  }, [clock, client]);
}
