"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { SavedViews } from "@/components/saved-views/saved-views";
import { ExportButton } from "@/components/shell/export-button";
import { useListAddress } from "@/components/shell/use-list-address";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { ListPage } from "@/components/ui/list/list";
import { auditEndpoints } from "@/lib/resources/audit-log/contract";
import { auditLogQueryOptions } from "@/lib/resources/audit-log/queries";
import { AuditDetail } from "./audit-detail";
import { auditColumns } from "./columns";
import { auditFilters } from "./filters";

export function AuditPage() {
  const t = useTranslations("audit");
  const address = useListAddress(auditFilters);
  const { openSheet } = useDialogs();
  const lead = t.rich("page.lead", {
    events: (words) => (
      <Link href="/developers/events" className="underline underline-offset-4">
        {words}
      </Link>
    ),
  });
  return (
    <ListPage
      of="auditLog"
      title={t("page.title")}
      lead={lead}
      query={useQuery(auditLogQueryOptions(address.query))}
      address={address}
      filters={auditFilters}
      columns={auditColumns}
      caption={t("list.label")}
      onOpen={(entry) =>
        openSheet({ title: t(`action.${entry.action}`), isForm: false, content: () => <AuditDetail entry={entry} /> })
      }
      empty={{ title: t("page.empty"), text: t("page.emptyText") }}
    >
      <SavedViews list="audit_log" address={address} />
      <ExportButton endpoint={auditEndpoints.export} query={address.query} />
    </ListPage>
  );
}
