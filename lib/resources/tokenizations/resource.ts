import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { hashToken, newToken } from "@/lib/auth/token";
import { clock } from "@/lib/core/clock";
import { Prisma } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { isSealed, seal, unseal } from "@/lib/core/secrets";
import { among, byEmail, byMetadata, expiredOf, search } from "@/lib/http/list-filters";
import type { Condition, Facet } from "@/lib/http/list-streams";
import { annotationColumns, newAnnotations } from "@/lib/resources/annotations/resource";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { Tokenization, TokenizationInput, TokenizationListQuery } from "./contract";

const status = (now: Date) => Prisma.sql`
  CASE WHEN status = 'pending' AND expires_at <= ${now} THEN 'expired' ELSE status END`;

/** The status, with "expired" where the expiry is recorded, as for payment links. */
const recordedStatus: Facet = {
  sql: "(CASE WHEN expiry_recorded AND status = 'pending' THEN 'expired' ELSE status END)",
  type: "text",
};

function statusIs(wanted: Tokenization["status"], tenant: Tenant, now: Date): Condition {
  const due = Prisma.sql`expires_at <= ${now}::timestamptz`;
  if (wanted === "expired")
    return among(recordedStatus, [wanted], {
      also: expiredOf("tokenization", Prisma.sql`NOT expiry_recorded AND status = 'pending'`, tenant, now),
    });
  return among(recordedStatus, [wanted], wanted === "pending" ? { and: Prisma.sql`NOT ${due}` } : {});
}

export const savedCard = Prisma.sql`
  CASE WHEN num_nulls(card_brand, card_last4, card_exp_month, card_exp_year) = 0 THEN json_build_object(
    'brand', card_brand, 'last4', card_last4, 'exp_month', card_exp_month, 'exp_year', card_exp_year) END`;

/** As in lib/core/card-expiry.ts. */
const cardExpired = (now: Date) => Prisma.sql`
  coalesce(make_timestamp(card_exp_year, card_exp_month, 1, 12, 0, 0) + interval '1 month'
           <= ${now}::timestamptz AT TIME ZONE 'UTC', false)`;

// Rows from before tokens were encrypted have them in `token`, until a job has encrypted them (server/reseal.ts).
export const storedToken = Prisma.sql`coalesce(sealed_token, token)`;

export const sealContextOf = ({ id }: { id: string }): string => `tokenization ${id} token`;

/** How a token is stored: encrypted to be shown, and as a hash to be found. It has 256 random bits, so the hash needs no salt. */
export const sealToken = (id: string, token: string) => ({
  token_hash: hashToken(token),
  sealed_token: seal(token, sealContextOf({ id })),
});

/** The token to show; empty if APP_SECRET was lost, so that the rest of its row is still shown. */
export function openToken(id: string, stored: string): string {
  if (!isSealed(stored)) return stored;
  try {
    return unseal(stored, sealContextOf({ id }));
  } catch (error) {
    log.warn({ err: error, tokenization: id }, "a token cannot be decrypted");
    return "";
  }
}

/** The condition that a row has this token. */
export const hasToken = (token: string) => ({ OR: [{ token_hash: hashToken(token) }, { token }] });

/** A tokenization as it is stored: its token is encrypted. Events have all but the token. */
export type StoredTokenization = Omit<Tokenization, "token" | "activation_url"> & { stored_token: string };

export const tokenizations = defineResource<StoredTokenization, TokenizationListQuery>({
  name: "Tokenization",
  table: "tokenization",
  idPrefix: "tkn",
  fields: {
    email: column,
    phone_no: column,
    redirect_url: column,
    title: column,
    description: column,
    stored_token: Prisma.sql`${storedToken}`,
    _id: Prisma.sql`id`,
    created_at: instant,
    updated_at: instant,
    status,
    livemode: column,
    expires_at: instant,
    activated_at: instant,
    card: savedCard,
    declined_at: instant,
    decline_reason: column,
    card_expired: cardExpired,
    ...annotationColumns,
  },
  filters: {
    status: statusIs,
    email: byEmail,
    q: search("title || ' ' || email || ' ' || coalesce(card_brand, '') || ' ' || coalesce(card_last4, '')"),
    metadata: byMetadata,
  },
  facets: [[recordedStatus]],
});

/** How long after its creation a tokenization's activation page lets the payer begin. */
export const activationHours = 24;

/** The row of a new tokenization. */
export function newTokenization(tenant: Tenant, input: TokenizationInput) {
  const id = newId("tkn");
  const expires_at = new Date(clock.now().getTime() + activationHours * 3_600_000);
  const given = { ...input, ...newAnnotations(input) };
  return { id, ...tenantOf(tenant), ...given, ...sealToken(id, newToken().token), expires_at };
}

export function serializeTokenization(stored: StoredTokenization): Tokenization {
  const { email, phone_no, redirect_url, title, description, stored_token, ...rest } = stored;
  const token = openToken(rest._id, stored_token);
  const activation_url = token && `${env().APP_URL}/activate/${token}${rest.livemode ? "" : "?test=1"}`;
  return { email, phone_no, redirect_url, title, description, token, activation_url, ...rest };
}

/** Without the secrets: events are sent to webhooks. */
export const eventTokenization = ({
  stored_token,
  ...rest
}: StoredTokenization): Omit<Tokenization, "token" | "activation_url"> => rest;
