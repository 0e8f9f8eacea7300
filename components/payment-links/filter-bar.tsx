"use client";

import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Search, StatusFilter } from "@/components/ui/list/filters";
import { ChoiceFilter, MoreFilters, OrderChoice, TextFilter } from "@/components/ui/list/more-filters";
import { currencies } from "@/lib/core/money";
import type { ShownLinks } from "./filter";
import { useStatusLabels } from "./status-badge";

interface FilterBarProps {
  filter: ShownLinks;
  onChange: (filter: ShownLinks) => void;
  /** What stands beside the button of the further filters. */
  children?: ReactNode;
}

/** Status, search and the rest. A change always leads to the first page: a cursor belongs to the list it came from. */
export function FilterBar({ filter, onChange, children }: FilterBarProps) {
  const t = useTranslations("paymentLinks.filters");
  const labels = useStatusLabels();
  const { status, paid, currency, email, reference, subscription_id, created_from, created_to, q } = filter;
  const change = (next: ShownLinks) => onChange({ ...filter, cursor: undefined, ...next });
  const set = [paid, currency, email, reference, subscription_id, created_from, created_to].filter(Boolean).length;
  return (
    <div className="mb-4 grid grid-cols-1 gap-3 lg:grid-cols-[1fr_auto]">
      <StatusFilter labels={labels} status={status} onChange={(next) => change({ status: next })} />
      <Search
        label={t("search")}
        placeholder={t("searchHint")}
        q={q}
        onSearch={(next) => change({ q: next || undefined })}
      />
      <MoreFilters set={set} beside={children}>
        <OrderChoice
          order={filter.sort ?? "-created_at"}
          onOrder={(next) => change({ sort: next === "created_at" ? next : undefined })}
        />
        <ChoiceFilter
          label={t("paid")}
          choices={[
            ["true", t("paidChoices.true")],
            ["false", t("paidChoices.false")],
          ]}
          value={paid}
          onChange={(next) => change({ paid: next === "true" || next === "false" ? next : undefined })}
        />
        <ChoiceFilter
          label={t("currency")}
          choices={currencies.map((code) => [code, code] as const)}
          value={currency}
          onChange={(next) => change({ currency: next || undefined })}
        />
        <TextFilter
          label={t("createdFrom")}
          type="date"
          value={created_from}
          onChange={(next) => change({ created_from: next || undefined })}
        />
        <TextFilter
          label={t("createdTo")}
          type="date"
          value={created_to}
          onChange={(next) => change({ created_to: next || undefined })}
        />
        <TextFilter
          label={t("email")}
          type="email"
          value={email}
          onChange={(next) => change({ email: next || undefined })}
        />
        <TextFilter
          label={t("reference")}
          value={reference}
          onChange={(next) => change({ reference: next || undefined })}
        />
        <TextFilter
          label={t("subscription")}
          value={subscription_id}
          onChange={(next) => change({ subscription_id: next || undefined })}
        />
      </MoreFilters>
    </div>
  );
}
