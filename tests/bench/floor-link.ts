/** A payment link as the floor reads and shows it. Shares no code with the product. */
import { randomBytes } from "node:crypto";

const origin = process.env.APP_URL ?? "";

const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ${column}`;

/** Why a subscription's period waits for its payer, and is not charged again. */
const waitsForPayer = "'{no_card,expired_card,incorrect_number,incorrect_cvc,card_not_supported,card_blocked}'::text[]";

/** `now` is the parameter that holds the time. */
export const columns = (now: string) => `
  id, email, phone_no, currency, title, description, redirect_url, reference, reference_2,
  CASE WHEN status IN ('Active', 'Inactive') AND expires_at <= ${now} THEN 'Expired' ELSE status END AS status,
  business_id, ${iso("created_at")}, ${iso("updated_at")}, amount_cents, livemode, ${iso("expires_at")}, ${iso("paid_at")},
  refunded_cents, tax_basis_points, tax_cents, subscription_id, ${iso("period_start")}, ${iso("period_end")}, attempt_count,
  CASE WHEN failure = ANY(${waitsForPayer}) THEN NULL
       ELSE to_char(next_step_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') END AS next_attempt_at,
  internal_note, language, ${iso("awaiting_transfer_since")}, metadata, notes`;

/** The columns of a link as `present` shows it, for the event that holds it. */
export const shown = (now: string) => `
  id AS _id, email, phone_no, currency, amount_cents / 100::float8 AS amount, title, description, redirect_url, reference,
  reference_2, CASE WHEN status IN ('Active', 'Inactive') AND expires_at <= ${now} THEN 'Expired' ELSE status END AS status,
  '${origin}/pay?id=' || id AS payment_url, business_id, status = 'Paid' AS paid, ${iso("created_at")}, ${iso("updated_at")},
  amount_cents, livemode, ${iso("expires_at")}, ${iso("paid_at")}, refunded_cents / 100::float8 AS refunded_amount,
  tax_basis_points / 100::float8 AS tax_percent, tax_cents / 100::float8 AS tax_amount,
  subscription_id, ${iso("period_start")}, ${iso("period_end")}, attempt_count, NULL AS next_attempt_at, internal_note, language,
  ${iso("awaiting_transfer_since")}, metadata, notes`;

export interface Link {
  id: string;
  email: string;
  phone_no: string | null;
  currency: string;
  title: string;
  description: string | null;
  redirect_url: string | null;
  reference: string | null;
  reference_2: string | null;
  status: string;
  business_id: number;
  created_at: string;
  updated_at: string;
  amount_cents: number;
  livemode: boolean;
  expires_at: string | null;
  paid_at: string | null;
  refunded_cents: number;
  tax_basis_points: number | null;
  tax_cents: number | null;
  subscription_id: string | null;
  period_start: string | null;
  period_end: string | null;
  attempt_count: number;
  next_attempt_at: string | null;
  internal_note: string | null;
  language: string | null;
  awaiting_transfer_since: string | null;
  metadata: Record<string, string>;
  notes: string | null;
}

export const present = (row: Link) => ({
  _id: row.id,
  email: row.email,
  phone_no: row.phone_no,
  currency: row.currency,
  amount: row.amount_cents / 100,
  title: row.title,
  description: row.description,
  redirect_url: row.redirect_url,
  reference: row.reference,
  reference_2: row.reference_2,
  status: row.status,
  payment_url: `${origin}/pay?id=${row.id}`,
  business_id: row.business_id,
  paid: row.status === "Paid",
  created_at: row.created_at,
  updated_at: row.updated_at,
  amount_cents: row.amount_cents,
  livemode: row.livemode,
  expires_at: row.expires_at,
  paid_at: row.paid_at,
  refunded_amount: row.refunded_cents / 100,
  tax_percent: row.tax_basis_points === null ? null : row.tax_basis_points / 100,
  tax_amount: row.tax_cents === null ? null : row.tax_cents / 100,
  subscription_id: row.subscription_id,
  period_start: row.period_start,
  period_end: row.period_end,
  attempt_count: row.attempt_count,
  next_attempt_at: row.next_attempt_at,
  internal_note: row.internal_note,
  language: row.language,
  awaiting_transfer_since: row.awaiting_transfer_since,
  metadata: row.metadata,
  notes: row.notes,
});

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export function newId(prefix: string): string {
  let time = Date.now();
  let head = "";
  for (let i = 0; i < 10; i++) {
    head = alphabet[time % 32] + head;
    time = Math.floor(time / 32);
  }
  let tail = "";
  for (const byte of randomBytes(26)) tail += alphabet[byte & 31];
  return `${prefix}_${head}${tail}`;
}
