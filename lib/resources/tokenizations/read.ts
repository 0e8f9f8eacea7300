import { owner, type Tenant } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { notFound } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { emailIs, iso, listRows, matches } from "@/lib/http/list";
import type { Tokenization, TokenizationListQuery } from "./contract";

export interface Row extends Omit<Tokenization, "_id" | "activation_url" | "card"> {
  id: string;
  card_brand: string | null;
  card_last4: string | null;
  card_exp_month: number | null;
  card_exp_year: number | null;
}

const status = (now: Date) => Prisma.sql`
  CASE WHEN status = 'pending' AND expires_at <= ${now} THEN 'expired' ELSE status END`;

export const columns = (now: Date) => Prisma.sql`
  id, email, phone_no, redirect_url, title, description, token, ${iso("created_at")} AS created_at,
  ${iso("updated_at")} AS updated_at, ${status(now)} AS status, livemode, ${iso("expires_at")} AS expires_at,
  ${iso("activated_at")} AS activated_at, card_brand, card_last4, card_exp_month, card_exp_year`;

const searched = `to_tsvector('simple', regexp_replace(lower(title || ' ' || email), '[^[:alnum:]]+', ' ', 'g'))`;

export function present({ id, card_brand, card_last4, card_exp_month, card_exp_year, ...row }: Row): Tokenization {
  const saved = card_brand !== null && card_last4 !== null && card_exp_month !== null && card_exp_year !== null;
  return {
    ...row,
    _id: id,
    activation_url: `${env().APP_URL}/activate/${row.token}${row.livemode ? "" : "?test=1"}`,
    card: saved ? { brand: card_brand, last4: card_last4, exp_month: card_exp_month, exp_year: card_exp_year } : null,
  };
}

/** As events have it. */
export const told = ({
  token,
  activation_url,
  ...rest
}: Tokenization): Omit<Tokenization, "token" | "activation_url"> => rest;

export function mine(actor: Tenant): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/** @throws ApiError not_found */
export async function getTokenization(tx: Db, actor: Tenant, id: string): Promise<Tokenization> {
  if (!isId("tkn", id)) throw notFound("Tokenization");
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT ${columns(clock.now())} FROM tokenization WHERE id = ${id} AND ${mine(actor)}`,
  );
  return present(found(row));
}

/** Newest first unless asked otherwise. */
export async function listTokenizations(
  tx: Db,
  actor: Tenant,
  query: TokenizationListQuery,
): Promise<Page<Tokenization>> {
  const now = clock.now();
  const where = [
    mine(actor),
    ...emailIs(query.email),
    ...(query.status === null ? [] : [Prisma.sql`${status(now)} = ${query.status}`]),
    ...matches(searched, query.q),
  ];
  const { rows, page } = await listRows<Row>(tx, { table: "tokenization", columns: columns(now), where, query });
  return { rows: rows.map(present), page };
}

export function found(row: Row | undefined): Row {
  if (!row) throw notFound("Tokenization");
  return row;
}
