import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { LoadFailure, Skeleton } from "@/components/ui/list/list-frame";
import { onDemand } from "@/components/ui/on-demand";
import { useToasts } from "@/components/ui/toasts";
import { useHydrated } from "@/components/ui/use-hydrated";
import { When } from "@/components/ui/when";
import { canUsePasskeys } from "@/lib/client/passkeys";
import { useOwnPasskeys, useRemovePasskey } from "@/lib/resources/account/queries";

const AddPasskey = onDemand(() => import("./add-passkey").then(({ AddPasskey }) => AddPasskey));

/** @param hasApp whether an authenticator app is a second step, too */
export function Passkeys({ hasApp }: { hasApp: boolean }) {
  const t = useTranslations("account.passkeys");
  const passkeys = useOwnPasskeys();
  const remove = useRemovePasskey();
  const toasts = useToasts();
  const { confirm, openSheet } = useDialogs();
  const hydrated = useHydrated();

  if (passkeys.isPending) return <Skeleton of="single.passkeys" />;
  if (passkeys.isError) return <LoadFailure of="single.passkeys" query={passkeys} />;
  const { rows } = passkeys.data;
  const ask = (id: string, name: string) =>
    confirm({
      title: t("removeTitle", { name }),
      body: <p>{t(rows.length === 1 && !hasApp ? "removeLastText" : "removeText")}</p>,
      action: t("remove"),
      destructive: true,
      run: () =>
        remove.mutateAsync(id).then(
          () => toasts.add({ title: t("removed", { name }) }),
          (error: Error) => toasts.failed(t("failed"), error),
        ),
    });
  return (
    <div className="grid justify-items-start gap-4">
      {rows.length > 0 && (
        <ul aria-label={t("label")} className="w-full overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
          {rows.map(({ _id, name, created_at, last_used_at }) => (
            <li
              key={_id}
              className="flex min-h-16 items-center gap-4 border-b border-kumo-hairline px-4 py-2.5 last:border-0"
            >
              <div className="min-w-0 flex-1">
                <p className="text-base font-medium wrap-anywhere text-kumo-strong">{name}</p>
                <p className="text-sm text-kumo-subtle">
                  {t.rich(last_used_at ? "used" : "unused", {
                    added: () => <When at={created_at} />,
                    used: () => last_used_at && <When at={last_used_at} />,
                  })}
                </p>
              </div>
              <Button
                variant="secondary"
                size="sm"
                aria-label={t("removeNamed", { name })}
                onClick={() => void ask(_id, name)}
              >
                {t("remove")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {hydrated && !canUsePasskeys() ? (
        <p className="text-base text-kumo-subtle">{t("unsupported")}</p>
      ) : (
        <Button
          variant="secondary"
          onClick={() => openSheet({ title: t("addTitle"), content: (close) => <AddPasskey onDone={close} /> })}
        >
          {t("add")}
        </Button>
      )}
    </div>
  );
}
