"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { customersQueryOptions } from "@/lib/resources/customers/queries";
import { customerColumns } from "./columns";
import { customerFilters } from "./filters";

/** Everybody who was asked for money or has saved a card, by e-mail. */
export function CustomersPage() {
  const t = useTranslations("customers.list");
  const titles = useTranslations("titles");
  const address = useListAddress(customerFilters);
  return (
    <>
      <ListHead title={titles("customers")} />
      <List
        of="customers"
        query={useQuery(customersQueryOptions(address.filter))}
        address={address}
        filters={customerFilters}
        columns={customerColumns}
        caption={t("caption")}
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
