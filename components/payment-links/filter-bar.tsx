"use client";

import type { ReactNode } from "react";
import { Search, StatusFilter } from "@/components/shell/list/filters";
import { ChoiceFilter, MoreFilters, TextFilter } from "@/components/shell/list/more-filters";
import { currencies } from "@/lib/money";
import { paymentLinkStatuses } from "@/lib/payment-links/contract";
import type { ShownLinks } from "./filter";

interface FilterBarProps {
  filter: ShownLinks;
  onChange: (filter: ShownLinks) => void;
  /** What stands beside the button of the further filters. */
  children?: ReactNode;
}

const labels = Object.fromEntries(paymentLinkStatuses.map((status) => [status, status])) as Record<
  (typeof paymentLinkStatuses)[number],
  string
>;

/** Status, search and the rest. A change always leads to the first page: a cursor belongs to the list it came from. */
export function FilterBar({ filter, onChange, children }: FilterBarProps) {
  const { status, paid, currency, email, reference, subscription_id, created_from, created_to, q } = filter;
  const change = (next: ShownLinks) => onChange({ ...filter, cursor: undefined, ...next });
  const set = [paid, currency, email, reference, subscription_id, created_from, created_to].filter(Boolean).length;
  return (
    <div className="mb-4 grid grid-cols-1 gap-3 lg:grid-cols-[1fr_auto]">
      <StatusFilter labels={labels} status={status} onChange={(next) => change({ status: next })} />
      <Search
        label="Search payment links"
        placeholder="Title, e-mail or reference"
        q={q}
        onSearch={(next) => change({ q: next || undefined })}
      />
      <MoreFilters set={set} beside={children}>
        <ChoiceFilter
          label="Paid"
          choices={[
            ["true", "Paid"],
            ["false", "Not paid"],
          ]}
          value={paid}
          onChange={(next) => change({ paid: next === "true" || next === "false" ? next : undefined })}
        />
        <ChoiceFilter
          label="Currency"
          choices={currencies.map((code) => [code, code] as const)}
          value={currency}
          onChange={(next) => change({ currency: next || undefined })}
        />
        <TextFilter
          label="Created from"
          type="date"
          value={created_from}
          onChange={(next) => change({ created_from: next || undefined })}
        />
        <TextFilter
          label="Created to"
          type="date"
          value={created_to}
          onChange={(next) => change({ created_to: next || undefined })}
        />
        <TextFilter
          label="Payer’s e-mail, exactly"
          type="email"
          value={email}
          onChange={(next) => change({ email: next || undefined })}
        />
        <TextFilter
          label="Reference, exactly"
          value={reference}
          onChange={(next) => change({ reference: next || undefined })}
        />
        <TextFilter
          label="Subscription’s ID"
          value={subscription_id}
          onChange={(next) => change({ subscription_id: next || undefined })}
        />
      </MoreFilters>
    </div>
  );
}
