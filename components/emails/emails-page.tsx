"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useListAddress } from "@/components/shell/use-list-address";
import { ButtonLink } from "@/components/ui/link";
import { ListPage } from "@/components/ui/list/list";
import { emailsQueryOptions } from "@/lib/resources/emails/queries";
import { emailColumns } from "./columns";
import { emailFilters } from "./filters";

export function EmailsPage() {
  const t = useTranslations("emails");
  const address = useListAddress(emailFilters);
  return (
    <ListPage
      of="emails"
      title={t("page.title")}
      lead={t("page.lead")}
      query={useQuery(emailsQueryOptions(address.query))}
      address={address}
      filters={emailFilters}
      columns={emailColumns}
      caption={t("list.label")}
      empty={{
        title: t("page.empty"),
        text: t("page.emptyText"),
        action: <ButtonLink href="/payment-links">{t("page.toLinks")}</ButtonLink>,
      }}
    />
  );
}
