"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { signOut } from "next-auth/react";
import { useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { explainFailure } from "@/components/ui/explain-failure";
import { When } from "@/components/ui/when";
import { useEndOtherSessions, useEndSession, useOwnSessions } from "@/lib/account/queries";

/** Where the person is signed in, and the way out of it. */
export function Sessions() {
  const sessions = useOwnSessions();
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  const toasts = useKumoToastManager();
  const [asking, setAsking] = useState(false);
  const failed = (error: Error) =>
    toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" });

  async function everywhere(): Promise<void> {
    try {
      await endOthers.mutateAsync(undefined);
      await signOut({ redirect: false });
      window.location.assign("/login");
    } catch (error) {
      setAsking(false);
      failed(error as Error);
    }
  }

  if (sessions.isPending) return <Skeleton what="sessions" />;
  if (sessions.isError) return <LoadFailure what="sessions" query={sessions} />;
  return (
    <div className="grid justify-items-start gap-4">
      <ul aria-label="Sessions" className="w-full overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
        {sessions.data.rows.map(({ _id, browser, device, address, current, last_seen_at }) => (
          <li
            key={_id}
            className="flex min-h-16 items-center gap-4 border-b border-kumo-hairline px-4 py-2.5 last:border-0"
          >
            <div className="min-w-0 flex-1">
              <p className="text-base font-medium text-kumo-strong">
                {[browser, device].filter(Boolean).join(" on ") || "Unknown browser"}
              </p>
              <p className="text-sm wrap-anywhere text-kumo-subtle">
                {address ?? "Unknown address"} · {current ? "this browser" : <When at={last_seen_at} />}
              </p>
            </div>
            {!current && (
              <Button
                variant="secondary"
                size="sm"
                loading={end.isPending && end.variables === _id}
                onClick={() => end.mutate(_id, { onError: failed })}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <ConfirmAction
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        busy={endOthers.isPending}
        onConfirm={() => void everywhere()}
      >
        <p>Every browser that is signed in as you, this one too, has to sign in again.</p>
      </ConfirmAction>
    </div>
  );
}
