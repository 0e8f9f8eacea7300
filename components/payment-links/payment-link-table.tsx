import Link from "next/link";
import type { ReactNode } from "react";
import { type Order, SortHead } from "@/components/shell/list/sort-head";
import { ActionsHead, cell, Head, Row, Table } from "@/components/shell/list/table";
import { Moment } from "@/components/shell/moment";
import { formatMoney } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { type Column, columnLabels } from "./filter";
import { RowActions } from "./row-actions";
import { StatusBadge } from "./status-badge";

export interface PaymentLinkRowsProps {
  rows: PaymentLink[];
  canWrite: boolean;
  columns: Column[];
  order: Order;
  /** Without it the order cannot be turned round. */
  onOrder?: (order: Order) => void;
}

export const captionOf = (order: Order): string =>
  `Payment links, ${order === "-created_at" ? "newest" : "oldest"} first`;

const widths: Partial<Record<Column, string>> = {
  status: "w-32",
  reference: "w-36",
  reference_2: "w-36",
  refunded_amount: "w-32 !text-right",
  expires_at: "w-44",
  paid_at: "w-44",
  subscription_id: "w-32",
  created_at: "w-44",
};

/** What a column needs at least, in rem; 9 unless it stands here. Title, amount and actions need 30. */
const room: Partial<Record<Column, number>> = { email: 13, expires_at: 11, paid_at: 11, created_at: 11 };

/** The list from 1024 px on. Without a column of its own the reference stands below the title. */
export function PaymentLinkTable({ rows, canWrite, columns, order, onOrder }: PaymentLinkRowsProps) {
  return (
    <Table
      caption={captionOf(order)}
      minWidth={`${columns.reduce((sum, column) => sum + (room[column] ?? 9), 30)}rem`}
      head={
        <>
          <Head className="w-[22%]">Title</Head>
          <Head className="w-32 !text-right">Amount</Head>
          {columns.map((column) =>
            column === "created_at" && onOrder ? (
              <SortHead key={column} label="Created" order={order} onOrder={onOrder} className={widths[column]} />
            ) : (
              <Head key={column} className={widths[column]}>
                {columnLabels[column]}
              </Head>
            ),
          )}
          <ActionsHead className="w-32" />
        </>
      }
    >
      {rows.map((link) => (
        <Row key={link._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <Link
              href={`/payment-links/${link._id}`}
              title={link.title}
              className="block truncate leading-snug underline-offset-4 hover:underline"
            >
              {link.title}
            </Link>
            {link.reference && !columns.includes("reference") && (
              <span className="block truncate font-mono text-xs font-normal text-kumo-subtle">
                <span className="sr-only">Reference </span>
                {link.reference}
              </span>
            )}
          </th>
          <td className={`${cell} text-right font-medium tabular-nums`}>
            {formatMoney(link.amount_cents, link.currency)}
          </td>
          {columns.map((column) => (
            <Cell key={column} link={link} column={column} />
          ))}
          <td className="px-2">
            <RowActions link={link} canWrite={canWrite} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

const moment = (at: string | null): ReactNode =>
  at ? (
    <Moment at={at} time />
  ) : (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">None</span>
    </>
  );

function Cell({ link, column }: { link: PaymentLink; column: Column }) {
  switch (column) {
    case "status":
      return (
        <td className={cell}>
          <StatusBadge status={link.status} />
        </td>
      );
    case "email":
      return (
        <td className={cell} title={link.email}>
          {link.email}
        </td>
      );
    case "reference":
    case "reference_2":
      return (
        <td className={`${cell} font-mono text-xs`} title={link[column] ?? undefined}>
          {link[column]}
        </td>
      );
    case "refunded_amount":
      return (
        <td className={`${cell} text-right tabular-nums ${link.refunded_amount === 0 ? "text-kumo-subtle" : ""}`}>
          {formatMoney(Math.round(link.refunded_amount * 100), link.currency)}
        </td>
      );
    case "subscription_id":
      return (
        <td className={cell}>
          {link.subscription_id && (
            <Link href={`/subscriptions/${link.subscription_id}`} className="underline-offset-4 hover:underline">
              Open it
            </Link>
          )}
        </td>
      );
    default:
      return <td className={`${cell} text-kumo-subtle`}>{moment(link[column])}</td>;
  }
}
