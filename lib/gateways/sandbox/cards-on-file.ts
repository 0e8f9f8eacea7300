import { cardExpiresAt } from "@/lib/core/card-expiry";
import { clock } from "@/lib/core/clock";
import { db, lookUp, Prisma, queryRows } from "@/lib/core/db";
import type { ChargeSavedRequest, SaveCardRequest, SaveCardResult } from "@/lib/gateways/gateway";
import { isDeclineReason } from "@/lib/gateways/reasons";
import { isBehaviour, testCard } from "./cards";
import { faceOfSaved, type NewCharge, newRef } from "./charges";
import type { Fault } from "./faults";
import { planSaved } from "./plan";

interface CardRow {
  ref: string;
  behaviour: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

const columns = Prisma.sql`ref, behaviour, brand, last4, exp_month, exp_year`;

/**
 * Saves a test card. A card without funds can be saved; its charges are declined.
 * @throws Error when the key was used by another account
 */
export async function saveCard(
  account: string,
  { gatewayKey, card }: Pick<SaveCardRequest, "gatewayKey" | "card">,
): Promise<SaveCardResult> {
  const known = card && testCard(card.number);
  // The number may be a real card: store nothing of it.
  if (!known) return { outcome: "declined", reason: "incorrect_number" };
  const { behaviour, brand, last4 } = known;
  if (isDeclineReason(behaviour) && behaviour !== "insufficient_funds") {
    return { outcome: "declined", reason: behaviour };
  }
  const [made] = await queryRows<CardRow>(
    db,
    Prisma.sql`
    INSERT INTO sandbox_card (ref, account, gateway_key, behaviour, brand, last4, exp_month, exp_year)
    VALUES (${newRef("card")}, ${account}, ${gatewayKey}, ${behaviour}, ${brand}, ${last4}, ${card.expMonth}, ${card.expYear})
    ON CONFLICT (gateway_key) DO NOTHING
    RETURNING ${columns}`,
  );
  const saved = made ?? (await db.sandboxCard.findUnique({ where: { gateway_key: gatewayKey, account } }));
  if (!saved) throw new Error("This gateway key belongs to another account.");
  return { outcome: "saved", ref: saved.ref, card: faceOfSaved(saved) };
}

export async function detachCard(account: string, ref: string): Promise<void> {
  await db.sandboxCard.updateMany({ where: { ref, account, detached_at: null }, data: { detached_at: clock.now() } });
}

/** A card, unless it is detached, and the faults of its account, in one query, because off-session charges come by the thousands. */
export async function cardAndFaults(account: string, ref: string): Promise<{ card: CardRow | null; faults: Fault[] }> {
  const rows = await lookUp<CardRow & Fault>(
    db,
    Prisma.sql`
    SELECT ${columns}, kind, share, ms
      FROM (SELECT ${account}::text AS account) AS caller
      LEFT JOIN sandbox_card ON sandbox_card.ref = ${ref} AND sandbox_card.account = caller.account
        AND sandbox_card.detached_at IS NULL
      LEFT JOIN sandbox_fault ON sandbox_fault.account = caller.account`,
  );
  const [first] = rows;
  return { card: first?.ref ? first : null, faults: rows.filter(({ kind }) => kind !== null) };
}

/** The charge of a saved card. A card of another account is declined. */
export function chargeOfSaved(request: ChargeSavedRequest, card: CardRow | null): NewCharge {
  const { gatewayKey, amountCents, currency, merchant, about } = request;
  const behaviour = card && isBehaviour(card.behaviour) ? card.behaviour : "succeed";
  return {
    gatewayKey,
    amountCents,
    currency,
    merchant,
    about,
    returnPath: "/",
    card: card && faceOfSaved(card),
    savedCard: null,
    behaviour,
    offSession: true,
    plan: planOf(card, behaviour, request.now),
  };
}

function planOf(card: CardRow | null, behaviour: NewCharge["behaviour"], now: Date): NewCharge["plan"] {
  if (!card) return { status: "failed", reason: "card_not_supported" };
  if (cardExpiresAt(card.exp_year, card.exp_month) <= now.getTime()) {
    return { status: "failed", reason: "expired_card" };
  }
  return planSaved(behaviour);
}
