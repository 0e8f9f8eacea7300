"use client";

import { MutationCache, type Query, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { IntlProvider, useLocale } from "use-intl";
import { Confirmation } from "@/components/auth/confirmation";
import type { Person } from "@/components/auth/rejoin-business";
import { SessionDialog } from "@/components/auth/session-dialog";
import { DialogsProvider } from "@/components/ui/dialogs";
import { ToastRegion } from "@/components/ui/toasts";
import { allowLeaving } from "@/components/ui/unsaved";
import { ApiFailure } from "@/lib/client/api-failure";
import { type Mode, setPageContext } from "@/lib/client/call";
import type { Settings } from "@/lib/resources/settings/contract";
import { settingsKey, useTimeZone } from "@/lib/resources/settings/queries";
import { isAhead, type ReadClock, testClockKey } from "@/lib/resources/test-clock/queries";
import { LeaveGuard } from "./leave-guard";
import { OwnRole, ShownMode } from "./may";

/** After a switch of the business, or into one that requires a second factor: the server then shows the right page. */
function reloadIfOutdated(error: Error): void {
  if (!(error instanceof ApiFailure) || !["business_changed", "two_factor_required"].includes(error.code ?? "")) return;
  allowLeaving();
  window.location.reload();
}

/** Keeps what was read before if a refetch fails for the moment: an error page would discard the open forms. */
function keepStaleData(error: Error, query: Query<unknown, unknown, unknown>): void {
  const isTransient =
    error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 500);
  if (isTransient && query.state.data !== undefined) query.setState({ status: "success", error: null });
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        reloadIfOutdated(error);
        keepStaleData(error, query);
      },
    }),
    mutationCache: new MutationCache({ onError: reloadIfOutdated }),
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 10_000,
        // Not after a refusal: it would be refused again.
        retry: (count, error) =>
          count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status === 503),
        retryDelay: (count) => 400 * 2 ** count,
      },
      // The user decides whether to repeat a write.
      mutations: { networkMode: "always", retry: false },
    },
  });
}

interface ProvidersProps {
  mode: Mode;
  person: Person;
  /** The response of GET /api/settings. Pages need its time zone for their first render. */
  settings: Settings;
  /** Null in live mode. */
  clock: ReadClock | null;
  children: ReactNode;
}

/** The providers' state belongs to one mode and business: switching either loads the whole page again. */
export function Providers({ mode, person, settings, clock, children }: ProvidersProps) {
  // Kept as first rendered: after a refresh for another business or role, the page must still name the old one.
  const [shown] = useState(person);
  const [client] = useState(() => {
    setPageContext({ mode, businessId: person.businessId, userId: person.userId });
    const queryClient = createQueryClient();
    queryClient.setQueryData(settingsKey, settings);
    // Stale at once if it is ahead: the browser's own clock may differ from the server's.
    if (clock) queryClient.setQueryData(testClockKey, clock, isAhead(clock) ? { updatedAt: 1 } : {});
    return queryClient;
  });
  // Another tab has switched the mode: a refresh would put its frame around this mode's page.
  const [rendered] = useState(mode);
  useEffect(() => {
    if (mode === rendered) return;
    allowLeaving();
    window.location.reload();
  }, [mode, rendered]);
  return (
    <QueryClientProvider client={client}>
      <OwnRole value={shown.role}>
        <ShownMode value={rendered}>
          <BusinessTimeZone>
            <DialogsProvider>
              {children}
              <Confirmation />
            </DialogsProvider>
          </BusinessTimeZone>
        </ShownMode>
      </OwnRole>
      <SessionDialog person={shown} />
      <LeaveGuard />
      <ToastRegion />
    </QueryClientProvider>
  );
}

function BusinessTimeZone({ children }: { children: ReactNode }) {
  return (
    <IntlProvider locale={useLocale()} timeZone={useTimeZone()}>
      {children}
    </IntlProvider>
  );
}
