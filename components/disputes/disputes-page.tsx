"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useListAddress } from "@/components/shell/use-list-address";
import { ButtonLink } from "@/components/ui/link";
import { ListPage } from "@/components/ui/list/list";
import { TotalRow } from "@/components/ui/list/total-row";
import { onDemand } from "@/components/ui/on-demand";
import { disputeEndpoints } from "@/lib/resources/disputes/contract";
import { disputesQueryOptions } from "@/lib/resources/disputes/queries";
import { disputeColumns } from "./columns";
import { disputeFilters } from "./filters";

const DisputePage = onDemand(() => import("./dispute-page").then(({ DisputePage }) => DisputePage));

export function DisputesPage() {
  const t = useTranslations("disputes.list");
  const titles = useTranslations("titles");
  const address = useListAddress(disputeFilters);
  const list = useQuery(disputesQueryOptions(address.query));
  return (
    <>
      <ListPage
        of="disputes"
        title={titles("disputes")}
        query={list}
        address={address}
        filters={disputeFilters}
        peek={(id) => <DisputePage id={id} />}
        columns={disputeColumns}
        caption={t(`caption.${address.filter.sort ?? "-created_at"}`)}
        empty={{
          title: t("emptyTitle"),
          text: t("empty"),
          action: <ButtonLink href="/payments">{t("toPayments")}</ButtonLink>,
        }}
      >
        <SavedViews list="disputes" address={address} />
        <ExportButton endpoint={disputeEndpoints.export} query={address.query} />
      </ListPage>
      <TotalRow endpoint={disputeEndpoints.list} list={list} query={address.query} />
    </>
  );
}
