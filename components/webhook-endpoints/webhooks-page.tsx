"use client";

import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { onDemand } from "@/components/ui/on-demand";
import { maxEndpoints, webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { webhookEndpointsQueryOptions } from "@/lib/resources/webhook-endpoints/queries";
import { endpointColumns } from "./columns";
import { endpointFilters } from "./filters";

const CreateEndpoint = onDemand(() => import("./endpoint-form").then(({ CreateEndpoint }) => CreateEndpoint));

/** Where this business's systems hear of events. */
export function WebhooksPage() {
  const t = useTranslations("webhooks.page");
  const address = useListAddress(endpointFilters);
  const endpoints = useQuery(webhookEndpointsQueryOptions(address.filter));
  const { openSheet } = useDialogs();
  const openForm = () => openSheet({ title: t("create"), content: (close) => <CreateEndpoint onDone={close} /> });
  const canCreate = useMay()(webhookEndpointEndpoints.create);
  const full = (endpoints.data?.rows.length ?? 0) >= maxEndpoints;
  const create = canCreate && !full && (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={openForm}>
      {t("create")}
    </Button>
  );
  return (
    <>
      <ListHead title={t("title")} action={create} />
      <List
        of="endpoints"
        query={endpoints}
        address={address}
        filters={endpointFilters}
        columns={endpointColumns}
        caption={t("list")}
        empty={{ title: t("empty"), text: t("emptyText"), action: create }}
      />
      {full && canCreate && <p className="mt-3 text-sm text-kumo-subtle">{t("full", { count: maxEndpoints })}</p>}
    </>
  );
}
