"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { onDemand } from "@/components/ui/on-demand";
import { useCreateSheet } from "@/components/ui/use-create-sheet";
import { type PackageWithCounts, packageEndpoints } from "@/lib/resources/packages/contract";
import { packagesQueryOptions } from "@/lib/resources/packages/queries";
import { packageColumns } from "./columns";
import { packageFilters } from "./filters";

const PackageForm = onDemand(() => import("./package-form").then(({ PackageForm }) => PackageForm));

/** The list of packages: what there is to subscribe to. */
export function PackagesPage() {
  const t = useTranslations("packages");
  const titles = useTranslations("titles");
  const address = useListAddress(packageFilters);
  const canCreate = useMay()(packageEndpoints.create);
  const openCreateSheet = useCreateSheet(canCreate, {
    title: t("form.createTitle"),
    content: (close) => <PackageForm pkg={null} onSaved={close} />,
  });
  const { openSheet } = useDialogs();
  const edit = (pkg: PackageWithCounts) =>
    openSheet({ title: t("form.editTitle"), content: (close) => <PackageForm pkg={pkg} onSaved={close} /> });
  const create = canCreate && (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openCreateSheet}>
      {t("list.create")}
    </Button>
  );
  return (
    <>
      <ListHead title={titles("packages")} action={create} />
      <List
        of="packages"
        query={useQuery(packagesQueryOptions(address.filter))}
        address={address}
        filters={packageFilters}
        columns={packageColumns(edit)}
        caption={t("list.caption")}
        empty={{ title: t("list.emptyTitle"), text: t("list.empty"), action: create }}
      />
    </>
  );
}
