"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useListAddress } from "@/components/shell/use-list-address";
import { ButtonLink } from "@/components/ui/link";
import { List } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";
import { payoutsQueryOptions } from "@/lib/resources/payouts/queries";
import { BalancePanel } from "./balance";
import { payoutColumns } from "./columns";
import { payoutFilters } from "./filters";

const PayoutPage = onDemand(() => import("./payout-page").then(({ PayoutPage }) => PayoutPage));

export function PayoutsPage() {
  const t = useTranslations("payouts.list");
  const titles = useTranslations("titles");
  const address = useListAddress(payoutFilters);
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{titles("payouts")}</h1>
      <BalancePanel />
      <div>
        <List
          of="payouts"
          query={useQuery(payoutsQueryOptions(address.query))}
          address={address}
          filters={payoutFilters}
          peek={(id) => <PayoutPage id={id} />}
          columns={payoutColumns}
          caption={t(`caption.${address.filter.sort ?? "-created_at"}`)}
          empty={{
            title: t("emptyTitle"),
            text: t("empty"),
            action: <ButtonLink href="/payments">{t("toPayments")}</ButtonLink>,
          }}
        >
          <SavedViews list="payouts" address={address} />
          <ExportButton endpoint={payoutEndpoints.export} query={address.query} />
        </List>
      </div>
    </div>
  );
}
