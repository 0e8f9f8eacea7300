import { Card, Cards, cell, Head, Row, Table } from "@/components/shell/list/table";
import { When } from "@/components/ui/when";
import type { AuditEntry } from "@/lib/audit/contract";
import { aboutWords, actionWords, actorWords } from "./words";

interface RowsProps {
  rows: AuditEntry[];
  onOpen: (entry: AuditEntry) => void;
}

const opener = "text-left font-medium text-kumo-strong underline-offset-4 hover:underline";

function Opener({ row, onOpen }: { row: AuditEntry; onOpen: RowsProps["onOpen"] }) {
  return (
    <button type="button" aria-haspopup="dialog" onClick={() => onOpen(row)} className={opener}>
      {actionWords(row)}
    </button>
  );
}

export function AuditTable({ rows, onOpen }: RowsProps) {
  return (
    <Table
      caption="Audit log, newest first"
      head={
        <>
          <Head className="w-64">What</Head>
          <Head>About</Head>
          <Head className="w-64">Who</Head>
          <Head className="w-36">From</Head>
          <Head className="w-36">When</Head>
        </>
      }
    >
      {rows.map((row) => (
        <Row key={row._id}>
          <th scope="row" className={`${cell} text-left font-medium`}>
            <Opener row={row} onOpen={onOpen} />
          </th>
          <td className={cell} title={aboutWords(row)}>
            {aboutWords(row)}
          </td>
          <td className={cell} title={actorWords(row)}>
            {actorWords(row)}
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
  return (
    <Cards label="Audit log, newest first">
      {rows.map((row) => (
        <Card key={row._id}>
          <h2 className="text-base">
            <Opener row={row} onOpen={onOpen} />
          </h2>
          {aboutWords(row) && <p className="truncate text-base text-kumo-default">{aboutWords(row)}</p>}
          <p className="pb-1.5 text-sm wrap-anywhere text-kumo-subtle">
            <When at={row.created_at} /> · {actorWords(row)}
            {row.address && ` · ${row.address}`}
          </p>
        </Card>
      ))}
    </Cards>
  );
}
