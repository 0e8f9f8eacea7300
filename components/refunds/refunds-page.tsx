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
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { refundsQueryOptions } from "@/lib/resources/refunds/queries";
import { refundColumns } from "./columns";
import { refundFilters } from "./filters";

const PaymentPage = onDemand(() => import("@/components/payments/payment-page").then(({ PaymentPage }) => PaymentPage));

export function RefundsPage() {
  const t = useTranslations("refunds.list");
  const titles = useTranslations("titles");
  const address = useListAddress(refundFilters);
  const list = useQuery(refundsQueryOptions(address.query));
  return (
    <>
      <ListPage
        of="refunds"
        title={titles("refunds")}
        query={list}
        address={address}
        filters={refundFilters}
        // A refund has no page of its own: its payment's shows it.
        peek={(paymentId) => <PaymentPage id={paymentId} />}
        peekList="/payments"
        columns={refundColumns}
        caption={t(`caption.${address.filter.sort ?? "-created_at"}`)}
        empty={{
          title: t("emptyTitle"),
          text: t("empty"),
          action: <ButtonLink href="/payments">{t("toPayments")}</ButtonLink>,
        }}
      >
        <SavedViews list="refunds" address={address} />
        <ExportButton endpoint={refundEndpoints.export} query={address.query} />
      </ListPage>
      <TotalRow moved="succeeded" endpoint={refundEndpoints.list} list={list} query={address.query} />
    </>
  );
}
