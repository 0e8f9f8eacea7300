"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { ProhibitIcon } from "@phosphor-icons/react/dist/ssr/Prohibit";
import { TrashIcon } from "@phosphor-icons/react/dist/ssr/Trash";
import { useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { RowMenu } from "@/components/shell/row-menu";
import { explainFailure } from "@/components/ui/explain-failure";
import type { PackageWithCounts } from "@/lib/packages/contract";
import { type PackageAction, usePackageAction } from "@/lib/packages/queries";

const done = { cancel: "Cancelled", remove: "Deleted" } as const;

/** Edit, always; the rest only where the package's state allows it. */
export function PackageActions({ pkg, onEdit }: { pkg: PackageWithCounts; onEdit: () => void }) {
  const [asking, setAsking] = useState<PackageAction | null>(null);
  const { mutate, isPending } = usePackageAction();
  const toasts = useKumoToastManager();
  const used = pkg.subscriber_count > 0;
  const name = <b className="font-medium text-kumo-default">{pkg.name}</b>;

  function act(action: PackageAction): void {
    mutate(
      { id: pkg._id, action },
      {
        onSuccess: () => toasts.add({ title: `${done[action]}: ${pkg.name}` }),
        onError: (error) =>
          toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
        onSettled: () => setAsking(null),
      },
    );
  }

  const confirm = (action: PackageAction) => ({
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
        aria-label={`Edit ${pkg.name}`}
        onClick={onEdit}
      />
      {pkg.status === "cancel" && used ? (
        <span className="size-9" />
      ) : (
        <RowMenu label={`More for ${pkg.name}`}>
          {pkg.status === "active" && (
            <DropdownMenu.Item icon={ProhibitIcon} onClick={() => setAsking("cancel")}>
              Cancel package
            </DropdownMenu.Item>
          )}
          {!used && (
            <DropdownMenu.Item icon={TrashIcon} variant="danger" onClick={() => setAsking("remove")}>
              Delete
            </DropdownMenu.Item>
          )}
        </RowMenu>
      )}
      <ConfirmAction {...confirm("cancel")} title="Cancel this package?" action="Cancel package">
        <p>Nobody can subscribe to {name} any more. This cannot be undone.</p>
        {used && (
          <p>
            {pkg.subscriber_count === 1
              ? "The one who subscribes to it keeps being charged"
              : `The ${pkg.subscriber_count} who subscribe to it keep being charged`}{" "}
            every period: cancel a subscription to end it.
          </p>
        )}
      </ConfirmAction>
      <ConfirmAction {...confirm("remove")} title="Delete this package?" action="Delete">
        <p>{name} disappears from the list. This cannot be undone.</p>
      </ConfirmAction>
    </div>
  );
}
