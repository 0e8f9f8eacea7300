"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { Sheet } from "@/components/ui/sheet";
import { sheetPart } from "@/components/ui/sheet-part";
import { useCreating } from "@/components/ui/use-creating";
import { type PackageWithCounts, packageEndpoints } from "@/lib/resources/packages/contract";
import { packagesQueryOptions } from "@/lib/resources/packages/queries";
import { useOwnCurrency } from "@/lib/resources/settings/queries";
import { packageColumns } from "./columns";
import { packageFilters } from "./filters";

const PackageForm = sheetPart(() => import("./package-form").then(({ PackageForm }) => PackageForm));

/** The list of packages: what there is to subscribe to. */
export function PackagesPage() {
  const t = useTranslations("packages");
  const titles = useTranslations("titles");
  const address = useListAddress(packageFilters);
  const currency = useOwnCurrency();
  const canCreate = useMay()(packageEndpoints.create);
  const [open, setOpen] = useCreating(canCreate);
  const [editing, setEditing] = useState<PackageWithCounts | null>(null);

  function openForm(pkg: PackageWithCounts | null): void {
    setEditing(pkg);
    setOpen(true);
  }

  const create = canCreate && (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={() => openForm(null)}>
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
        columns={packageColumns(openForm)}
        caption={t("list.caption")}
        empty={{ title: t("list.emptyTitle"), text: t("list.empty"), action: create }}
      />
      <Sheet open={open} onOpenChange={setOpen} title={t(editing ? "form.editTitle" : "form.createTitle")}>
        {currency && <PackageForm pkg={editing} currency={currency} onSaved={() => setOpen(false)} />}
      </Sheet>
    </>
  );
}
