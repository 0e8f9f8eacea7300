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
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { paymentColumns } from "./columns";
import { paymentFilters } from "./filters";

const PaymentPage = onDemand(() => import("./payment-page").then(({ PaymentPage }) => PaymentPage));
const FoundCustomers = onDemand(() =>
  import("@/components/customers/found-customers").then(({ FoundCustomers }) => FoundCustomers),
);

export function PaymentsPage() {
  const t = useTranslations("payments.list");
  const titles = useTranslations("titles");
  const address = useListAddress(paymentFilters);
  const list = useQuery(paymentsQueryOptions(address.query));
  return (
    <>
      <ListPage
        of="payments"
        title={titles("payments")}
        query={list}
        address={address}
        filters={paymentFilters}
        peek={(id) => <PaymentPage id={id} />}
        columns={paymentColumns}
        caption={t(`caption.${address.filter.sort ?? "-created_at"}`)}
        elsewhere={address.filter.q && <FoundCustomers of="payments" text={address.filter.q} />}
        empty={{
          title: t("emptyTitle"),
          text: t("empty"),
          action: <ButtonLink href="/payment-links">{t("toLinks")}</ButtonLink>,
        }}
      >
        <SavedViews list="payments" address={address} />
        <ExportButton endpoint={paymentEndpoints.export} query={address.query} />
      </ListPage>
      <TotalRow moved="succeeded" endpoint={paymentEndpoints.list} list={list} query={address.query} />
    </>
  );
}
