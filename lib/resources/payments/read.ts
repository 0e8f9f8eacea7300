import { owner, type Tenant } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows, type SqlTransaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { notFound } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import { toUnits } from "@/lib/core/money";
import type { Page } from "@/lib/http/handle";
import { equals, iso, listRows } from "@/lib/http/list";
import type { PaymentListQuery, PaymentOfLink } from "./contract";

/** A payment's own columns. */
export interface OwnRow {
  id: string;
  payment_link_id: string;
  business_id: number;
  status: PaymentOfLink["status"];
  amount_cents: number;
  currency: string;
  gateway: string;
  gateway_ref: string | null;
  reason: PaymentOfLink["reason"];
  card_brand: string | null;
  card_last4: string | null;
  tokenization_id: string | null;
  refunded_cents: number;
  refund_pending_cents: number;
  fee_cents: number | null;
  fee_currency: string | null;
  receipt_token: string | null;
  livemode: boolean;
  created_at: string;
  updated_at: string;
  settled_at: string | null;
}

interface Row extends OwnRow {
  /** Of its link. */
  title: string;
  email: string;
}

export const ownColumns = Prisma.sql`
  id, payment_link_id, business_id, status, amount_cents, currency, gateway, gateway_ref, reason, card_brand, card_last4,
  tokenization_id, refunded_cents, refund_pending_cents, fee_cents, fee_currency, receipt_token, livemode,
  ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at, ${iso("settled_at")} AS settled_at`;

const columns = Prisma.sql`
  ${ownColumns}, (SELECT title FROM payment_link WHERE id = payment.payment_link_id) AS title,
  (SELECT email FROM payment_link WHERE id = payment.payment_link_id) AS email`;

export function present(row: Row): PaymentOfLink {
  const { card_brand, card_last4, fee_cents, fee_currency, receipt_token } = row;
  return {
    _id: row.id,
    payment_link_id: row.payment_link_id,
    business_id: row.business_id,
    status: row.status,
    amount: toUnits(row.amount_cents),
    amount_cents: row.amount_cents,
    currency: row.currency,
    gateway: row.gateway,
    gateway_reference: row.gateway_ref,
    reason: row.reason,
    card: card_brand !== null && card_last4 !== null ? { brand: card_brand, last4: card_last4 } : null,
    tokenization_id: row.tokenization_id,
    refunded_amount: toUnits(row.refunded_cents),
    refund_pending_amount: toUnits(row.refund_pending_cents),
    fee: fee_cents !== null && fee_currency !== null ? { amount_cents: fee_cents, currency: fee_currency } : null,
    receipt_url: receipt_token === null ? null : `${env().APP_URL}/receipt/${receipt_token}`,
    livemode: row.livemode,
    created_at: row.created_at,
    updated_at: row.updated_at,
    settled_at: row.settled_at,
    title: row.title,
    email: row.email,
  };
}

function mine(actor: Tenant): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/**
 * Of a payment link with this e-mail, whatever its case, deleted or not: each half has an index. As an array, which is made
 * first; else all of a business's payments may be gone through for it.
 */
function linkOf(actor: Tenant, email: string): Prisma.Sql {
  const links = Prisma.sql`
    SELECT id FROM payment_link WHERE ${mine(actor)} AND lower(email COLLATE "C") = lower(${email} COLLATE "C")`;
  return Prisma.sql`
    payment_link_id = ANY (ARRAY(${links} AND deleted_at IS NULL UNION ALL ${links} AND deleted_at IS NOT NULL))`;
}

/** @throws ApiError not_found */
export async function getPayment(tx: Db | SqlTransaction, actor: Tenant, id: string): Promise<PaymentOfLink> {
  if (!isId("pay", id)) throw notFound("Payment");
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`SELECT ${columns} FROM payment WHERE id = ${id} AND ${mine(actor)}`,
  );
  if (!row) throw notFound("Payment");
  return present(row);
}

/** Newest first unless asked otherwise. */
export async function listPayments(tx: Db, actor: Tenant, query: PaymentListQuery): Promise<Page<PaymentOfLink>> {
  const { status, payment_link_id, tokenization_id, currency, gateway } = query;
  const where = [
    mine(actor),
    ...equals({ status, payment_link_id, tokenization_id, currency, gateway }),
    ...(query.email === null ? [] : [linkOf(actor, query.email)]),
  ];
  const { rows, page } = await listRows<Row>(tx, { table: "payment", columns, where, query });
  return { rows: rows.map(present), page };
}
