"use client";

import { MutationCache, type Query, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { IntlProvider, useLocale } from "use-intl";
import type { Person } from "@/components/auth/come-back";
import { SessionDialog } from "@/components/auth/session-dialog";
import { DialogsProvider } from "@/components/ui/dialogs";
import { ToastRegion } from "@/components/ui/toasts";
import { letGo } from "@/components/ui/unsaved";
import { ApiFailure, type Mode, setPageContext } from "@/lib/client/call";
import type { Settings } from "@/lib/resources/settings/contract";
import { settingsKey, useTimeZone } from "@/lib/resources/settings/queries";
import { LeaveGuard } from "./leave-guard";
import { OwnRole, ShownMode } from "./may";

/** Another tab has taken the session to another business: this page shows nothing of it. */
function reloadWhenElsewhere(error: Error): void {
  if (!(error instanceof ApiFailure) || error.code !== "business_changed") return;
  letGo();
  window.location.reload();
}

/**
 * Looking again did not work, by the network or for a moment: what was read before stays. A page that took it down would take
 * down the forms that are open in it.
 */
function keepWhatWasRead(error: Error, query: Query<unknown, unknown, unknown>): void {
  const passing = error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 500);
  if (passing && query.state.data !== undefined) query.setState({ status: "success", error: null });
}

function makeClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        reloadWhenElsewhere(error);
        keepWhatWasRead(error, query);
      },
    }),
    mutationCache: new MutationCache({ onError: reloadWhenElsewhere }),
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
  person: Person;
  /** As GET /api/settings answers: every page shows times in the business's zone, and none waits for it. */
  settings: Settings;
  children: ReactNode;
}

/** A switch of mode or business loads the whole page again, so what is kept here is of one mode and business. */
export function Providers({ mode, person, settings, children }: ProvidersProps) {
  // As rendered: a refresh for another business or role must not pass for this one.
  const [shown] = useState(person);
  const [client] = useState(() => {
    setPageContext({ mode, businessId: person.businessId, userId: person.userId });
    const made = makeClient();
    made.setQueryData(settingsKey, settings);
    return made;
  });
  // Another tab has switched the mode, and a refresh would put the new one's frame around the old one's page.
  const [rendered] = useState(mode);
  useEffect(() => {
    if (mode === rendered) return;
    letGo();
    window.location.reload();
  }, [mode, rendered]);
  return (
    <QueryClientProvider client={client}>
      <OwnRole value={shown.role}>
        <ShownMode value={rendered}>
          <BusinessTimeZone>
            <DialogsProvider>{children}</DialogsProvider>
          </BusinessTimeZone>
        </ShownMode>
      </OwnRole>
      <SessionDialog person={shown} />
      <LeaveGuard />
      <ToastRegion />
    </QueryClientProvider>
  );
}

/** Shows times in the business's time zone. */
function BusinessTimeZone({ children }: { children: ReactNode }) {
  return (
    <IntlProvider locale={useLocale()} timeZone={useTimeZone()}>
      {children}
    </IntlProvider>
  );
}
