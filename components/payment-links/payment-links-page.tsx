"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { Sheet } from "@/components/ui/sheet";
import { type PaymentLinkFilter, usePaymentLinks } from "@/lib/payment-links/queries";
import { CreatePaymentLink } from "./create-payment-link";
import { filterPath, readFilter } from "./filter";
import { FilterBar } from "./filter-bar";
import { PaymentLinkList } from "./payment-link-list";

/** The list of payment links. What it shows stands in the address, so that Back, reload and a shared link work. */
export function PaymentLinksPage({ canWrite }: { canWrite: boolean }) {
  const path = usePathname();
  const filter = readFilter(new URLSearchParams(useSearchParams()));
  const links = usePaymentLinks(filter);
  const [creating, setCreating] = useState(false);

  function show(next: PaymentLinkFilter, how: "push" | "replace"): void {
    window.history[how === "push" ? "pushState" : "replaceState"](null, "", filterPath(path, next));
    if (how === "push") window.scrollTo({ top: 0 });
  }

  const create = canWrite ? (
    <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={() => setCreating(true)}>
      Create payment link
    </Button>
  ) : null;

  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-3">
        <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">Payment links</h1>
        {create}
      </div>
      <FilterBar filter={filter} onChange={(next) => show(next, "replace")} />
      <PaymentLinkList links={links} filter={filter} canWrite={canWrite} create={create} onShow={show} />
      <Sheet open={creating} onOpenChange={setCreating} title="Create payment link">
        <CreatePaymentLink currency={links.data?.rows[0]?.currency ?? "EUR"} onDone={() => setCreating(false)} />
      </Sheet>
    </>
  );
}
