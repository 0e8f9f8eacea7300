"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useCreateSheet } from "@/components/shell/use-create-sheet";
import { useListAddress } from "@/components/shell/use-list-address";
import { ListPage } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { tokenizationsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { tokenizationColumns } from "./columns";
import { tokenizationFilters } from "./filters";

const CreateTokenization = onDemand(() =>
  import("./create-tokenization").then(({ CreateTokenization }) => CreateTokenization),
);

const TokenizationPage = onDemand(() => import("./tokenization-page").then(({ TokenizationPage }) => TokenizationPage));

export function TokenizationsPage() {
  const t = useTranslations("tokenizations.list");
  const titles = useTranslations("titles");
  const address = useListAddress(tokenizationFilters);
  const create = useCreateSheet({
    endpoint: tokenizationEndpoints.create,
    form: CreateTokenization,
    title: t("create"),
    content: (close) => <CreateTokenization onDone={close} />,
  });
  return (
    <ListPage
      of="tokenizations"
      title={titles("tokenizations")}
      lead={t("lead")}
      create={create}
      query={useQuery(tokenizationsQueryOptions(address.query))}
      address={address}
      filters={tokenizationFilters}
      peek={(id) => <TokenizationPage id={id} />}
      columns={tokenizationColumns}
      caption={t("caption")}
      empty={{ title: t("emptyTitle"), text: t("empty") }}
    >
      <SavedViews list="tokenizations" address={address} />
      <ExportButton endpoint={tokenizationEndpoints.export} query={address.query} />
    </ListPage>
  );
}
