"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay, useMode } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { onDemand } from "@/components/ui/on-demand";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { apiKeysQueryOptions } from "@/lib/resources/api-keys/queries";
import { apiKeyColumns } from "./columns";
import { apiKeyFilters } from "./filters";
import { useShowKey } from "./key-menu";

const KeyForm = onDemand(() => import("./key-form").then(({ KeyForm }) => KeyForm));

/** The keys of the mode that the page shows. */
export function KeysPage() {
  const t = useTranslations("apiKeys.page");
  const address = useListAddress(apiKeyFilters);
  const mode = useMode();
  const { openSheet } = useDialogs();
  const showKey = useShowKey();
  const openForm = () =>
    openSheet({
      title: t(`sheet.${mode}`),
      content: (close) => (
        <KeyForm
          onCreated={(key) => {
            close();
            showKey(key);
          }}
        />
      ),
    });
  const create = useMay()(apiKeyEndpoints.create) && (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openForm}>
      {t("create")}
    </Button>
  );
  return (
    <>
      <ListHead title={t("title")} action={create} />
      <List
        of="apiKeys"
        query={useQuery(apiKeysQueryOptions(address.filter))}
        address={address}
        filters={apiKeyFilters}
        columns={apiKeyColumns}
        caption={t("title")}
        empty={{ title: t(`empty.${mode}.title`), text: t(`empty.${mode}.text`), action: create }}
      />
    </>
  );
}
