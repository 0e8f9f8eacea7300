"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { onDemand } from "@/components/ui/on-demand";
import { useCreateSheet } from "@/components/ui/use-create-sheet";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { tokenizationsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { tokenizationColumns } from "./columns";
import { tokenizationFilters } from "./filters";

const CreateTokenization = onDemand(() =>
  import("./create-tokenization").then(({ CreateTokenization }) => CreateTokenization),
);

/** The list of saved cards, and of those that payers have been asked for. */
export function TokenizationsPage() {
  const t = useTranslations("tokenizations.list");
  const titles = useTranslations("titles");
  const address = useListAddress(tokenizationFilters);
  const canCreate = useMay()(tokenizationEndpoints.create);
  const openCreateSheet = useCreateSheet(canCreate, {
    title: t("create"),
    content: (close) => <CreateTokenization onDone={close} />,
  });
  const create = canCreate && (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openCreateSheet}>
      {t("create")}
    </Button>
  );
  return (
    <>
      <ListHead title={titles("tokenizations")} action={create} />
      <List
        of="tokenizations"
        query={useQuery(tokenizationsQueryOptions(address.filter))}
        address={address}
        filters={tokenizationFilters}
        columns={tokenizationColumns}
        caption={t("caption")}
        empty={{ title: t("emptyTitle"), text: t("empty"), action: create }}
      />
    </>
  );
}
