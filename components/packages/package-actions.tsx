import { PencilSimpleIcon } from "@phosphor-icons/react/dist/ssr/PencilSimple";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { EditTarget } from "@/components/ui/edit-target";
import { type PackageWithCounts, packageEndpoints } from "@/lib/resources/packages/contract";
import { PackageMenu } from "./package-menu";

export function PackageActions({ pkg, onEdit }: { pkg: PackageWithCounts; onEdit: () => void }) {
  const t = useTranslations("packages.actions");
  const may = useMay();
  return (
    <div className="flex items-center justify-end">
      {may(packageEndpoints.update) && (
        <EditTarget edit={onEdit}>
          <Button
            variant="ghost"
            shape="square"
            icon={<PencilSimpleIcon size={16} />}
            aria-label={t("edit", { name: pkg.name })}
            onClick={onEdit}
          />
        </EditTarget>
      )}
      <PackageMenu pkg={pkg} instead={<span className="size-9 pointer-coarse:size-11" />} />
    </div>
  );
}
