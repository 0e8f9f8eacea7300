"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { daysAsInstants } from "@/components/ui/list/filter";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import type { AuditEntry } from "@/lib/resources/audit-log/contract";
import { auditLogQueryOptions } from "@/lib/resources/audit-log/queries";
import { useTimeZone } from "@/lib/resources/settings/queries";
import { AuditDetail } from "./audit-detail";
import { auditColumns } from "./columns";
import { auditFilters } from "./filters";

/** Who changed what, when and from where. */
export function AuditPage() {
  const t = useTranslations("audit");
  const address = useListAddress(auditFilters);
  const entries = useQuery(auditLogQueryOptions(daysAsInstants(address.filter, useTimeZone() ?? "UTC")));
  const { openSheet } = useDialogs();
  const open = (entry: AuditEntry) =>
    openSheet({ title: t(`action.${entry.action}`), content: () => <AuditDetail entry={entry} /> });
  const lead = t.rich("page.lead", {
    events: (words) => (
      <Link href="/developers/events" className="underline underline-offset-4">
        {words}
      </Link>
    ),
  });
  return (
    <>
      <ListHead title={t("page.title")} lead={lead} />
      <List
        of="auditLog"
        query={entries}
        address={address}
        filters={auditFilters}
        columns={auditColumns}
        caption={t("list.label")}
        onOpen={open}
        empty={{ title: t("page.empty"), text: t("page.emptyText") }}
      />
    </>
  );
}
