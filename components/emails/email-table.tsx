import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { cell, Head, Row, Table } from "@/components/ui/list/table";
import { When } from "@/components/ui/when";
import type { EmailSummary } from "@/lib/resources/emails/contract";
import { EmailBadge, subjectOf } from "./words";

/** The list from 1024 px on. */
export function EmailTable({ rows }: { rows: EmailSummary[] }) {
  const t = useTranslations("emails.list");
  const types = useTranslations("emails.template");
  return (
    <Table
      caption={t("label")}
      head={
        <>
          <Head>{t("subject")}</Head>
          <Head className="w-[30%]">{t("to")}</Head>
          <Head className="w-32">{t("status")}</Head>
          <Head className="w-36">{t("written")}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <Link
              href={`/outbox/${row._id}`}
              className="block truncate leading-snug row-link"
              title={subjectOf(types, row)}
            >
              <bdi>{subjectOf(types, row)}</bdi>
            </Link>
            <span className="block truncate text-sm font-normal text-kumo-subtle">{types(row.template)}</span>
          </th>
          <td className={cell} title={row.to}>
            {row.to}
          </td>
          <td className={cell}>
            <EmailBadge status={row.status} />
          </td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={row.created_at} />
          </td>
        </Row>
      ))}
    </Table>
  );
}
