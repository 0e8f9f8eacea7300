"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { daysAsInstants } from "@/components/ui/list/filter";
import { List, ListHead } from "@/components/ui/list/list";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { Sheet } from "@/components/ui/sheet";
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
  const [open, setOpen] = useState<AuditEntry | null>(null);
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
        onOpen={setOpen}
        empty={{ title: t("page.empty"), text: t("page.emptyText") }}
      />
      <Sheet
        open={open !== null}
        onOpenChange={(stays) => !stays && setOpen(null)}
        title={open ? t(`action.${open.action}`) : t("page.entry")}
      >
        {open && <AuditDetail entry={open} />}
      </Sheet>
    </>
  );
}
