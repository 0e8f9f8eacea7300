"use client";

import { useTranslations } from "use-intl";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { ListFrame } from "@/components/ui/list/list-frame";
import { ChoiceFilter, MoreFilters, TextFilter } from "@/components/ui/list/more-filters";
import { daysAsInstants, readDays } from "@/components/ui/list/time-range";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import { auditActionNames } from "@/lib/auth/audit-actions";
import type { AuditEntry } from "@/lib/resources/audit-log/contract";
import { type AuditFilter, useAuditLog } from "@/lib/resources/audit-log/queries";
import { useTimeZone } from "@/lib/resources/settings/queries";
import { AuditDetail } from "./audit-detail";
import { AuditCards, AuditTable } from "./audit-rows";

const readAction = (value: string | null) => auditActionNames.find((name) => name === value);

function readFilter(params: URLSearchParams): AuditFilter {
  const action = readAction(params.get("action"));
  const actor = params.get("actor")?.slice(0, 254).trim();
  const cursor = params.get("cursor");
  return { ...readDays(params), ...(action && { action }), ...(actor && { actor }), ...(cursor && { cursor }) };
}

/** Who changed what, when and from where. */
export function AuditPage() {
  const t = useTranslations("audit.page");
  const actions = useTranslations("audit.action");
  const { filter, show } = useListAddress(readFilter);
  const { action, actor, created_from, created_to } = filter;
  const entries = useAuditLog(daysAsInstants(filter, useTimeZone() ?? "UTC"));
  const wide = useMedia("(min-width: 64rem)");
  const { openSheet } = useDialogs();
  const open = (entry: AuditEntry) =>
    openSheet({ title: actions(entry.action), content: () => <AuditDetail entry={entry} /> });
  const change = (next: AuditFilter) => show({ ...filter, cursor: undefined, ...next }, "replace");
  const asked = [
    action && t("asked.action", { action: actions(action) }),
    actor && t("asked.actor", { actor }),
    (created_from || created_to) && t("asked.day"),
  ].filter((part) => !!part);
  const List = wide ? AuditTable : AuditCards;
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{t("title")}</h1>
      <p className="mt-1 mb-5 max-w-2xl text-base leading-relaxed text-kumo-subtle">
        {t.rich("lead", {
          events: (words) => (
            <Link href="/developers/events" className="underline underline-offset-4">
              {words}
            </Link>
          ),
        })}
      </p>
      <div className="mb-4 grid gap-3">
        <MoreFilters set={[action, actor, created_from, created_to].filter(Boolean).length}>
          <ChoiceFilter
            label={t("what")}
            choices={auditActionNames.map((name) => [name, actions(name)] as const)}
            value={action}
            onChange={(next) => change({ action: readAction(next) })}
          />
          <TextFilter label={t("who")} value={actor} onChange={(next) => change({ actor: next || undefined })} />
          <TextFilter
            label={t("from")}
            type="date"
            value={created_from}
            onChange={(next) => change({ created_from: next || undefined })}
          />
          <TextFilter
            label={t("to")}
            type="date"
            value={created_to}
            onChange={(next) => change({ created_to: next || undefined })}
          />
        </MoreFilters>
      </div>
      <ListFrame
        rows={entries}
        of="auditLog"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title={t("empty")} action={null}>
            {t("emptyText")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} onOpen={open} />}
      </ListFrame>
    </>
  );
}
