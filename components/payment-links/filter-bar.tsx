"use client";

import { Search, StatusFilter } from "@/components/shell/list/filters";
import { paymentLinkStatuses } from "@/lib/payment-links/contract";
import type { PaymentLinkFilter } from "@/lib/payment-links/queries";

interface FilterBarProps {
  filter: PaymentLinkFilter;
  onChange: (filter: PaymentLinkFilter) => void;
}

const labels = Object.fromEntries(paymentLinkStatuses.map((status) => [status, status])) as Record<
  (typeof paymentLinkStatuses)[number],
  string
>;

/** Status and search. A change always leads to the first page: a cursor belongs to the list it came from. */
export function FilterBar({ filter: { status, q = "" }, onChange }: FilterBarProps) {
  return (
    <div className="mb-4 flex flex-col gap-3 lg:flex-row lg:items-center lg:justify-between">
      <StatusFilter labels={labels} status={status} onChange={(next) => onChange({ status: next, q })} />
      <Search
        label="Search payment links"
        placeholder="Title, e-mail or reference"
        q={q}
        onSearch={(next) => onChange({ status, q: next })}
      />
    </div>
  );
}
