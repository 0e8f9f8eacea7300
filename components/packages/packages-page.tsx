"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { Search, StatusFilter } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { onDemand } from "@/components/ui/on-demand";
import { useCreateSheet } from "@/components/ui/use-create-sheet";
import { useMedia } from "@/components/ui/use-media";
import { type PackageWithCounts, packageEndpoints, packageStatuses } from "@/lib/resources/packages/contract";
import { type PackageFilter, usePackages } from "@/lib/resources/packages/queries";
import { PackageCards } from "./package-cards";
import { PackageTable } from "./package-table";
import { useStatusLabels } from "./words";

const PackageForm = onDemand(() => import("./package-form").then(({ PackageForm }) => PackageForm));

const readFilter = (params: URLSearchParams): PackageFilter => readCommon(params, packageStatuses);

/** The list of packages: what there is to subscribe to. */
export function PackagesPage() {
  const t = useTranslations("packages");
  const titles = useTranslations("titles");
  const statusLabels = useStatusLabels();
  const { filter, show } = useListAddress(readFilter);
  const { status, q } = filter;
  const packages = usePackages(filter);
  const wide = useMedia("(min-width: 64rem)");
  const canCreate = useMay()(packageEndpoints.create);
  const openCreateSheet = useCreateSheet(canCreate, {
    title: t("form.createTitle"),
    content: (close) => <PackageForm pkg={null} onSaved={close} />,
  });
  const { openSheet } = useDialogs();
  const edit = (pkg: PackageWithCounts) =>
    openSheet({ title: t("form.editTitle"), content: (close) => <PackageForm pkg={pkg} onSaved={close} /> });

  const create = canCreate ? (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openCreateSheet}>
      {t("list.create")}
    </Button>
  ) : null;
  const asked = [
    status && t("asked.status", { status: statusLabels[status] }),
    q && t("asked.text", { text: q }),
  ].filter((part) => !!part);
  const List = wide ? PackageTable : PackageCards;

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{titles("packages")}</h1>
        {create}
      </div>
      <div className="mb-4 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
        <StatusFilter labels={statusLabels} status={status} onChange={(next) => show({ status: next, q }, "replace")} />
        <Search
          label={t("list.search")}
          placeholder={t("list.searchPlaceholder")}
          q={q}
          onSearch={(next) => show({ status, q: next }, "replace")}
        />
      </div>
      <ListFrame
        rows={packages}
        of="packages"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title={t("list.emptyTitle")} action={create}>
            {t("list.empty")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} onEdit={edit} />}
      </ListFrame>
    </>
  );
}
