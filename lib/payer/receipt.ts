import { db, Prisma, queryRows } from "@/lib/core/db";
import type { PageLanguage } from "@/lib/core/payer-languages";
import type { ManualMethod } from "@/lib/core/payment-methods";
import { type Brand, brandSql } from "@/lib/resources/settings/brand";

type ReceiptRefund = {
  status: "pending" | "succeeded";
  amount_cents: number;
  /** When it succeeded; while pending, when it was created. */
  at: Date;
};

/** The receipt of a successful payment, also of a manual one that was reversed later. Never contains the payer's e-mail or phone. */
export type Receipt = {
  token: string;
  payment_id: string;
  livemode: boolean;
  amount_cents: number;
  /** The rate of the tax that the amount includes; null without a tax. */
  tax_basis_points: number | null;
  currency: string;
  card_brand: string | null;
  card_last4: string | null;
  /** Of a manual payment: how and on which day (YYYY-MM-DD) the payer paid, and when staff reversed it. */
  method: ManualMethod | null;
  paid_on: string | null;
  reversed_at: Date | null;
  paid_at: Date;
  /** The language of the receipt: the link's, else the browser's. */
  language: PageLanguage;
  title: string;
  description: string | null;
  reference: string | null;
  business_name: string;
  /** Its address and tax numbers. */
  seller_details: string | null;
  business_timezone: string;
  brand: Brand;
  /** Oldest first, without failed ones. */
  refunds: ReceiptRefund[];
};

/**
 * SQL: what was paid for. A reversed payment's link can be edited and paid again, so its receipt reads the event of its own payment.
 * Any other link is still paid and cannot be edited.
 */
const sold = Prisma.sql`
  jsonb_to_record(coalesce(
    (SELECT e.data FROM event e
      WHERE p.status = 'reversed' AND e.resource_id = l.id AND e.type = 'payment_link.paid'
        AND (e.data ->> 'paid_at')::timestamptz = p.settled_at
      ORDER BY e.sequence DESC LIMIT 1),
    jsonb_build_object('title', l.title, 'description', l.description, 'reference', l.reference, 'language', l.language,
                       'tax_percent', l.tax_basis_points / 100.0)
  )) AS sold(title text, description text, reference text, language text, tax_percent numeric)`;

const receipt = (token: string, language: PageLanguage) => Prisma.sql`
  SELECT p.receipt_token AS token, p.id AS payment_id, p.livemode, p.amount_cents, (sold.tax_percent * 100)::int AS tax_basis_points, p.currency,
         p.card_brand, p.card_last4, p.method, p.paid_on::text AS paid_on, p.reversed_at,
         coalesce(p.settled_at, p.created_at) AS paid_at, coalesce(sold.language, ${language}::text) AS language, sold.title, sold.description,
         sold.reference,
         b.name AS business_name, b.seller_details, b.timezone AS business_timezone, ${Prisma.raw(brandSql)} AS brand,
         coalesce((
           SELECT json_agg(json_build_object('status', r.status, 'amount_cents', r.amount_cents, 'at',
                             CASE WHEN r.status = 'succeeded' THEN coalesce(r.settled_at, r.created_at) ELSE r.created_at END)
                           ORDER BY r.created_at, r.id)
             FROM refund r WHERE r.payment_id = p.id AND r.status IN ('pending', 'succeeded')
         ), '[]') AS refunds
    FROM payment p
    JOIN payment_link l ON l.business_id = p.business_id AND l.livemode = p.livemode AND l.id = p.payment_link_id
    JOIN business b ON b.id = p.business_id
    CROSS JOIN LATERAL ${sold}
   WHERE p.receipt_token = ${token} AND p.status IN ('succeeded', 'reversed')`;

type Row = Omit<Receipt, "refunds"> & { refunds: (Omit<ReceiptRefund, "at"> & { at: string })[] };

/** @param language the browser's, for a link that has none */
export async function findReceipt(token: string, language: PageLanguage): Promise<Receipt | null> {
  if (!/^[A-Za-z0-9_-]{40,64}$/.test(token)) return null;
  const [row] = await queryRows<Row>(db, receipt(token, language));
  return row ? { ...row, refunds: row.refunds.map((refund) => ({ ...refund, at: new Date(refund.at) })) } : null;
}

/** Sums in cents. `left` does not subtract pending refunds. */
export function receiptSums({ amount_cents, refunds }: Receipt): { refunded: number; pending: number; left: number } {
  const sum = (status: ReceiptRefund["status"]) =>
    refunds.filter((refund) => refund.status === status).reduce((total, refund) => total + refund.amount_cents, 0);
  const refunded = sum("succeeded");
  return { refunded, pending: sum("pending"), left: amount_cents - refunded };
}
