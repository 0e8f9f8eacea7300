import { useTranslations } from "use-intl";
import { endSession } from "@/components/shell/end-session";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { useToasts } from "@/components/ui/toasts";
import { When } from "@/components/ui/when";
import { useEndOtherSessions, useEndSession, useOwnSessions } from "@/lib/resources/account/queries";

export function Sessions() {
  const t = useTranslations("account.sessions");
  const sessions = useOwnSessions();
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  const toasts = useToasts();
  const { confirm } = useDialogs();
  const failed = (error: Error) => toasts.failed(t("failed"), error);
  const signOutEverywhere = () =>
    confirm({
      title: t("everywhereTitle"),
      body: <p>{t("everywhereText")}</p>,
      action: t("everywhere"),
      run: () => endSession(() => endOthers.mutateAsync(undefined)).catch(failed),
    });

  if (sessions.isPending) return <Skeleton of="single.sessions" />;
  if (sessions.isError) return <LoadFailure of="single.sessions" query={sessions} />;
  return (
    <div className="grid justify-items-start gap-4">
      <ul aria-label={t("label")} className="w-full overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
        {sessions.data.rows.map(({ _id, browser, device, address, current, last_seen_at }) => (
          <li
            key={_id}
            className="flex min-h-16 items-center gap-4 border-b border-kumo-hairline px-4 py-2.5 last:border-0"
          >
            <div className="min-w-0 flex-1">
              <p className="text-base font-medium text-kumo-strong">
                {browser && device ? t("browserOn", { browser, device }) : browser || device || t("unknownBrowser")}
              </p>
              <p className="text-sm wrap-anywhere text-kumo-subtle">
                {address ?? t("unknownAddress")} · {current ? t("thisBrowser") : <When at={last_seen_at} />}
              </p>
            </div>
            {!current && (
              <Button
                variant="secondary"
                size="sm"
                loading={end.isPending && end.variables === _id}
                onClick={() => end.mutate(_id, { onError: failed })}
              >
                {t("signOut")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button variant="secondary" onClick={() => void signOutEverywhere()}>
        {t("everywhere")}
      </Button>
    </div>
  );
}
