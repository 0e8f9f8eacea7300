"use client";

import { Button, buttonVariants } from "@cloudflare/kumo/components/button";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { UploadSimpleIcon } from "@phosphor-icons/react/dist/ssr/UploadSimple";
import Link from "next/link";
import { ListFrame } from "@/components/shell/list/list-frame";
import { daysAsInstants } from "@/components/shell/list/time-range";
import { useListAddress } from "@/components/shell/list/use-list-address";
import { useCreating } from "@/components/shell/use-creating";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import { useMedia } from "@/components/ui/use-media";
import { usePaymentLinks } from "@/lib/payment-links/queries";
import { useTimeZone } from "@/lib/test-clock/queries";
import { ColumnChooser } from "./column-chooser";
import { CreatePaymentLink } from "./create-payment-link";
import { ExportButton } from "./export-button";
import { askedFor, columnsOf, columnsText, readFilter } from "./filter";
import { FilterBar } from "./filter-bar";
import { PaymentLinkCards } from "./payment-link-cards";
import { PaymentLinkTable } from "./payment-link-table";

/** The list of payment links. What it shows stands in the address, so that Back, reload and a shared link work. */
export function PaymentLinksPage({ canWrite }: { canWrite: boolean }) {
  const { filter, show } = useListAddress(readFilter);
  const { cursor, columns: _, ...which } = filter;
  const query = daysAsInstants(which, useTimeZone() ?? "UTC");
  const links = usePaymentLinks({ ...query, cursor });
  const wide = useMedia("(min-width: 64rem)");
  const [creating, setCreating] = useCreating(canWrite);
  const columns = columnsOf(filter);
  const create = canWrite ? (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={() => setCreating(true)}>
      Create payment link
    </Button>
  ) : null;
  const List = wide ? PaymentLinkTable : PaymentLinkCards;

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">Payment links</h1>
        {create}
      </div>
      <FilterBar filter={filter} onChange={(next) => show(next, "replace")}>
        {wide && (
          <ColumnChooser
            columns={columns}
            onChange={(next) => show({ ...filter, columns: columnsText(next) }, "replace")}
          />
        )}
        <ExportButton query={query} />
        {canWrite && (
          <Link href="/payment-links/import" className={buttonVariants({ variant: "secondary" })}>
            <UploadSimpleIcon size={16} aria-hidden />
            Import CSV
          </Link>
        )}
      </FilterBar>
      <ListFrame
        rows={links}
        nouns={["payment link", "payment links"]}
        filter={filter}
        asked={askedFor(filter)}
        onShow={show}
        empty={
          <Notice title="No payment links yet" action={create}>
            A payment link is a page where one payer pays one amount. Create it here, or through the API, and send it.
          </Notice>
        }
      >
        {(rows) => (
          <List
            rows={rows}
            canWrite={canWrite}
            columns={columns}
            order={filter.sort ?? "-created_at"}
            onOrder={(next) =>
              show({ ...filter, cursor: undefined, sort: next === "created_at" ? next : undefined }, "replace")
            }
          />
        )}
      </ListFrame>
      <Sheet open={creating} onOpenChange={setCreating} title="Create payment link" wide>
        <CreatePaymentLink currency={links.data?.rows[0]?.currency ?? "EUR"} onDone={() => setCreating(false)} />
      </Sheet>
    </>
  );
}
