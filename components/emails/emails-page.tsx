"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { emailsQueryOptions } from "@/lib/resources/emails/queries";
import { emailColumns } from "./columns";
import { emailFilters } from "./filters";

/** Every mail to payers and staff: sent, waiting, or kept here. */
export function EmailsPage() {
  const t = useTranslations("emails");
  const address = useListAddress(emailFilters);
  return (
    <>
      <ListHead title={t("page.title")} lead={t("page.lead")} />
      <List
        of="emails"
        query={useQuery(emailsQueryOptions(address.filter))}
        address={address}
        filters={emailFilters}
        columns={emailColumns}
        caption={t("list.label")}
        empty={{
          title: t("page.empty"),
          text: t("page.emptyText"),
          action: (
            <Link href="/payment-links" className={buttonVariants({ variant: "secondary" })}>
              {t("page.toLinks")}
            </Link>
          ),
        }}
      />
    </>
  );
}
