"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { OpenElsewhere } from "@/components/shell/open-elsewhere";
import { useListAddress } from "@/components/shell/use-list-address";
import { Button } from "@/components/ui/button";
import { ListPage } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { requestsQueryOptions } from "@/lib/resources/requests/queries";
import { requestColumns } from "./columns";
import { defaultActor, requestFilterOf, requestFilters } from "./filters";

const RequestPage = onDemand(() => import("./request-page").then(({ RequestPage }) => RequestPage));

export function RequestsPage() {
  const t = useTranslations("requests.page");
  const address = useListAddress(requestFilters);
  const { request_id, cursor: _, ...others } = address.filter;
  const idAlone = request_id !== undefined && Object.keys(others).length === 0;
  return (
    <ListPage
      of="requests"
      title={t("title")}
      query={useQuery(requestsQueryOptions(requestFilterOf(address.query)))}
      address={address}
      filters={{
        ...requestFilters,
        by: { ...requestFilters.by, usual: defaultActor(address.filter) },
        // A request ID without a match has its own empty text.
        request_id: idAlone ? { ...requestFilters.request_id, criterion: () => null } : requestFilters.request_id,
      }}
      peek={(id) => <RequestPage id={id} />}
      columns={requestColumns}
      caption={t("list")}
      empty={
        idAlone
          ? {
              title: t("noSuchId"),
              text: t("noSuchIdText"),
              action: (
                <OpenElsewhere>
                  <Button variant="secondary" onClick={() => address.show({}, "replace")}>
                    {t("showAll")}
                  </Button>
                </OpenElsewhere>
              ),
            }
          : { title: t("empty"), text: t("emptyText") }
      }
    >
      <SavedViews list="requests" address={address} />
      <ExportButton endpoint={requestEndpoints.export} query={requestFilterOf(address.query)} />
    </ListPage>
  );
}
