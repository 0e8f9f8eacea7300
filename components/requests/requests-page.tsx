"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { LookElsewhere } from "@/components/shell/look-elsewhere";
import { Button } from "@/components/ui/button";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { requestsQueryOptions } from "@/lib/resources/requests/queries";
import { requestColumns } from "./columns";
import { requestFilters, requestsAsked, usualActor } from "./filters";

/** What has been asked of the API; at first by systems alone, for the dashboard's own pages ask without end. */
export function RequestsPage() {
  const t = useTranslations("requests.page");
  const address = useListAddress(requestFilters);
  const { request_id, cursor: _, ...others } = address.filter;
  const idAlone = request_id !== undefined && Object.keys(others).length === 0;
  return (
    <>
      <ListHead title={t("title")} />
      <List
        of="requests"
        query={useQuery(requestsQueryOptions(requestsAsked(address.filter)))}
        address={address}
        filters={{
          ...requestFilters,
          by: { ...requestFilters.by, usual: usualActor(address.filter) },
          // An id alone that finds nothing has a text of its own.
          request_id: idAlone ? { ...requestFilters.request_id, asked: () => null } : requestFilters.request_id,
        }}
        columns={requestColumns}
        caption={t("list")}
        empty={
          idAlone
            ? {
                title: t("noSuchId"),
                text: t("noSuchIdText"),
                action: (
                  <LookElsewhere>
                    <Button variant="secondary" onClick={() => address.show({}, "replace")}>
                      {t("showAll")}
                    </Button>
                  </LookElsewhere>
                ),
              }
            : { title: t("empty"), text: t("emptyText") }
        }
      />
    </>
  );
}
