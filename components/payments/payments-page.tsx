"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { daysAsInstants } from "@/components/ui/list/filter";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { useTimeZone } from "@/lib/resources/settings/queries";
import { paymentColumns } from "./columns";
import { paymentFilters } from "./filters";

/** Every attempt to take money, also those that failed. */
export function PaymentsPage() {
  const t = useTranslations("payments.list");
  const titles = useTranslations("titles");
  const address = useListAddress(paymentFilters);
  const payments = useQuery(paymentsQueryOptions(daysAsInstants(address.filter, useTimeZone() ?? "UTC")));
  return (
    <>
      <ListHead title={titles("payments")} />
      <List
        of="payments"
        query={payments}
        address={address}
        filters={paymentFilters}
        columns={paymentColumns}
        caption={t(`caption.${address.filter.sort ?? "-created_at"}`)}
        empty={{
          title: t("emptyTitle"),
          text: t("empty"),
          action: (
            <Link href="/payment-links" className={buttonVariants({ variant: "secondary" })}>
              {t("toLinks")}
            </Link>
          ),
        }}
      />
    </>
  );
}
