"use client";

import { Toasty } from "@cloudflare/kumo/components/toast";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiFailure, type Mode, showing } from "@/lib/api/client";
import { loginPath } from "./next-path";

/** The session has ended (signed out elsewhere, idle, expired): to the sign-in page, and back here afterwards. */
function leaveWhenSignedOut(error: Error): void {
  if (!(error instanceof ApiFailure) || error.status !== 401) return;
  const path = loginPath(window.location.pathname + window.location.search);
  window.location.assign(`${path}${path.includes("?") ? "&" : "?"}ended=1`);
}

/** Another tab has taken the session to another business: this page shows nothing of it. */
function reloadWhenElsewhere(error: Error): void {
  if (error instanceof ApiFailure && error.code === "business_changed") window.location.reload();
}

function onError(error: Error): void {
  leaveWhenSignedOut(error);
  reloadWhenElsewhere(error);
}

function makeClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 10_000,
        // Only what may pass by itself; a refusal stays one.
        retry: (count, error) =>
          count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status === 503),
        retryDelay: (count) => 400 * 2 ** count,
      },
      // A write is repeated by people, not by the machine.
      mutations: { networkMode: "always", retry: false },
    },
  });
}

interface ProvidersProps {
  mode: Mode;
  businessId: number;
  children: ReactNode;
}

/** A switch of mode or business loads the whole page again, so what is kept here is of one mode and business. */
export function Providers({ mode, businessId, children }: ProvidersProps) {
  const [client] = useState(() => {
    showing({ mode, businessId });
    return makeClient();
  });
  return (
    <QueryClientProvider client={client}>
      <Toasty>{children}</Toasty>
    </QueryClientProvider>
  );
}
