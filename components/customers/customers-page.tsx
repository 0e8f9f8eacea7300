"use client";

import { useTranslations } from "use-intl";
import { cardExpiry, useCardName } from "@/components/tokenizations/words";
import { buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Search } from "@/components/ui/list/filters";
import { ListFrame } from "@/components/ui/list/list-frame";
import { Card, Cards, cell, Head, Row, Table } from "@/components/ui/list/table";
import { useListAddress } from "@/components/ui/list/use-list-address";
import { Moment } from "@/components/ui/moment";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import type { Customer } from "@/lib/resources/customers/contract";
import { type CustomerFilter, useCustomers } from "@/lib/resources/customers/queries";

function readFilter(params: URLSearchParams): CustomerFilter {
  const q = params.get("q")?.slice(0, 200).trim();
  const cursor = params.get("cursor");
  return { ...(q && { q }), ...(cursor && { cursor }) };
}

/** They are counted no further than to it. */
const most = 100;
const pathOf = ({ email }: Customer): string => `/customers/${encodeURIComponent(email)}`;

/** Everybody who was asked for money or has saved a card, by e-mail. */
export function CustomersPage() {
  const t = useTranslations("customers.list");
  const titles = useTranslations("titles");
  const { filter, show } = useListAddress(readFilter);
  const customers = useCustomers(filter);
  const wide = useMedia("(min-width: 64rem)");
  const List = wide ? CustomerTable : CustomerCards;
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">{titles("customers")}</h1>
      <div className="mb-4">
        <Search
          label={t("search")}
          placeholder={t("searchHint")}
          q={filter.q}
          onSearch={(q) => show({ q }, "replace")}
        />
      </div>
      <ListFrame
        rows={customers}
        of="customers"
        filter={filter}
        asked={filter.q ? [t("asked", { q: filter.q })] : []}
        onShow={show}
        empty={
          <Notice
            title={t("emptyTitle")}
            action={
              <Link href="/payment-links" className={buttonVariants({ variant: "secondary" })}>
                {t("toLinks")}
              </Link>
            }
          >
            {t("empty")}
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}

function CustomerTable({ rows }: { rows: Customer[] }) {
  const t = useTranslations("customers.list");
  const cardName = useCardName();
  return (
    <Table
      caption={t("caption")}
      head={
        <>
          <Head>{t("email")}</Head>
          <Head className="w-64">{t("card")}</Head>
          <Head className="w-36 !text-right">{t("paymentLinks")}</Head>
          <Head className="w-36 !text-right">{t("subscriptions")}</Head>
          <Head className="w-40 !pl-8">{t("newestActivity")}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <Link href={pathOf(row)} title={row.email} className="text-kumo-strong row-link">
              {row.email}
            </Link>
          </th>
          <td className={cell}>
            {row.card ? (
              <>
                {cardName(row.card)} <span className="text-kumo-subtle tabular-nums">{cardExpiry(row.card)}</span>
              </>
            ) : (
              <span className="text-kumo-subtle">{t("noneSaved")}</span>
            )}
          </td>
          <td className={`${cell} text-right tabular-nums`}>
            {t("count", { count: Math.min(row.payment_link_count, most) })}
          </td>
          <td className={`${cell} text-right tabular-nums`}>
            {t("count", { count: Math.min(row.subscription_count, most) })}
          </td>
          <td className={`${cell} !pl-8 text-kumo-subtle`}>
            <Moment at={row.last_activity_at} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

function CustomerCards({ rows }: { rows: Customer[] }) {
  const t = useTranslations("customers.list");
  const cardName = useCardName();
  return (
    <Cards label={t("caption")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="min-w-0 text-base font-medium">
            <Link href={pathOf(row)} className="block truncate py-0.5 text-kumo-strong row-link">
              {row.email}
            </Link>
          </h2>
          <p className="text-sm text-kumo-subtle">
            {row.card ? `${cardName(row.card)} ${cardExpiry(row.card)}` : t("noCardSaved")}
          </p>
          <p className="flex justify-between gap-4 py-1 text-sm text-kumo-subtle">
            <span>
              {t("counts", {
                links: Math.min(row.payment_link_count, most),
                subscriptions: Math.min(row.subscription_count, most),
              })}
            </span>
            <Moment at={row.last_activity_at} />
          </p>
        </Card>
      ))}
    </Cards>
  );
}
