import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { ActionsHead, cell, Head, Row, Table } from "@/components/ui/list/table";
import { When } from "@/components/ui/when";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import { CardCell } from "./card-cell";
import { TokenizationActions } from "./tokenization-actions";
import { TokenizationBadge } from "./words";

/** The list from 1024 px on. */
export function TokenizationTable({ rows }: { rows: Tokenization[] }) {
  const t = useTranslations("tokenizations.list");
  return (
    <Table
      caption={t("caption")}
      head={
        <>
          <Head>{t("email")}</Head>
          <Head className="w-[30%]">{t("card")}</Head>
          <Head className="w-28">{t("status")}</Head>
          <Head className="w-32">{t("created")}</Head>
          <ActionsHead className="w-32" />
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <Link href={`/tokenizations/${row._id}`} title={row.email} className="block truncate leading-snug row-link">
              {row.email}
            </Link>
            <span className="block truncate text-sm font-normal text-kumo-subtle" title={row.title}>
              {row.title}
            </span>
          </th>
          <td className={cell}>
            <CardCell row={row} />
          </td>
          <td className={cell}>
            <TokenizationBadge status={row.status} />
          </td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={row.created_at} />
          </td>
          <td className="px-2">
            <TokenizationActions row={row} />
          </td>
        </Row>
      ))}
    </Table>
  );
}
