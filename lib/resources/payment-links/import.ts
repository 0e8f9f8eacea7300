import { type Actor, tenantOf } from "@/lib/auth/actor";
import { acting } from "@/lib/core/acting";
import { clock, isoMicros } from "@/lib/core/clock";
import { type Db, db, lockUntilCommit, transaction } from "@/lib/core/db";
import { type FieldErrors, ValidationError } from "@/lib/core/errors";
import { parseJsonObject } from "@/lib/http/json";
import { blanksToNull, parseInput } from "@/lib/http/validation";
import { countWrites } from "@/lib/http/write-quota";
import { type PaymentLinkInput, paymentLinkEndpoints, paymentLinkInput } from "./contract";
import type { ImportedRow, ImportInput, ImportResult } from "./csv-contract";
import { createPaymentLink } from "./service";

type Checked = { row: number; input: PaymentLinkInput } | { row: number | null; errors: FieldErrors };

function check(actor: Actor, given: Record<string, unknown>): Checked {
  const { row, ...fields } = given;
  if (typeof row !== "number" || !Number.isInteger(row) || row < 1 || row > 2_147_483_647)
    return { row: null, errors: { row: ["The row must be an integer of at least 1."] } };
  try {
    const body = withMetadata(blanksToNull(fields));
    const known = paymentLinkEndpoints.create.check(body, { livemode: actor.livemode, now: clock.now() });
    const more = { ...known, ...amountErrors(body) };
    return { row, input: parseInput(paymentLinkInput, body, more) };
  } catch (error) {
    if (error instanceof ValidationError) return { row, errors: error.errors };
    throw error;
  }
}

/** Parses the column `metadata`. A cell that is not JSON stays a text, which the contract refuses. */
function withMetadata(body: Record<string, unknown>): Record<string, unknown> {
  if (typeof body.metadata !== "string") return body;
  try {
    return { ...body, metadata: parseJsonObject(Buffer.from(body.metadata)) };
  } catch {
    return body;
  }
}

/** An export has the amount twice. If only one was changed, either may be meant. */
function amountErrors({ amount, amount_cents }: Record<string, unknown>): FieldErrors {
  if (amount == null || amount_cents == null || numberOf(amount) === numberOf(amount_cents)) return {};
  return {
    amount_cents: ["The amount and the amount_cents must be the same: correct the wrong one, or leave it empty."],
  };
}

const numberOf = (value: unknown): number =>
  typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value)) ? Number(value) : Number.NaN;

/**
 * Creates a link for each valid row of a file, or only checks the rows. A row of a file creates one link, however often and
 * concurrently it is sent.
 */
export async function importPaymentLinks(tx: Db, actor: Actor, input: ImportInput): Promise<ImportResult> {
  const { file, rows } = input;
  const dryRun = input.dry_run === true;
  // With an Idempotency-Key all rows are one transaction. Two of them could each hold a new payer's record that the other waits for.
  if (!dryRun && tx !== db) await lockUntilCommit(tx, `import ${actor.businessId} ${actor.livemode}`);
  const known = await createdFrom(tx, actor, file, rows);
  const results: ImportedRow[] = [];
  for (const given of rows) {
    const checked = check(actor, given);
    const before = checked.row === null ? undefined : known.get(checked.row);
    if (before) results.push(outcome(checked.row, "already_created", before));
    else if ("errors" in checked) results.push({ ...outcome(checked.row, "invalid"), errors: checked.errors });
    else if (dryRun) results.push(outcome(checked.row, "valid"));
    else results.push(await create(tx, actor, file, checked));
    const last = results.at(-1);
    if (last?.row != null && last.payment_link_id !== null) known.set(last.row, last.payment_link_id);
  }
  const count = (status: ImportedRow["status"]) => results.filter((result) => result.status === status).length;
  countWrites(actor, count("created"));
  return {
    _id: file,
    created_at: isoMicros(clock.now()),
    dry_run: dryRun,
    counts: {
      valid: count("valid"),
      created: count("created"),
      already_created: count("already_created"),
      invalid: count("invalid"),
    },
    rows: results,
  };
}

const outcome = (row: number | null, status: ImportedRow["status"], id: string | null = null): ImportedRow => ({
  row,
  status,
  payment_link_id: id,
  errors: null,
});

async function createdFrom(
  tx: Db,
  actor: Actor,
  file: string,
  rows: ImportInput["rows"],
): Promise<Map<number, string | null>> {
  const numbers = rows
    .map(({ row }) => row)
    .filter((row): row is number => Number.isInteger(row) && Number(row) >= 1 && Number(row) < 2 ** 31);
  const found = await tx.paymentLinkImport.findMany({ where: { ...tenantOf(actor), file, row: { in: numbers } } });
  return new Map(found.map(({ row, payment_link_id }) => [row, payment_link_id]));
}

/** Commits the row's mark and its link together. A concurrent import of the same row waits for the mark. */
function create(
  tx: Db,
  actor: Actor,
  file: string,
  { row, input }: Extract<Checked, { input: PaymentLinkInput }>,
): Promise<ImportedRow> {
  const mark = { ...tenantOf(actor), file, row };
  return transaction(tx, async (tx) => {
    const { count } = await tx.paymentLinkImport.createMany({ data: mark, skipDuplicates: true });
    if (count === 0)
      return outcome(row, "already_created", (await createdFrom(tx, actor, file, [{ row }])).get(row) ?? null);
    const { _id } = await createPaymentLink(tx, actor, input, acting());
    await tx.paymentLinkImport.updateMany({ where: mark, data: { payment_link_id: _id } });
    return outcome(row, "created", _id);
  });
}
