"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useState } from "react";
import { ListFrame } from "@/components/shell/list/list-frame";
import { useListAddress } from "@/components/shell/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import { useMedia } from "@/components/ui/use-media";
import { usePaymentLinks } from "@/lib/payment-links/queries";
import { CreatePaymentLink } from "./create-payment-link";
import { readFilter } from "./filter";
import { FilterBar } from "./filter-bar";
import { PaymentLinkCards } from "./payment-link-cards";
import { PaymentLinkTable } from "./payment-link-table";

/** The list of payment links. What it shows stands in the address, so that Back, reload and a shared link work. */
export function PaymentLinksPage({ canWrite }: { canWrite: boolean }) {
  const { filter, show } = useListAddress(readFilter);
  const links = usePaymentLinks(filter);
  const wide = useMedia("(min-width: 64rem)");
  const [creating, setCreating] = useState(false);
  const { status, q } = filter;
  const asked = [status && `the status ${status}`, q && `“${q}” in it`].filter((part) => !!part);
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
      <FilterBar filter={filter} onChange={(next) => show(next, "replace")} />
      <ListFrame
        rows={links}
        nouns={["payment link", "payment links"]}
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice title="No payment links yet" action={create}>
            A payment link is a page where one payer pays one amount. Create it here, or through the API, and send it.
          </Notice>
        }
      >
        {(rows) => <List rows={rows} canWrite={canWrite} />}
      </ListFrame>
      <Sheet open={creating} onOpenChange={setCreating} title="Create payment link">
        <CreatePaymentLink currency={links.data?.rows[0]?.currency ?? "EUR"} onDone={() => setCreating(false)} />
      </Sheet>
    </>
  );
}
