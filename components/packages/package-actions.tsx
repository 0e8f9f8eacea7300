"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { useTranslations } from "use-intl";
import type { PackageWithCounts } from "@/lib/packages/contract";
import { PackageMenu } from "./package-menu";

/** Edit, always; the rest only where the package's state allows it. */
export function PackageActions({ pkg, onEdit }: { pkg: PackageWithCounts; onEdit: () => void }) {
  const t = useTranslations("packages.actions");
  return (
    <div className="flex items-center justify-end">
      <Button
        variant="ghost"
        shape="square"
        icon={<PencilSimpleIcon size={16} />}
        aria-label={t("edit", { name: pkg.name })}
        onClick={onEdit}
      />
      <PackageMenu pkg={pkg} instead={<span className="size-9" />} />
    </div>
  );
}
