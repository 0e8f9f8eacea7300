"use client";

import { useTranslations } from "use-intl";
import { buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { StatusFilter } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { ChoiceFilter, MoreFilters, OrderChoice, TextFilter } from "@/components/ui/list/more-filters";
import type { Order } from "@/components/ui/list/sort-head";
import { daysAsInstants, readDays } from "@/components/ui/list/time-range";
import { readCommon, useListAddress } from "@/components/ui/list/use-list-address";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import { currencies, isCurrency } from "@/lib/core/money";
import { paymentStatuses } from "@/lib/resources/payments/contract";
import { type PaymentFilter, usePayments } from "@/lib/resources/payments/queries";
import { useTimeZone } from "@/lib/resources/settings/queries";
import { PaymentCards, PaymentTable } from "./payment-rows";
import { useStatusLabels } from "./words";

function readFilter(params: URLSearchParams): PaymentFilter {
  const { q: _, ...common } = readCommon(params, paymentStatuses);
  const currency = params.get("currency") ?? "";
  const email = params.get("email")?.slice(0, 254).trim();
  return {
    ...common,
    ...readDays(params),
    ...(isCurrency(currency) && { currency }),
    ...(email && { email }),
    ...(params.get("sort") === "created_at" && { sort: "created_at" as const }),
  };
}

/** Every attempt to take money, also those that failed. */
export function PaymentsPage() {
  const t = useTranslations("payments");
  const titles = useTranslations("titles");
  const statusLabels = useStatusLabels();
  const { filter, show } = useListAddress(readFilter);
  const { status, currency, email, created_from, created_to, sort } = filter;
  const payments = usePayments(daysAsInstants(filter, useTimeZone() ?? "UTC"));
  const wide = useMedia("(min-width: 64rem)");
  const change = (next: PaymentFilter) => show({ ...filter, cursor: undefined, ...next }, "replace");
  const asked = [
    status && t("asked.status", { status: statusLabels[status] }),
    currency && t("asked.currency", { currency }),
    email && t("asked.email", { email }),
    (created_from || created_to) && t("asked.created"),
  ].filter((part) => !!part);
  const order = sort ?? "-created_at";
  const turn = (next: Order) => change({ sort: next === "created_at" ? next : undefined });
  const List = wide ? PaymentTable : PaymentCards;

  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">{titles("payments")}</h1>
      <div className="mb-4 grid gap-3">
        <StatusFilter labels={statusLabels} status={status} onChange={(next) => change({ status: next })} />
        <MoreFilters set={[currency, email, created_from, created_to].filter(Boolean).length}>
          <OrderChoice order={order} onOrder={turn} />
          <TextFilter
            label={t("filters.email")}
            type="email"
            value={email}
            onChange={(next) => change({ email: next || undefined })}
          />
          <ChoiceFilter
            label={t("filters.currency")}
            choices={currencies.map((code) => [code, code] as const)}
            value={currency}
            onChange={(next) => change({ currency: next || undefined })}
          />
          <TextFilter
            label={t("filters.from")}
            type="date"
            value={created_from}
            onChange={(next) => change({ created_from: next || undefined })}
          />
          <TextFilter
            label={t("filters.to")}
            type="date"
            value={created_to}
            onChange={(next) => change({ created_to: next || undefined })}
          />
        </MoreFilters>
      </div>
      <ListFrame
        rows={payments}
        of="payments"
        filter={filter}
        asked={asked.map(String)}
        onShow={show}
        empty={
          <Notice
            title={t("list.emptyTitle")}
            action={
              <Link href="/payment-links" className={buttonVariants({ variant: "secondary" })}>
                {t("list.toLinks")}
              </Link>
            }
          >
            {t("list.empty")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} order={order} onOrder={turn} />}
      </ListFrame>
    </>
  );
}
