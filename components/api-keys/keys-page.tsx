"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { useMode } from "@/components/shell/may";
import { useCreateSheet } from "@/components/shell/use-create-sheet";
import { useListAddress } from "@/components/shell/use-list-address";
import { ListPage } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { apiKeysQueryOptions } from "@/lib/resources/api-keys/queries";
import { apiKeyColumns } from "./columns";
import { apiKeyFilters } from "./filters";
import { useShowKey } from "./key-menu";

const KeyPage = onDemand(() => import("./key-page").then(({ KeyPage }) => KeyPage));
const KeyForm = onDemand(() => import("./key-form").then(({ KeyForm }) => KeyForm));

export function KeysPage() {
  const t = useTranslations("apiKeys.page");
  const address = useListAddress(apiKeyFilters);
  const mode = useMode();
  const showKey = useShowKey();
  const create = useCreateSheet({
    endpoint: apiKeyEndpoints.create,
    form: KeyForm,
    title: t("create"),
    content: (close) => (
      <KeyForm
        onCreated={(key) => {
          close();
          showKey(key);
        }}
      />
    ),
  });
  return (
    <ListPage
      of="apiKeys"
      title={t("title")}
      create={create}
      query={useQuery(apiKeysQueryOptions(address.query))}
      address={address}
      filters={apiKeyFilters}
      peek={(id) => <KeyPage id={id} />}
      columns={apiKeyColumns}
      empty={{ title: t(`empty.${mode}.title`), text: t(`empty.${mode}.text`) }}
    >
      <SavedViews list="api_keys" address={address} />
    </ListPage>
  );
}
