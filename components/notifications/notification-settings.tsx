import { useState } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { useMode } from "@/components/shell/may";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { useToasts } from "@/components/ui/toasts";
import { useUnsaved } from "@/components/ui/unsaved";
import type { Account } from "@/lib/resources/account/contract";
import type { ChoiceInput, NotificationChoice } from "@/lib/resources/account/notifications-contract";
import { useNotificationChoice, useUpdateNotificationChoice } from "@/lib/resources/account/queries";
import { useReloadNotifications } from "@/lib/resources/notifications/queries";
import type { NotificationKind } from "@/lib/resources/notifications/types";

export function NotificationSettings({ account }: { account: Account }) {
  const choice = useNotificationChoice();
  if (choice.isPending) return <Skeleton of="single.notificationSettings" />;
  if (choice.isError) return <LoadFailure of="single.notificationSettings" query={choice} />;
  return <ChoiceForm business={account.business_name} choice={choice.data} />;
}

function ChoiceForm({ business, choice }: { business: string; choice: NotificationChoice }) {
  const t = useTranslations("notifications.settings");
  const kinds = useTranslations("notifications.kinds");
  const explainFailure = useExplainFailure();
  const zone = useTimeZone() ?? "UTC";
  const mode = useMode();
  const save = useUpdateNotificationChoice();
  const reloadBell = useReloadNotifications();
  const toasts = useToasts();
  const [chosen, setChosen] = useState<ChoiceInput>({ bell: choice.bell, mail: choice.mail, digest: choice.digest });
  const [problem, setProblem] = useState<string | null>(null);

  const isSame = (one: readonly string[], other: readonly string[]) =>
    [...one].sort().join() === [...other].sort().join();
  useUnsaved(!isSame(chosen.bell, choice.bell) || !isSame(chosen.mail, choice.mail) || chosen.digest !== choice.digest);

  function toggle(channel: "bell" | "mail", kind: NotificationKind): void {
    const before = chosen[channel];
    const after = before.includes(kind) ? before.filter((each) => each !== kind) : [...before, kind];
    setChosen({ ...chosen, [channel]: after });
  }

  async function send(): Promise<void> {
    setProblem(null);
    try {
      await save.mutateAsync(chosen);
      reloadBell();
      toasts.add({ title: t("saved") });
    } catch (error) {
      setProblem(explainFailure(error as Error));
    }
  }

  return (
    <form
      aria-label={t("label")}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Alert>{problem}</Alert>
      <p className="text-base text-kumo-subtle">{t(mode)}</p>
      <table className="w-full overflow-hidden rounded-xl bg-kumo-base text-base ring ring-kumo-line">
        <caption className="sr-only">{t("table", { business })}</caption>
        <thead>
          <tr className="border-b border-kumo-hairline text-sm text-kumo-subtle">
            <th scope="col" className="px-4 py-2 text-left font-medium">
              {t("what")}
            </th>
            <th scope="col" className="w-16 px-2 py-2 font-medium sm:w-24">
              {t("bell")}
            </th>
            <th scope="col" className="w-16 px-2 py-2 font-medium sm:w-24">
              {t("mail")}
            </th>
          </tr>
        </thead>
        <tbody>
          {choice.available.map((kind) => (
            <tr key={kind} className="border-b border-kumo-hairline last:border-0">
              <th scope="row" className="px-4 py-2.5 text-left font-normal text-kumo-default">
                {kinds(kind)}
              </th>
              {(["bell", "mail"] as const).map((channel) => (
                <td key={channel} className="px-2 text-center">
                  <label className="inline-grid size-10 cursor-pointer place-items-center">
                    <input
                      type="checkbox"
                      checked={chosen[channel].includes(kind)}
                      onChange={() => toggle(channel, kind)}
                      aria-label={t(channel === "bell" ? "inBell" : "byMail", { kind: kinds(kind) })}
                      className="size-4.5 accent-(--ink-brand)"
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-sm text-kumo-subtle">{t("mailHint")}</p>
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          checked={chosen.digest}
          onChange={() => setChosen({ ...chosen, digest: !chosen.digest })}
          className="mt-0.5 size-4.5 shrink-0 accent-(--ink-brand)"
        />
        <span>
          <span className="text-base font-medium text-kumo-strong">{t("digest")}</span>
          <span className="block text-sm text-kumo-subtle">{t("digestHint", { zone })}</span>
        </span>
      </label>
      <div>
        <Button type="submit" variant="secondary" loading={save.isPending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
