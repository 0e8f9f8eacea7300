"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import Link from "next/link";
import { Search } from "@/components/shell/list/filters";
import { ListFrame } from "@/components/shell/list/list-frame";
import { Card, Cards, cell, Head, Row, Table } from "@/components/shell/list/table";
import { useListAddress } from "@/components/shell/list/use-list-address";
import { Moment } from "@/components/shell/moment";
import { cardExpiry, cardName } from "@/components/tokenizations/words";
import { Notice } from "@/components/ui/notice";
import { useMedia } from "@/components/ui/use-media";
import type { Customer } from "@/lib/customers/contract";
import { type CustomerFilter, useCustomers } from "@/lib/customers/queries";

function readFilter(params: URLSearchParams): CustomerFilter {
  const q = params.get("q")?.slice(0, 200).trim();
  const cursor = params.get("cursor");
  return { ...(q && { q }), ...(cursor && { cursor }) };
}

const many = (count: number): string => (count >= 100 ? "100 or more" : String(count));
const pathOf = ({ email }: Customer): string => `/customers/${encodeURIComponent(email)}`;

/** Everybody who was asked for money or has saved a card, by e-mail. */
export function CustomersPage() {
  const { filter, show } = useListAddress(readFilter);
  const customers = useCustomers(filter);
  const wide = useMedia("(min-width: 64rem)");
  const List = wide ? CustomerTable : CustomerCards;
  return (
    <>
      <h1 className="mb-5 text-xl font-semibold tracking-tight text-kumo-strong">Customers</h1>
      <div className="mb-4">
        <Search
          label="Search customers"
          placeholder="E-mail begins with"
          q={filter.q}
          onSearch={(q) => show({ q }, "replace")}
        />
      </div>
      <ListFrame
        rows={customers}
        nouns={["customer", "customers"]}
        filter={filter}
        asked={filter.q ? [`an e-mail that begins with “${filter.q}”`] : []}
        onShow={show}
        empty={
          <Notice
            title="No customers yet"
            action={
              <Link href="/payment-links" className={buttonVariants({ variant: "secondary" })}>
                Go to the payment links
              </Link>
            }
          >
            Whoever is sent a payment link, subscribes or saves a card stands here.
          </Notice>
        }
      >
        {(rows) => <List rows={rows} />}
      </ListFrame>
    </>
  );
}

const caption = "Customers, in the order of their e-mails";

function CustomerTable({ rows }: { rows: Customer[] }) {
  return (
    <Table
      caption={caption}
      head={
        <>
          <Head>E-mail</Head>
          <Head className="w-64">Card</Head>
          <Head className="w-36 !text-right">Payment links</Head>
          <Head className="w-36 !text-right">Subscriptions</Head>
          <Head className="w-40 !pl-8">Newest activity</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <Link href={pathOf(row)} title={row.email} className="text-kumo-strong underline-offset-4 hover:underline">
              {row.email}
            </Link>
          </th>
          <td className={cell}>
            {row.card ? (
              <>
                {cardName(row.card)} <span className="text-kumo-subtle tabular-nums">{cardExpiry(row.card)}</span>
              </>
            ) : (
              <span className="text-kumo-subtle">None saved</span>
            )}
          </td>
          <td className={`${cell} text-right tabular-nums`}>{many(row.payment_link_count)}</td>
          <td className={`${cell} text-right tabular-nums`}>{many(row.subscription_count)}</td>
          <td className={`${cell} !pl-8 text-kumo-subtle`}>
            <Moment at={row.last_activity_at} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

function CustomerCards({ rows }: { rows: Customer[] }) {
  return (
    <Cards label={caption}>
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="min-w-0 text-base font-medium">
            <Link
              href={pathOf(row)}
              className="block truncate py-0.5 text-kumo-strong underline decoration-kumo-line underline-offset-4"
            >
              {row.email}
            </Link>
          </h2>
          <p className="text-sm text-kumo-subtle">
            {row.card ? `${cardName(row.card)} ${cardExpiry(row.card)}` : "No card saved"}
          </p>
          <p className="flex justify-between gap-4 py-1 text-sm text-kumo-subtle">
            <span>
              {many(row.payment_link_count)} {row.payment_link_count === 1 ? "link" : "links"},{" "}
              {many(row.subscription_count)} {row.subscription_count === 1 ? "subscription" : "subscriptions"}
            </span>
            <Moment at={row.last_activity_at} />
          </p>
        </Card>
      ))}
    </Cards>
  );
}
