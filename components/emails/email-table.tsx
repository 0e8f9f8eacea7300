import Link from "next/link";
import { cell, Head, Row, Table } from "@/components/shell/list/table";
import { When } from "@/components/ui/when";
import type { EmailSummary } from "@/lib/emails/contract";
import { EmailBadge, subjectOf, templateLabels } from "./words";

/** The list from 1024 px on. */
export function EmailTable({ rows }: { rows: EmailSummary[] }) {
  return (
    <Table
      caption="E-mails, newest first"
      head={
        <>
          <Head>Subject</Head>
          <Head className="w-[30%]">To</Head>
          <Head className="w-32">Status</Head>
          <Head className="w-36">Written</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium text-kumo-strong`}>
            <Link
              href={`/outbox/${row._id}`}
              className="block truncate leading-snug underline-offset-4 hover:underline"
              title={subjectOf(row)}
            >
              <bdi>{subjectOf(row)}</bdi>
            </Link>
            <span className="block truncate text-sm font-normal text-kumo-subtle">{templateLabels[row.template]}</span>
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
