import { randomBytes } from "node:crypto";
import { type Tenant, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { Prisma } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { newId } from "@/lib/core/id";
import { among, byEmail, expiredOf, search } from "@/lib/http/list-filters";
import type { Condition, Facet } from "@/lib/http/list-streams";
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

export const tokenizations = defineResource<Tokenization, TokenizationListQuery>({
  name: "Tokenization",
  table: "tokenization",
  idPrefix: "tkn",
  fields: {
    email: column,
    phone_no: column,
    redirect_url: column,
    title: column,
    description: column,
    token: column,
    activation_url: () =>
      Prisma.sql`${env().APP_URL}::text || '/activate/' || token || CASE WHEN livemode THEN '' ELSE '?test=1' END`,
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
  },
  filters: {
    status: statusIs,
    email: byEmail,
    q: search("title || ' ' || email"),
  },
  facets: [[recordedStatus]],
});

const activationHours = 24;

/** The row of a new tokenization. Its token has 256 random bits and can be used for 24 hours. */
export function newTokenization(tenant: Tenant, input: TokenizationInput) {
  const token = randomBytes(32).toString("base64url");
  const expires_at = new Date(clock.now().getTime() + activationHours * 3_600_000);
  return { id: newId("tkn"), ...tenantOf(tenant), ...input, token, expires_at };
}

/** Without the secrets: events are sent to webhooks. */
export const eventTokenization = ({
  token,
  activation_url,
  ...rest
}: Tokenization): Omit<Tokenization, "token" | "activation_url"> => rest;
