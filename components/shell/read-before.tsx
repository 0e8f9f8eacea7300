"use client";

import { type DehydratedState, HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { OnPhone } from "@/components/ui/list/rows";
import { isShown, type Mode } from "@/lib/client/call";

interface ReadBeforeProps {
  /** Whose data it is. */
  place: { mode: Mode; businessId: number; userId: string };
  onPhone: boolean;
  state: DehydratedState;
  children: ReactNode;
}

/**
 * Takes over what the server has read for a page. Not where another tab has switched the mode or the business since this
 * page's frame was loaded: the page asks for its own then, and finds out.
 */
export function ReadBefore({ place, onPhone, state, children }: ReadBeforeProps) {
  return (
    <OnPhone value={onPhone}>
      <HydrationBoundary state={isShown(place) ? state : undefined}>{children}</HydrationBoundary>
    </OnPhone>
  );
}
