"use client";

import Link from "next/link";
import { useState } from "react";
import { ListFrame } from "@/components/shell/list/list-frame";
import { ChoiceFilter, MoreFilters, TextFilter } from "@/components/shell/list/more-filters";
import { daysAsInstants, readDays } from "@/components/shell/list/time-range";
import { useListAddress } from "@/components/shell/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import { useMedia } from "@/components/ui/use-media";
import { type AuditEntry, auditActionNames, auditActions } from "@/lib/audit/contract";
import { type AuditFilter, useAuditLog } from "@/lib/audit/queries";
import { useTimeZone } from "@/lib/test-clock/queries";
import { AuditDetail } from "./audit-detail";
import { AuditCards, AuditTable } from "./audit-rows";
import { actionWords } from "./words";

const readAction = (value: string | null) => auditActionNames.find((name) => name === value);

function readFilter(params: URLSearchParams): AuditFilter {
  const action = readAction(params.get("action"));
  const actor = params.get("actor")?.slice(0, 254).trim();
  const cursor = params.get("cursor");
  return { ...readDays(params), ...(action && { action }), ...(actor && { actor }), ...(cursor && { cursor }) };
}

/** Who changed what, when and from where. */
export function AuditPage() {
  const { filter, show } = useListAddress(readFilter);
  const { action, actor, created_from, created_to } = filter;
  const entries = useAuditLog(daysAsInstants(filter, useTimeZone() ?? "UTC"));
  const wide = useMedia("(min-width: 64rem)");
  const [open, setOpen] = useState<AuditEntry | null>(null);
  const change = (next: AuditFilter) => show({ ...filter, cursor: undefined, ...next }, "replace");
  const asked = [
    action && `the action “${auditActions[action]}”`,
    actor && `the actor ${actor}`,
    (created_from || created_to) && "a day in that time",
  ].filter((part) => !!part);
  const List = wide ? AuditTable : AuditCards;
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">Audit log</h1>
      <p className="mt-1 mb-5 max-w-2xl text-base leading-relaxed text-kumo-subtle">
        Who changed what, when and from where. Nobody can change it. Payments, links and subscriptions have their own
        history: the{" "}
        <Link href="/developers/events" className="underline underline-offset-4">
          events
        </Link>
        .
      </p>
      <div className="mb-4 grid gap-3">
        <MoreFilters set={[action, actor, created_from, created_to].filter(Boolean).length}>
          <ChoiceFilter
            label="What"
            choices={auditActionNames.map((name) => [name, auditActions[name]] as const)}
            value={action}
            onChange={(next) => change({ action: readAction(next) })}
          />
          <TextFilter label="Who" value={actor} onChange={(next) => change({ actor: next || undefined })} />
          <TextFilter
            label="From"
            type="date"
            value={created_from}
            onChange={(next) => change({ created_from: next || undefined })}
          />
          <TextFilter
            label="To"
            type="date"
            value={created_to}
            onChange={(next) => change({ created_to: next || undefined })}
          />
        </MoreFilters>
      </div>
      <ListFrame
        rows={entries}
        nouns={["entry", "entries"]}
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title="Nothing yet" action={null}>
            Sign-ins and changes to people, keys, settings and webhooks are written down here.
          </Notice>
        }
      >
        {(rows) => <List rows={rows} onOpen={setOpen} />}
      </ListFrame>
      <Sheet
        open={open !== null}
        onOpenChange={(stays) => {
          if (!stays) setOpen(null);
        }}
        title={open ? actionWords(open) : "Entry"}
      >
        {open && <AuditDetail entry={open} />}
      </Sheet>
    </>
  );
}
