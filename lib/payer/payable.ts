import { clock } from "@/lib/core/clock";
import { db, lookUp, Prisma } from "@/lib/core/db";
import { isId } from "@/lib/core/id";
import type { PageLanguage } from "@/lib/core/payer-languages";
import type { ManualMethod } from "@/lib/core/payment-methods";
import { type Brand, brandSql } from "@/lib/resources/settings/brand";
import { hasUnknownCharge } from "@/lib/resources/unknown-charges/resource";

/**
 * A payment link with its succeeded attempt, else its last one, as the payer's pages need it. `email` goes to the gateway and is never shown.
 */
export type Payable = {
  id: string;
  livemode: boolean;
  /** As stored. See `payableState` for the current state. */
  status: string;
  amount_cents: number;
  tax_basis_points: number | null;
  currency: string;
  title: string;
  description: string | null;
  /** The language of the link's pages: its own, else the browser's. */
  language: PageLanguage;
  redirect_url: string | null;
  expires_at: Date | null;
  paid_at: Date | null;
  deleted_at: Date | null;
  /** Of an Inactive link's subscription; else null. */
  subscription_status: string | null;
  business_name: string;
  business_timezone: string;
  brand: Brand;
  attempt_id: string | null;
  attempt_status: string | null;
  attempt_reason: string | null;
  /** Seconds since the last attempt started, by the database's clock. */
  attempt_age: number | null;
  card_brand: string | null;
  card_last4: string | null;
  receipt_token: string | null;
  email: string;
  business_id: number;
  reference: string | null;
  subscription_id: string | null;
  period_index: number | null;
  gateway_account_id: string | null;
  /** The business's test clock, in ms ahead. */
  clock_ahead: number;
  /** Of the last attempt, if staff marked the link as paid. */
  method: ManualMethod | null;
  paid_on: string | null;
  /** Whether staff wait for a bank transfer. */
  awaiting_transfer: boolean;
  bank_holder: string | null;
  bank_iban: string | null;
  bank_bic: string | null;
  /** Whether the payer chose to save the card. From the page's address, not the database; undefined before they chose. */
  save_chosen?: boolean;
};

/** An address of the link's page. It keeps the payer's choice to save the card, so that the form has it again after a decline. */
export function payPath({ id, save_chosen }: Payable, parameters: Record<string, string> = {}): `/${string}` {
  const choice: Record<string, string> = save_chosen === undefined ? {} : { save: save_chosen ? "1" : "0" };
  return `/pay?${new URLSearchParams({ id, ...parameters, ...choice })}`;
}

/** The business's account for bank transfers. */
export interface BankAccount {
  holder: string;
  iban: string;
  bic: string | null;
}

export const bankAccountOf = ({ bank_holder, bank_iban, bank_bic }: Payable): BankAccount | null =>
  bank_holder !== null && bank_iban !== null ? { holder: bank_holder, iban: bank_iban, bic: bank_bic } : null;

/** For addresses that payers may pass on: only the choice not to save the card is kept. Otherwise another payer's box could be ticked. */
const toPassOn = (link: Payable): Payable => ({ ...link, save_chosen: link.save_chosen === false ? false : undefined });

/** The address of the form, for a payer who comes back without an attempt. */
export const formPath = (link: Payable): `/${string}` => payPath(toPassOn(link));

/** The address of the details for a bank transfer; null if the business takes none. */
export const transferPath = (link: Payable): `/${string}` | null =>
  bankAccountOf(link) && payPath(toPassOn(link), { transfer: "1" });

const payable = (id: string, language: PageLanguage) => Prisma.sql`
  SELECT l.id, l.livemode,
         -- The gateway has an unknown charge for the link: the payer must not pay again.
         CASE WHEN l.status = 'Active' AND ${hasUnknownCharge("l")} THEN 'Processing' ELSE l.status END AS status,
         l.amount_cents, l.tax_basis_points, l.currency, l.title, l.description, l.redirect_url,
         coalesce(l.language, ${language}::text) AS language,
         l.expires_at, l.paid_at, l.deleted_at,
         CASE l.status WHEN 'Inactive' THEN (SELECT s.status FROM subscription s WHERE s.id = l.subscription_id) END AS subscription_status,
         b.name AS business_name, b.timezone AS business_timezone, ${Prisma.raw(brandSql)} AS brand,
         p.id AS attempt_id, p.status AS attempt_status, p.reason AS attempt_reason,
         extract(epoch FROM clock_timestamp() - p.started_at)::float8 AS attempt_age, p.card_brand, p.card_last4,
         p.method, p.paid_on::text AS paid_on, l.awaiting_transfer_since IS NOT NULL AS awaiting_transfer,
         b.bank_holder, b.bank_iban, b.bank_bic,
         p.receipt_token, l.email, l.business_id, l.reference, l.subscription_id, l.period_index, a.id AS gateway_account_id,
         CASE WHEN l.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS clock_ahead
    FROM payment_link l
    JOIN business b ON b.id = l.business_id
    LEFT JOIN gateway_account a
      ON a.business_id = l.business_id AND a.livemode = l.livemode AND a.replaced_at IS NULL
    LEFT JOIN LATERAL (
      -- A counted mismatch may be older than a failed attempt.
      SELECT * FROM payment WHERE payment_link_id = l.id ORDER BY status = 'succeeded' DESC, created_at DESC, id DESC LIMIT 1
    ) p ON true
   WHERE l.id = ${id}`;

/**
 * Finds a link and its succeeded or last attempt; null when there is none. It is the pay page's only query.
 * @param language the browser's, for a link that has none
 */
export async function findPayable(id: string, language: PageLanguage = "en"): Promise<Payable | null> {
  if (!isId("pl", id)) return null;
  const [row] = await lookUp<Payable>(db, payable(id, language));
  return row ?? null;
}

type PayableState = "Active" | "Inactive" | "Processing" | "Paid" | "Expired" | "Deleted";

/** The current state: an Active or Inactive link past `expires_at` is Expired. */
export function payableState(
  link: Pick<Payable, "status" | "expires_at" | "deleted_at">,
  now: Date = clock.now(),
): PayableState {
  if (link.deleted_at) return "Deleted";
  switch (link.status) {
    case "Paid":
    case "Processing":
      return link.status;
    case "Active":
    case "Inactive":
      return link.expires_at && link.expires_at <= now ? "Expired" : link.status;
    default:
      throw new Error(`A payment link has no status ${link.status}.`);
  }
}
