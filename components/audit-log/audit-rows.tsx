import { useTranslations } from "use-intl";
import { Card, Cards, cell, Head, Row, Table } from "@/components/ui/list/table";
import { When } from "@/components/ui/when";
import type { AuditEntry } from "@/lib/resources/audit-log/contract";
import { aboutWords, actorWords } from "./words";

interface RowsProps {
  rows: AuditEntry[];
  onOpen: (entry: AuditEntry) => void;
}

const opener = "text-left font-medium text-kumo-strong row-link";

function Opener({ row, onOpen }: { row: AuditEntry; onOpen: RowsProps["onOpen"] }) {
  const actions = useTranslations("audit.action");
  return (
    <button type="button" aria-haspopup="dialog" onClick={() => onOpen(row)} className={opener}>
      {actions(row.action)}
    </button>
  );
}

export function AuditTable({ rows, onOpen }: RowsProps) {
  const t = useTranslations("audit.list");
  const words = useTranslations("audit.words");
  return (
    <Table
      caption={t("label")}
      head={
        <>
          <Head className="w-64">{t("what")}</Head>
          <Head>{t("about")}</Head>
          <Head className="w-64">{t("who")}</Head>
          <Head className="w-36">{t("from")}</Head>
          <Head className="w-36">{t("when")}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <Opener row={row} onOpen={onOpen} />
          </th>
          <td className={cell} title={aboutWords(words, row)}>
            {aboutWords(words, row)}
          </td>
          <td className={cell} title={actorWords(words, row)}>
            {actorWords(words, row)}
          </td>
          <td className={`${cell} text-kumo-subtle`} title={row.address ?? undefined}>
            {row.address}
          </td>
          <td className={`${cell} text-kumo-subtle`}>
            <When at={row.created_at} />
          </td>
        </Row>
      ))}
    </Table>
  );
}

export function AuditCards({ rows, onOpen }: RowsProps) {
  const t = useTranslations("audit.list");
  const words = useTranslations("audit.words");
  return (
    <Cards label={t("label")}>
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="text-base">
            <Opener row={row} onOpen={onOpen} />
          </h2>
          {aboutWords(words, row) && <p className="truncate text-base text-kumo-default">{aboutWords(words, row)}</p>}
          <p className="pb-1.5 text-sm wrap-anywhere text-kumo-subtle">
            <When at={row.created_at} /> · {actorWords(words, row)}
            {row.address && ` · ${row.address}`}
          </p>
        </Card>
      ))}
    </Cards>
  );
}
