import Papa from "papaparse";
import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { disarmed } from "@/lib/core/csv-text";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { beginExport } from "@/lib/http/csv-list";
import { iso } from "@/lib/http/list";
import { startOfDay } from "@/lib/ledger/sums";
import { wallTime } from "@/lib/periods/calendar";
import { ownedBy } from "@/lib/resources/define";
import { type ExportKind, type ExportQuery, exportColumns } from "./export-contract";

/** Postings that one batch goes through, whichever of them the file has: some files have few rows of a long period. */
const batchRows = 2500;

/** The postings of which each file has a row. */
const kinds: Record<ExportKind, Prisma.Sql> = {
  journal: Prisma.sql`true`,
  payments: Prisma.sql`j.kind IN ('payment', 'payment_reversed')`,
  refunds: Prisma.sql`j.kind IN ('refund', 'refund_returned')`,
  disputes: Prisma.sql`j.kind IN ('dispute', 'dispute_returned')`,
  fees: Prisma.sql`'fees' IN (j.debit, j.credit)`,
  payouts: Prisma.sql`j.kind IN ('payout', 'payout_failed')`,
};

/** SQL: -1 for what takes from the sum of a file: a fee that comes back, a mark as paid that was reversed. */
const sign = (kind: ExportKind): Prisma.Sql => Prisma.sql`
  CASE WHEN (${kind}::text = 'fees' AND j.credit = 'fees') OR (${kind}::text = 'payments' AND j.kind = 'payment_reversed')
       THEN -1 ELSE 1 END`;

interface Period {
  kind: ExportKind;
  from: string;
  to: string;
  timezone: string;
}

/**
 * The rows of a period as CSV. Reads batch by batch along the journal's index, so that memory does not grow with the number of rows.
 */
export async function exportReport(actor: Actor, { what, from, to, bom }: ExportQuery): Promise<AsyncIterable<string>> {
  const { business_id } = tenantOf(actor);
  const { timezone } = await db.business.findUniqueOrThrow({ where: { id: business_id }, select: { timezone: true } });
  const today = wallTime(clock.now(), timezone).slice(0, 10);
  const last = to ?? today;
  const first = from ?? `${last.slice(0, 8)}01`;
  const period = { kind: what ?? "journal", from: first, to: last, timezone };
  const after = { what: period.kind, from: first, to: last };
  return beginExport(actor, fileOf(actor, period, bom === true), { action: "reports.exported", after });
}

type Row = Record<string, unknown>;

/** Of a posting, in the order of the journal. */
interface Place {
  at: string;
  place: string;
}

async function* fileOf(actor: Actor, period: Period, bom: boolean): AsyncGenerator<string> {
  const columns: readonly string[] = exportColumns[period.kind];
  // It comes with the first batch: a file whose rows cannot be read must not begin.
  let heading = `${bom ? "\ufeff" : ""}${columns.join(",")}\r\n`;
  for (let after: Place | null = null; ; ) {
    const until: Place | null = await endOfBatch(actor, period, after);
    const rows = await rowsBetween(actor, period, after, until);
    const cells = rows.map((row) => columns.map((name) => cellOf(row[name])));
    const lines = cells.length > 0 ? `${Papa.unparse(cells, { newline: "\r\n", header: false })}\r\n` : "";
    if (heading || lines) yield heading + lines;
    heading = "";
    if (!until) return;
    after = until;
  }
}

const cellOf = (value: unknown): unknown => (typeof value === "string" ? disarmed(value) : value);

/** SQL: the postings `j` of a period after a place. */
const following = (actor: Actor, { from, to, timezone }: Period, after: Place | null): Prisma.Sql => Prisma.sql`
  ${ownedBy(actor)} AND created_at >= ${startOfDay(Prisma.sql`${from}::text::timestamp`, timezone)}
  AND created_at < ${startOfDay(Prisma.sql`(${to}::text::timestamp + interval '1 day')`, timezone)}
  AND ${after ? Prisma.sql`(j.created_at, j.id) > (${after.at}::timestamptz, ${after.place}::bigint)` : Prisma.sql`true`}`;

