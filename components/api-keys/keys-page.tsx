"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay, useMode } from "@/components/shell/may";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { Sheet } from "@/components/ui/sheet";
import { sheetPart } from "@/components/ui/sheet-part";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { apiKeysQueryOptions } from "@/lib/resources/api-keys/queries";
import { apiKeyColumns } from "./columns";
import { apiKeyFilters } from "./filters";
import { NewKey } from "./new-key";

const KeyForm = sheetPart(() => import("./key-form").then(({ KeyForm }) => KeyForm));

/** The keys of the mode that the page shows. */
export function KeysPage() {
  const t = useTranslations("apiKeys.page");
  const address = useListAddress(apiKeyFilters);
  const mode = useMode();
  const [open, setOpen] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useMay()(apiKeyEndpoints.create) && (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={() => setOpen(true)}>
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
        columns={apiKeyColumns(setSecret)}
        caption={t("title")}
        empty={{ title: t(`empty.${mode}.title`), text: t(`empty.${mode}.text`), action: create }}
      />
      <Sheet open={open} onOpenChange={setOpen} title={t(`sheet.${mode}`)}>
        <KeyForm
          onCreated={(key) => {
            setOpen(false);
            setSecret(key);
          }}
        />
      </Sheet>
      <NewKey secret={secret} onDone={() => setSecret(null)} />
    </>
  );
}
