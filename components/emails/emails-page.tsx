"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useMay } from "@/components/shell/may";
import { useListAddress } from "@/components/shell/use-list-address";
import { ButtonLink } from "@/components/ui/link";
import { ListPage } from "@/components/ui/list/list";
import { onDemand } from "@/components/ui/on-demand";
import { emailEndpoints } from "@/lib/resources/emails/contract";
import { emailsQueryOptions } from "@/lib/resources/emails/queries";
import { emailColumns } from "./columns";
import { emailFilters } from "./filters";

const EmailPage = onDemand(() => import("./email-page").then(({ EmailPage }) => EmailPage));
const EmailBulk = onDemand(() => import("./email-bulk").then(({ EmailBulk }) => EmailBulk));
const FoundCustomers = onDemand(() =>
  import("@/components/customers/found-customers").then(({ FoundCustomers }) => FoundCustomers),
);

export function EmailsPage() {
  const may = useMay();
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
      bulk={may(emailEndpoints.resend) ? (emails, clear) => <EmailBulk emails={emails} onDone={clear} /> : undefined}
      peek={(id) => <EmailPage id={id} />}
      columns={emailColumns}
      caption={t("list.label")}
      elsewhere={address.filter.to && <FoundCustomers of="emails" text={address.filter.to} />}
      empty={{
        title: t("page.empty"),
        text: t("page.emptyText"),
        action: <ButtonLink href="/payment-links">{t("page.toLinks")}</ButtonLink>,
      }}
    >
      <SavedViews list="emails" address={address} />
      <ExportButton endpoint={emailEndpoints.export} query={address.query} />
    </ListPage>
  );
}
