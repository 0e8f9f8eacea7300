import Link from "next/link";
import { perPeriod } from "@/components/packages/words";
import { cell, Head, Row, Table } from "@/components/shell/list/table";
import { formatMoney } from "@/lib/money";
import type { Subscription } from "@/lib/subscriptions/contract";
import { NextChargeShort } from "./next-charge";
import { SubscriptionBadge } from "./words";

/** The list from 1024 px on. */
export function SubscriptionTable({ rows }: { rows: Subscription[] }) {
  return (
    <Table
      caption="Subscriptions, newest first"
      head={
        <>
          <Head>E-mail</Head>
          <Head className="w-[22%]">Package</Head>
          <Head className="w-32">Status</Head>
          <Head className="w-44">Next charge</Head>
          <Head className="w-52 !pr-4 !text-right">Amount</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <Link
              href={`/subscriptions/${row._id}`}
              title={row.email}
              className="text-kumo-strong underline-offset-4 hover:underline"
            >
              {row.email}
            </Link>
          </th>
          <td className={cell} title={row.package.name}>
            {row.package.name}
          </td>
          <td className={cell}>
            <SubscriptionBadge status={row.status} />
          </td>
          <td className={`${cell} text-kumo-subtle`}>
            <NextChargeShort subscription={row} />
          </td>
          <td className={`${cell} !pr-4 text-right`}>
            <span className="font-medium tabular-nums">
              {formatMoney(row.package.amount_cents, row.package.currency)}
            </span>{" "}
            <span className="text-kumo-subtle">{perPeriod(row.package)}</span>
          </td>
        </Row>
      ))}
    </Table>
  );
}
