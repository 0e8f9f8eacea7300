"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useCreateSheet } from "@/components/shell/use-create-sheet";
import { useListAddress } from "@/components/shell/use-list-address";
import { ListPage } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { maxEndpoints, webhookEndpointEndpoints } from "@/lib/resources/webhook-endpoints/contract";
import { webhookEndpointsQueryOptions } from "@/lib/resources/webhook-endpoints/queries";
import { endpointColumns } from "./columns";
import { endpointFilters } from "./filters";

const EndpointPage = onDemand(() => import("./endpoint-page").then(({ EndpointPage }) => EndpointPage));
const CreateEndpoint = onDemand(() => import("./endpoint-form").then(({ CreateEndpoint }) => CreateEndpoint));

export function WebhooksPage() {
  const t = useTranslations("webhooks.page");
  const address = useListAddress(endpointFilters);
  const endpoints = useQuery(webhookEndpointsQueryOptions(address.query));
  const create = useCreateSheet({
    endpoint: webhookEndpointEndpoints.create,
    form: CreateEndpoint,
    title: t("create"),
    content: (close) => <CreateEndpoint onDone={close} />,
  });
  const all = useQuery(webhookEndpointsQueryOptions({}));
  const full = (all.data?.rows.length ?? 0) >= maxEndpoints;
  return (
    <>
      <ListPage
        of="endpoints"
        title={t("title")}
        create={!full && create}
        query={endpoints}
        address={address}
        filters={endpointFilters}
        peek={(id) => <EndpointPage id={id} />}
        columns={endpointColumns}
        caption={t("list")}
        empty={{ title: t("empty"), text: t("emptyText") }}
      />
      {full && create && <p className="mt-3 text-sm text-kumo-subtle">{t("full", { count: maxEndpoints })}</p>}
    </>
  );
}
