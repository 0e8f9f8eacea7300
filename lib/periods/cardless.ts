import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { priceEach, type SubscriptionTexts } from "@/lib/core/price-words";
import type { Package } from "@/lib/resources/packages/contract";
import { priceAt } from "@/lib/resources/subscriptions/resource";
import type { TokenizationInput } from "@/lib/resources/tokenizations/contract";
import { openToken, storedToken } from "@/lib/resources/tokenizations/resource";

export interface Cardless extends Pick<Package, "amount_cents" | "currency" | "frequency"> {
  email: string;
  /** Of the tokenization; the API's limit is 50 characters. */
  title: string;
  description: string;
  /** Whether the payer has a saved card. It is not usable: the bank declined it for good. */
  had_card: boolean;
  /** The token of an activation page with this title (in the payer's language) that the payer has not used yet. */
  pending_token: string | null;
}

/** SQL: whether a subscription s has a card that billing charges. */
export const hasUsableCard = Prisma.sql`EXISTS (
  SELECT FROM tokenization t WHERE t.business_id = s.business_id AND t.livemode = s.livemode AND t.status = 'active'
     AND t.declined_at IS NULL AND lower(t.email COLLATE "C") = lower(s.email COLLATE "C"))`;

type Found = Omit<Cardless, "description" | "pending_token"> & { pending: { id: string; token: string } | null };

/**
 * The subscription of a period whose payer has no card that the next periods can be charged to.
 * @param t the language of the tokenization's title and description
 * @returns null when the link is no period, its subscription ends, or there is a usable card
 */
export async function findCardless(tx: Db, linkId: string, now: Date, t: SubscriptionTexts): Promise<Cardless | null> {
  const title = Prisma.sql`left(${`${t.subscription.cardFor} `}::text || p.name, 50)`;
  const [found] = await queryRows<Found>(
    tx,
    Prisma.sql`
    SELECT s.email, ${title} AS title, ${priceAt(Prisma.sql`s`, Prisma.sql`coalesce(s.next_charge_at, ${now}::timestamptz)`)} AS amount_cents, p.currency, p.frequency,
           EXISTS (SELECT FROM tokenization t
                    WHERE t.business_id = s.business_id AND t.livemode = s.livemode AND t.status = 'active'
                      AND lower(t.email COLLATE "C") = lower(s.email COLLATE "C")) AS had_card,
           (SELECT json_build_object('id', t.id, 'token', ${storedToken}) FROM tokenization t
             WHERE t.business_id = s.business_id AND t.livemode = s.livemode AND t.status = 'pending'
               AND lower(t.email COLLATE "C") = lower(s.email COLLATE "C") AND t.expires_at > ${now}::timestamptz
               AND t.title = ${title}
             ORDER BY t.created_at DESC LIMIT 1) AS pending
      FROM payment_link l JOIN subscription s ON s.id = l.subscription_id JOIN package p ON p.id = s.package_id
     WHERE l.id = ${linkId} AND l.deleted_at IS NULL AND s.deleted_at IS NULL
       AND NOT s.cancel_at_period_end AND s.status NOT IN ('cancel', 'completed') AND NOT ${hasUsableCard}`,
  );
  if (!found) return null;
  const { pending, ...cardless } = found;
  const description = t.subscription.chargedFor(priceEach(found, t));
  return { ...cardless, description, pending_token: pending && openToken(pending.id, pending.token) };
}

/** The tokenization for the next periods. */
export function tokenizationFor(cardless: Cardless): TokenizationInput {
  const { email, title, description } = cardless;
  return { email, title, description, phone_no: null, redirect_url: null };
}
