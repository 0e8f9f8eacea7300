"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { Search, StatusFilter } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { onDemand } from "@/components/ui/on-demand";
import { useCreateSheet } from "@/components/ui/use-create-sheet";
import { useMedia } from "@/components/ui/use-media";
import { tokenizationEndpoints, tokenizationStatuses } from "@/lib/resources/tokenizations/contract";
import { type TokenizationFilter, useTokenizations } from "@/lib/resources/tokenizations/queries";
import { TokenizationCards } from "./tokenization-cards";
import { TokenizationTable } from "./tokenization-table";
import { useStatusLabels } from "./words";

const CreateTokenization = onDemand(() =>
  import("./create-tokenization").then(({ CreateTokenization }) => CreateTokenization),
);

const readFilter = (params: URLSearchParams): TokenizationFilter => readCommon(params, tokenizationStatuses);

/** The list of saved cards, and of those that payers have been asked for. */
export function TokenizationsPage() {
  const t = useTranslations("tokenizations");
  const titles = useTranslations("titles");
  const statusLabels = useStatusLabels();
  const { filter, show } = useListAddress(readFilter);
  const { status, q } = filter;
  const tokenizations = useTokenizations(filter);
  const wide = useMedia("(min-width: 64rem)");
  const canCreate = useMay()(tokenizationEndpoints.create);
  const openCreateSheet = useCreateSheet(canCreate, {
    title: t("list.create"),
    content: (close) => <CreateTokenization onDone={close} />,
  });

  const create = canCreate ? (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openCreateSheet}>
      {t("list.create")}
    </Button>
  ) : null;
  const asked = [status && t("asked.status", { status: statusLabels[status] }), q && t("asked.q", { q })].filter(
    (part) => !!part,
  );
  const List = wide ? TokenizationTable : TokenizationCards;

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{titles("tokenizations")}</h1>
        {create}
      </div>
      <div className="mb-4 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
        <StatusFilter labels={statusLabels} status={status} onChange={(next) => show({ status: next, q }, "replace")} />
        <Search
          label={t("list.search")}
          placeholder={t("list.searchHint")}
          q={q}
          onSearch={(next) => show({ status, q: next }, "replace")}
        />
      </div>
      <ListFrame
        rows={tokenizations}
        of="tokenizations"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title={t("list.emptyTitle")} action={create}>
            {t("list.empty")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}
