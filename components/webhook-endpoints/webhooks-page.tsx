"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { useListAddress } from "@/components/shell/use-list-address";
import { CreateButton } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { ListPage } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { maxEndpoints, webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { webhookEndpointsQueryOptions } from "@/lib/resources/webhook-endpoints/queries";
import { endpointColumns } from "./columns";
import { endpointFilters } from "./filters";

const CreateEndpoint = onDemand(() => import("./endpoint-form").then(({ CreateEndpoint }) => CreateEndpoint));

export function WebhooksPage() {
  const t = useTranslations("webhooks.page");
  const address = useListAddress(endpointFilters);
  const endpoints = useQuery(webhookEndpointsQueryOptions(address.query));
  const { openSheet } = useDialogs();
  const openForm = () => openSheet({ title: t("create"), content: (close) => <CreateEndpoint onDone={close} /> });
  const canCreate = useMay()(webhookEndpointEndpoints.create);
  const full = (endpoints.data?.rows.length ?? 0) >= maxEndpoints;
  return (
    <>
      <ListPage
        of="endpoints"
        title={t("title")}
        create={canCreate && !full && <CreateButton onClick={openForm}>{t("create")}</CreateButton>}
        query={endpoints}
        address={address}
        filters={endpointFilters}
        columns={endpointColumns}
        caption={t("list")}
        empty={{ title: t("empty"), text: t("emptyText") }}
      />
      {full && canCreate && <p className="mt-3 text-sm text-kumo-subtle">{t("full", { count: maxEndpoints })}</p>}
    </>
  );
}
