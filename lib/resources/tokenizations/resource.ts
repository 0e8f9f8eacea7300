import { Prisma } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { emailIs, matches } from "@/lib/http/list";
import { column, defineResource, instant } from "@/lib/resources/define";
import type { Tokenization, TokenizationListQuery } from "./contract";

const status = (now: Date) => Prisma.sql`
  CASE WHEN status = 'pending' AND expires_at <= ${now} THEN 'expired' ELSE status END`;

export const savedCard = Prisma.sql`
  CASE WHEN num_nulls(card_brand, card_last4, card_exp_month, card_exp_year) = 0 THEN json_build_object(
    'brand', card_brand, 'last4', card_last4, 'exp_month', card_exp_month, 'exp_year', card_exp_year) END`;

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
  },
  filters: {
    status: (wanted, _, now) => Prisma.sql`${status(now)} = ${wanted}`,
    email: emailIs,
    q: matches("title || ' ' || email"),
  },
});

/** Without the secrets: events are sent to webhooks. */
export const eventTokenization = ({
  token,
  activation_url,
  ...rest
}: Tokenization): Omit<Tokenization, "token" | "activation_url"> => rest;
