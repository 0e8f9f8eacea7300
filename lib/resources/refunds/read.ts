import { owner, type Tenant } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows, type SqlTransaction } from "@/lib/core/db";
import { notFound } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import { toUnits } from "@/lib/core/money";
import type { Page } from "@/lib/http/handle";
import { equals, iso, listRows } from "@/lib/http/list";
import type { Refund, RefundListQuery } from "./contract";

interface Row extends Omit<Refund, "_id" | "amount" | "gateway_reference"> {
  id: string;
  gateway_ref: string | null;
}

const columns = Prisma.sql`
  id, payment_id, payment_link_id, business_id, amount_cents, currency, status, reason, failure_reason, gateway_ref,
  livemode, ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at, ${iso("settled_at")} AS settled_at`;

const present = ({ id, gateway_ref, ...row }: Row): Refund => ({
  ...row,
  _id: id,
  amount: toUnits(row.amount_cents),
  gateway_reference: gateway_ref,
});

function mine(actor: Tenant): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/** @throws ApiError not_found */
export async function getRefund(tx: Db | SqlTransaction, actor: Tenant, id: string): Promise<Refund> {
  if (!isId("ref", id)) throw notFound("Refund");
  const [row] = await queryRows<Row>(tx, Prisma.sql`SELECT ${columns} FROM refund WHERE id = ${id} AND ${mine(actor)}`);
  if (!row) throw notFound("Refund");
  return present(row);
}

/** Newest first unless asked otherwise. */
export async function listRefunds(tx: Db, actor: Tenant, query: RefundListQuery): Promise<Page<Refund>> {
  const { status, payment_id, payment_link_id } = query;
  const where = [mine(actor), ...equals({ status, payment_id, payment_link_id })];
  const { rows, page } = await listRows<Row>(tx, { table: "refund", columns, where, query });
  return { rows: rows.map(present), page };
}
