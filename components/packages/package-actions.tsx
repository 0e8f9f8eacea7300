"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { RowMenu } from "@/components/shell/row-menu";
import { useToasts } from "@/components/ui/toasts";
import type { PackageWithCounts } from "@/lib/packages/contract";
import { type PackageAction, usePackageAction } from "@/lib/packages/queries";

/** Edit, always; the rest only where the package's state allows it. */
export function PackageActions({ pkg, onEdit }: { pkg: PackageWithCounts; onEdit: () => void }) {
  const t = useTranslations("packages");
  const [asking, setAsking] = useState<PackageAction | null>(null);
  const { mutate, isPending } = usePackageAction();
  const toasts = useToasts();
  const used = pkg.subscriber_count > 0;
  const { name } = pkg;
  const b = (chunks: ReactNode) => <b className="font-medium text-kumo-default">{chunks}</b>;

  function act(action: PackageAction): void {
    mutate(
      { id: pkg._id, action },
      {
        onSuccess: () => toasts.add({ title: t(`questions.${action}.done`, { name }) }),
        onError: (error) => toasts.failed(t("actions.failed"), error),
        onSettled: () => setAsking(null),
      },
    );
  }

  const confirm = (action: PackageAction) => ({
    title: t(`questions.${action}.title`),
    action: t(`questions.${action}.action`),
    open: asking === action,
    onOpenChange: (open: boolean) => setAsking(open ? action : null),
    destructive: true,
    busy: isPending,
    onConfirm: () => act(action),
  });

  return (
    <div className="flex items-center justify-end">
      <Button
        variant="ghost"
        shape="square"
        icon={<PencilSimpleIcon size={16} />}
        aria-label={t("actions.edit", { name })}
        onClick={onEdit}
      />
      {pkg.status === "cancel" && used ? (
        <span className="size-9" />
      ) : (
        <RowMenu
          label={t("actions.more", { name })}
          actions={[
            pkg.status === "active" && {
              label: t("actions.cancel"),
              icon: ProhibitIcon,
              onClick: () => setAsking("cancel"),
            },
            !used && {
              label: t("actions.remove"),
              icon: TrashIcon,
              destructive: true,
              onClick: () => setAsking("remove"),
            },
          ]}
        />
      )}
      <ConfirmAction {...confirm("cancel")}>
        <p>{t.rich("questions.cancel.text", { name, b })}</p>
        {used && <p>{t("questions.cancel.subscribers", { count: pkg.subscriber_count })}</p>}
      </ConfirmAction>
      <ConfirmAction {...confirm("remove")}>
        <p>{t.rich("questions.remove.text", { name, b })}</p>
      </ConfirmAction>
    </div>
  );
}
