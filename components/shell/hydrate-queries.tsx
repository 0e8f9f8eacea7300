"use client";

import { type DehydratedState, HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { OnPhone } from "@/components/ui/use-media";
import { isOfPage, type Mode } from "@/lib/client/call";

interface HydrateQueriesProps {
  place: { mode: Mode; businessId: number; userId: string };
  onPhone: boolean;
  state: DehydratedState;
  children: ReactNode;
}

/**
 * Fills the query cache with what the server has read. If another tab has switched the mode or business meanwhile,
 * the page fetches its own data.
 */
export function HydrateQueries({ place, onPhone, state, children }: HydrateQueriesProps) {
  return (
    <OnPhone value={onPhone}>
      <HydrationBoundary state={isOfPage(place) ? state : undefined}>{children}</HydrationBoundary>
    </OnPhone>
  );
}
