"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useListAddress } from "@/components/shell/use-list-address";
import { ButtonLink } from "@/components/ui/link";
import { ListPage } from "@/components/ui/list/list";
import { TotalRow } from "@/components/ui/list/total-row";
import { onDemand } from "@/components/ui/on-demand";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { customersQueryOptions } from "@/lib/resources/customers/queries";
import { customerColumns } from "./columns";
import { customerFilters, customerFiltersFor, customersQuery } from "./filters";

const CustomerPage = onDemand(() => import("./customer-page").then(({ CustomerPage }) => CustomerPage));

export function CustomersPage() {
  const t = useTranslations("customers.list");
  const titles = useTranslations("titles");
  const address = useListAddress(customerFilters);
  const asked = customersQuery(address.query);
  const list = useQuery(customersQueryOptions(asked));
  return (
    <>
      <ListPage
        of="customers"
        title={titles("customers")}
        query={list}
        address={address}
        filters={customerFiltersFor(address.filter)}
        peek={(id) => <CustomerPage email={id} />}
        columns={customerColumns}
        caption={t("caption")}
        empty={{
          title: t("emptyTitle"),
          text: t("empty"),
          action: <ButtonLink href="/payment-links">{t("toLinks")}</ButtonLink>,
        }}
      >
        <SavedViews list="customers" address={address} />
        <ExportButton endpoint={customerEndpoints.export} query={asked} />
      </ListPage>
      <TotalRow endpoint={customerEndpoints.list} list={list} query={asked} />
    </>
  );
}
