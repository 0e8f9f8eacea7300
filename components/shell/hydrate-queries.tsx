"use client";

import { type DehydratedState, HydrationBoundary } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { OnPhone } from "@/components/ui/use-media";
import { isOfPage, type Mode } from "@/lib/client/call";

interface HydrateQueriesProps {
  place: { mode: Mode; businessId: number; userId: string };
  onPhone: boolean;
  state: DehydratedState;
  children: ReactNode;
}

/** If this computer's clock is behind the server's, what it reads later would count as older than what came with the page. */
const notLaterThanNow = ({ queries, ...rest }: DehydratedState): DehydratedState => ({
  ...rest,
  queries: queries.map((query) => ({
    ...query,
    state: { ...query.state, dataUpdatedAt: Math.min(query.state.dataUpdatedAt, Date.now()) },
  })),
});

/**
 * Fills the query cache with what the server has read. If another tab has switched the mode or business meanwhile,
 * the page fetches its own data.
 */
export function HydrateQueries({ place, onPhone, state, children }: HydrateQueriesProps) {
  const read = useMemo(() => notLaterThanNow(state), [state]);
  return (
    <OnPhone value={onPhone}>
      <HydrationBoundary state={isOfPage(place) ? read : undefined}>{children}</HydrationBoundary>
    </OnPhone>
  );
}
