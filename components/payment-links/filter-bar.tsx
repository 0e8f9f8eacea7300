"use client";

import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import { useEffect, useRef, useState } from "react";
import { TextInput } from "@/components/ui/field";
import { paymentLinkStatuses } from "@/lib/payment-links/contract";
import type { PaymentLinkFilter } from "@/lib/payment-links/queries";

interface FilterBarProps {
  filter: PaymentLinkFilter;
  onChange: (filter: PaymentLinkFilter) => void;
}

/** Status and search. A change always leads to the first page: a cursor belongs to the list it came from. */
export function FilterBar({ filter: { status, q = "" }, onChange }: FilterBarProps) {
  return (
    <div className="mb-4 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
      <fieldset className="-mx-4 min-w-0 overflow-x-auto px-4 py-1 md:mx-0 md:px-0">
        <legend className="sr-only">Status</legend>
        <div className="inline-flex gap-1">
          {[undefined, ...paymentLinkStatuses].map((value) => (
            <button
              key={value ?? "all"}
              type="button"
              aria-pressed={status === value}
              onClick={() => onChange({ status: value, q })}
              className="h-8 rounded-full px-3 text-base whitespace-nowrap text-kumo-subtle hover:text-kumo-default aria-pressed:bg-kumo-base aria-pressed:font-medium aria-pressed:text-kumo-strong aria-pressed:shadow-xs aria-pressed:ring aria-pressed:ring-kumo-line"
            >
              {value ?? "All"}
            </button>
          ))}
        </div>
      </fieldset>
      <Search q={q} onSearch={(next) => onChange({ status, q: next })} />
    </div>
  );
}

function Search({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(q);
  const latest = useRef({ q, onSearch });
  latest.current = { q, onSearch };

  // The address changed by itself (Back, "Clear filters"): the field follows, unless it only lags behind our own typing.
  useEffect(() => setTyped((now) => (now.trim() === q ? now : q)), [q]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() !== latest.current.q) latest.current.onSearch(typed.trim());
    }, 300);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <search className="relative lg:w-72">
      <MagnifyingGlassIcon
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-kumo-subtle"
      />
      <TextInput
        type="search"
        aria-label="Search payment links"
        placeholder="Title, e-mail or reference"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="pl-9"
      />
    </search>
  );
}
