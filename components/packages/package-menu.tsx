"use client";

import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { type PackageWithCounts, packageEndpoints } from "@/lib/resources/packages/contract";
import { type PackageAction, usePackageAction } from "@/lib/resources/packages/queries";

interface PackageMenuProps {
  pkg: PackageWithCounts;
  variant?: "ghost" | "secondary";
  /** What stands there when there is nothing. */
  instead?: ReactNode;
  onRemoved?: () => void;
}

const b = (chunks: ReactNode) => <bdi className="font-medium text-kumo-default">{chunks}</bdi>;

/** What can be done with a package beyond editing it: what its state allows whoever is signed in. */
export function PackageMenu({ pkg, variant, instead, onRemoved }: PackageMenuProps) {
  const t = useTranslations("packages");
  const [asking, setAsking] = useState<PackageAction | null>(null);
  const { mutate, isPending } = usePackageAction();
  const toasts = useToasts();
  const may = useMay();
  const used = pkg.subscriber_count > 0;
  const canCancel = may(packageEndpoints.update) && pkg.status === "active";
  const canRemove = may(packageEndpoints.remove) && !used;
  const { name } = pkg;

  function act(action: PackageAction): void {
    mutate(
      { id: pkg._id, action },
      {
        onSuccess: () => {
          toasts.add({ title: t(`questions.${action}.done`, { name }) });
          if (action === "remove") onRemoved?.();
        },
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
    <>
      {!canCancel && !canRemove ? (
        instead
      ) : (
        <RowMenu
          label={t("actions.more", { name })}
          variant={variant}
          actions={[
            canCancel && {
              label: t("actions.cancel"),
              icon: ProhibitIcon,
              onClick: () => setAsking("cancel"),
            },
            canRemove && {
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
    </>
  );
}
