import { randomBytes } from "node:crypto";
import { ApiError, notFound } from "@/lib/api/errors";
import type { Page } from "@/lib/api/handle";
import { emailIs, iso, listRows, matches } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { clock } from "@/lib/clock";
import { type Db, Prisma, queryRows } from "@/lib/db";
import { env } from "@/lib/env";
import { isId, newId } from "@/lib/id";
import type { Tokenization, TokenizationInput, TokenizationListQuery } from "./contract";

interface Row extends Omit<Tokenization, "_id" | "activation_url" | "card"> {
  id: string;
  card_brand: string | null;
  card_last4: string | null;
  card_exp_month: number | null;
  card_exp_year: number | null;
}

const activationHours = 24;

const status = (now: Date) => Prisma.sql`
  CASE WHEN status = 'pending' AND expires_at <= ${now} THEN 'expired' ELSE status END`;

const columns = (now: Date) => Prisma.sql`
  id, email, phone_no, redirect_url, title, description, token, ${iso("created_at")} AS created_at,
  ${iso("updated_at")} AS updated_at, ${status(now)} AS status, livemode, ${iso("expires_at")} AS expires_at,
  ${iso("activated_at")} AS activated_at, card_brand, card_last4, card_exp_month, card_exp_year`;

const searched = `to_tsvector('simple', regexp_replace(lower(title || ' ' || email), '[^[:alnum:]]+', ' ', 'g'))`;

function present({ id, card_brand, card_last4, card_exp_month, card_exp_year, ...row }: Row): Tokenization {
  const saved = card_brand !== null && card_last4 !== null && card_exp_month !== null && card_exp_year !== null;
  return {
    ...row,
    _id: id,
    activation_url: `${env().APP_URL}/activate/${row.token}${row.livemode ? "" : "?test=1"}`,
    card: saved ? { brand: card_brand, last4: card_last4, exp_month: card_exp_month, exp_year: card_exp_year } : null,
  };
}

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/** Creates a token (256 random bits) and the address on which the payer activates it, within 24 hours. */
export async function createTokenization(tx: Db, actor: Actor, input: TokenizationInput): Promise<Tokenization> {
  const now = clock.now();
  const { business_id, livemode } = owner(actor);
  const token = randomBytes(32).toString("base64url");
  const expires = new Date(now.getTime() + activationHours * 3_600_000);
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    INSERT INTO tokenization (id, business_id, livemode, email, phone_no, redirect_url, title, description, token,
      expires_at)
    VALUES (${newId("tkn")}, ${business_id}, ${livemode}, ${input.email}, ${input.phone_no}, ${input.redirect_url},
      ${input.title}, ${input.description}, ${token}, ${expires})
    RETURNING ${columns(now)}`,
  );
  return present(found(row));
}

/** @throws ApiError not_found */
export async function getTokenization(tx: Db, actor: Actor, id: string): Promise<Tokenization> {
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
  actor: Actor,
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

/**
 * Makes a saved card unusable. Revoking again changes nothing.
 * @throws ApiError not_found, conflict when there is no card to revoke (contract: only active moves to revoked)
 */
export async function revokeTokenization(tx: Db, actor: Actor, id: string): Promise<Tokenization> {
  if (!isId("tkn", id)) throw notFound("Tokenization");
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`
    UPDATE tokenization SET status = 'revoked' WHERE id = ${id} AND ${mine(actor)} AND status = 'active'
    RETURNING ${columns(clock.now())}`,
  );
  if (row) return present(row);
  const current = await getTokenization(tx, actor, id);
  if (current.status === "revoked") return current;
  throw new ApiError("conflict", `A tokenization that is ${current.status} has no card to revoke.`);
}

function found(row: Row | undefined): Row {
  if (!row) throw notFound("Tokenization");
  return row;
}
