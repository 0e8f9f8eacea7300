"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { StatusFilter } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { onDemand } from "@/components/ui/on-demand";
import { pageMode } from "@/lib/client/call";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { type ApiKeyFilter, useApiKeys } from "@/lib/resources/api-keys/queries";
import { useShowKey } from "./key-menu";
import { KeyRow } from "./key-row";

const KeyForm = onDemand(() => import("./key-form").then(({ KeyForm }) => KeyForm));

function readFilter(params: URLSearchParams): ApiKeyFilter {
  const usable = params.get("usable");
  const cursor = params.get("cursor");
  return { ...((usable === "true" || usable === "false") && { usable }), ...(cursor && { cursor }) };
}

/** The keys of the mode that the page shows. */
export function KeysPage() {
  const t = useTranslations("apiKeys.page");
  const { filter, show } = useListAddress(readFilter);
  const keys = useApiKeys(filter);
  const { openSheet } = useDialogs();
  const showKey = useShowKey();
  const openForm = () =>
    openSheet({
      title: t(`sheet.${pageMode()}`),
      content: (close) => (
        <KeyForm
          onCreated={(key) => {
            close();
            showKey(key);
          }}
        />
      ),
    });
  const create = useMay()(apiKeyEndpoints.create) ? (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openForm}>
      {t("create")}
    </Button>
  ) : null;
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
        {create}
      </div>
      <div className="mb-4">
        <StatusFilter
          labels={{ true: t("usable.true"), false: t("usable.false") }}
          status={filter.usable}
          onChange={(usable) => show({ usable }, "replace")}
        />
      </div>
      <ListFrame
        rows={keys}
        of="apiKeys"
        filter={filter}
        asked={filter.usable ? [t("thatState")] : []}
        onShow={show}
        empty={
          <Notice title={t(`empty.${pageMode()}.title`)} action={create}>
            {t(`empty.${pageMode()}.text`)}
          </Notice>
        }
      >
        {(rows) => (
          <ul aria-label={t("title")} className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
            {rows.map((key) => (
              <KeyRow key={key._id} apiKey={key} />
            ))}
          </ul>
        )}
      </ListFrame>
    </>
  );
}