/** The last posting of the batch after a place; null where the rest is one batch. Reads the index alone. */
async function endOfBatch(actor: Actor, period: Period, after: Place | null): Promise<Place | null> {
  const [end] = await queryRows<Place>(
    db,
    Prisma.sql`
    SELECT ${iso("j.created_at")} AS at, j.id::text AS place FROM posting j WHERE ${following(actor, period, after)}
     ORDER BY j.created_at, j.id OFFSET ${batchRows - 1}::int LIMIT 1`,
  );
  return end ?? null;
}

function rowsBetween(actor: Actor, period: Period, after: Place | null, until: Place | null): Promise<Row[]> {
  const { kind, timezone } = period;
  const upTo = until
    ? Prisma.sql`(j.created_at, j.id) <= (${until.at}::timestamptz, ${until.place}::bigint)`
    : Prisma.sql`true`;
  return queryRows<Row>(
    db,
    Prisma.sql`
    WITH j AS MATERIALIZED (
      SELECT * FROM posting j WHERE ${following(actor, period, after)} AND ${upTo} AND ${kinds[kind]}
    )
    SELECT j.id::text AS posting_id,
           to_char(j.created_at AT TIME ZONE ${timezone}::text, 'YYYY-MM-DD') AS date, ${iso("j.created_at")} AS time,
           j.kind, j.debit, j.credit,
           ${sign(kind)} * j.amount_cents / 100::float8 AS amount,
           trim(j.currency) AS currency, j.payment_id, j.refund_id, p.payment_link_id, j.balance_entry_id,
           coalesce(p.gateway, o.gateway, CASE WHEN e.id IS NULL THEN NULL WHEN e.gateway_account_id IS NULL THEN 'sandbox' ELSE a.gateway END) AS gateway,
           d.id AS dispute_id, coalesce(d.gateway_ref, r.gateway_ref, p.gateway_ref, o.gateway_ref) AS gateway_reference,
           coalesce(o.id, own.payout_id) AS payout_id, o.status, to_char(o.arrival_date, 'YYYY-MM-DD') AS arrival_date,
           p.fee_cents / 100::float8 AS fee, trim(p.fee_currency) AS fee_currency,
           ${sign(kind)} * (CASE WHEN p.fee_currency = p.currency THEN p.amount_cents ELSE p.booked_cents END - p.fee_cents) / 100::float8 AS net,
           p.refunded_cents / 100::float8 AS refunded, p.card_brand, p.card_last4, coalesce(d.reason, r.reason) AS reason,
           l.title, l.reference, l.reference_2, l.email
      FROM j LEFT JOIN payment p ON p.id = j.payment_id LEFT JOIN payment_link l ON l.id = p.payment_link_id
      LEFT JOIN dispute_movement m ON m.gateway_ref = j.movement_ref LEFT JOIN dispute d ON d.id = m.dispute_id
      LEFT JOIN refund r ON r.id = j.refund_id LEFT JOIN balance_entry e ON e.id = j.balance_entry_id
      LEFT JOIN gateway_account a ON a.id = e.gateway_account_id
      LEFT JOIN payout o ON e.type IN ('payout', 'payout_failure') AND (o.business_id, o.livemode, o.gateway_ref)
             = (e.business_id, e.livemode, e.source_ref) AND o.gateway_account_id IS NOT DISTINCT FROM e.gateway_account_id
      LEFT JOIN LATERAL (SELECT payout_id FROM balance_entry WHERE payment_id = j.payment_id AND type = 'charge' LIMIT 1) own
             ON j.refund_id IS NULL AND j.movement_ref IS NULL
     ORDER BY j.created_at, j.id`,
  );
}
