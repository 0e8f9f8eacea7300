"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useCreateSheet } from "@/components/shell/use-create-sheet";
import { useListAddress } from "@/components/shell/use-list-address";
import { useDialogs } from "@/components/ui/dialogs";
import { ListPage } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { type PackageWithCounts, packageEndpoints } from "@/lib/resources/packages/contract";
import { packagesQueryOptions } from "@/lib/resources/packages/queries";
import { packageColumns } from "./columns";
import { packageFilters } from "./filters";

const PackageForm = onDemand(() => import("./package-form").then(({ PackageForm }) => PackageForm));

const PackagePage = onDemand(() => import("./package-page").then(({ PackagePage }) => PackagePage));

export function PackagesPage() {
  const t = useTranslations("packages");
  const titles = useTranslations("titles");
  const address = useListAddress(packageFilters);
  const { openSheet } = useDialogs();
  const create = useCreateSheet({
    endpoint: packageEndpoints.create,
    form: PackageForm,
    title: t("list.create"),
    content: (close) => <PackageForm pkg={null} onSaved={close} />,
  });
  const edit = (pkg: PackageWithCounts) =>
    openSheet({ title: t("form.editTitle"), content: (close) => <PackageForm pkg={pkg} onSaved={close} /> });
  return (
    <ListPage
      of="packages"
      title={titles("packages")}
      lead={t("list.lead")}
      create={create}
      query={useQuery(packagesQueryOptions(address.query))}
      address={address}
      filters={packageFilters}
      peek={(id) => <PackagePage id={id} />}
      columns={packageColumns(edit)}
      caption={t("list.caption")}
      empty={{ title: t("list.emptyTitle"), text: t("list.empty") }}
    >
      <SavedViews list="packages" address={address} />
      <ExportButton endpoint={packageEndpoints.export} query={address.query} />
    </ListPage>
  );
}
