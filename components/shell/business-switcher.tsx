"use client";

import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { CaretUpDownIcon } from "@phosphor-icons/react/dist/ssr/CaretUpDown";
import { CheckIcon } from "@phosphor-icons/react/dist/ssr/Check";
import { useRef } from "react";
import { explainFailure } from "@/components/ui/explain-failure";
import { useEnterBusiness, useOwnBusinesses } from "@/lib/account/queries";

/** The business that the page shows, and for whoever has several the way to the others. */
export function BusinessSwitcher({ name }: { name: string }) {
  const businesses = useOwnBusinesses();
  const enter = useEnterBusiness();
  const toasts = useKumoToastManager();
  const landmark = useRef<HTMLDivElement>(null);
  const rows = businesses.data?.rows ?? [];
  const words = <span className="min-w-0 truncate text-base font-medium text-kumo-strong">{name}</span>;
  if (rows.length < 2) return words;

  function go(id: string): void {
    enter.mutate(id, {
      // A whole page load: nothing that was fetched for the other business stays in memory.
      onSuccess: () => window.location.assign("/"),
      onError: (error) =>
        toasts.add({ title: "That did not work", description: explainFailure(error), variant: "error" }),
    });
  }

  return (
    <div ref={landmark} className="flex min-w-0">
      <DropdownMenu>
        <DropdownMenu.Trigger
          className="-ml-2 flex h-9 min-w-0 items-center gap-1.5 rounded-lg px-2 hover:bg-kumo-tint"
          aria-label={`Business: ${name}`}
        >
          {words}
          <CaretUpDownIcon size={14} aria-hidden className="shrink-0 text-kumo-subtle" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content
          align="start"
          className="max-w-[min(20rem,calc(100vw-2rem))] min-w-56"
          container={landmark}
        >
          {rows.map(({ _id, name: label, current }) => (
            <DropdownMenu.Item key={_id} icon={current ? CheckIcon : undefined} onClick={() => !current && go(_id)}>
              {label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu>
    </div>
  );
}
