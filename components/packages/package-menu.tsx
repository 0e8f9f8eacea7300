import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useDialogs } from "@/components/ui/dialogs";
import { RowMenu } from "@/components/ui/row-menu";
import { useToasts } from "@/components/ui/toasts";
import { type PackageWithCounts, packageEndpoints } from "@/lib/resources/packages/contract";
import { type PackageAction, usePackageAction } from "@/lib/resources/packages/queries";
import { useSubscribers } from "./subscriber-count";

interface PackageMenuProps {
  pkg: PackageWithCounts;
  variant?: "ghost" | "secondary";
  instead?: ReactNode;
  onRemoved?: () => void;
}

const b = (chunks: ReactNode) => <bdi className="font-medium text-kumo-default">{chunks}</bdi>;

export function PackageMenu({ pkg, variant, instead, onRemoved }: PackageMenuProps) {
  const t = useTranslations("packages");
  const { confirm } = useDialogs();
  const act = usePackageAction();
  const toasts = useToasts();
  const may = useMay();
  const subscribers = useSubscribers()(pkg);
  const { _id: id, name, status } = pkg;
  const canCancel = may(packageEndpoints.update) && status === "active";
  const canRemove = may(packageEndpoints.remove) && subscribers.count === 0;
  if (!canCancel && !canRemove) return instead;

  const ask = (action: PackageAction) =>
    void confirm({
      title: t(`questions.${action}.title`),
      body: (
        <>
          <p>{t.rich(`questions.${action}.text`, { name, b })}</p>
          {action === "cancel" && subscribers.count > 0 && <p>{t("questions.cancel.subscribers", subscribers)}</p>}
        </>
      ),
      action: t(`questions.${action}.action`),
      destructive: true,
      run: async () => {
        const texts = { done: t(`questions.${action}.done`, { name }), failed: t("actions.failed") };
        const done = await toasts.report(act.mutateAsync({ id, action }), texts);
        if (done && action === "remove") onRemoved?.();
      },
    });

  return (
    <RowMenu
      label={t("actions.more", { name })}
      variant={variant}
      actions={[
        canCancel && { label: t("actions.cancel"), icon: ProhibitIcon, onClick: () => ask("cancel") },
        canRemove && {
          label: t("actions.remove"),
          icon: TrashIcon,
          destructive: true,
          onClick: () => ask("remove"),
        },
      ]}
    />
  );
}
