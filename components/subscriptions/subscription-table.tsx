import { useTranslations } from "use-intl";
import { Price } from "@/components/packages/words";
import { Link } from "@/components/ui/link";
import { cell, Head, Row, Table } from "@/components/ui/list/table";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { NextChargeShort } from "./next-charge";
import { SubscriptionBadge } from "./words";

/** The list from 1024 px on. */
export function SubscriptionTable({ rows }: { rows: Subscription[] }) {
  const t = useTranslations("subscriptions.columns");
  const list = useTranslations("subscriptions.list");
  return (
    <Table
      caption={list("caption")}
      head={
        <>
          <Head>{t("email")}</Head>
          <Head className="w-[22%]">{t("package")}</Head>
          <Head className="w-32">{t("status")}</Head>
          <Head className="w-44">{t("nextCharge")}</Head>
          <Head className="w-52 !pr-4 !text-right">{t("amount")}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <Link href={`/subscriptions/${row._id}`} title={row.email} className="text-kumo-strong row-link">
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
            <Price pkg={row.package} sumClass="font-medium tabular-nums" />
          </td>
        </Row>
      ))}
    </Table>
  );
}
