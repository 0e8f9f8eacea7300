import { randomBytes } from "node:crypto";
import { clock } from "../clock";
import { db } from "../db";
import type { CardInput, DeclineReason, Gateway } from "../gateways/gateway";
import { gatewayDeadline, withDeadline } from "./deadline";

/** What a payer may know of a tokenization. Never the payer's e-mail or phone. */
export type Activatable = {
  id: string;
  token: string;
  livemode: boolean;
  status: string;
  title: string;
  description: string;
  redirect_url: string | null;
  expires_at: Date;
  card_brand: string | null;
  card_last4: string | null;
  business: { name: string };
};

/** The tokenization that an activation address names; null when there is none. */
export async function findActivatable(token: string): Promise<Activatable | null> {
  if (!/^[A-Za-z0-9_-]{20,128}$/.test(token)) return null;
  return db.tokenization.findUnique({
    where: { token },
    select: {
      id: true,
      token: true,
      livemode: true,
      status: true,
      title: true,
      description: true,
      redirect_url: true,
      expires_at: true,
      card_brand: true,
      card_last4: true,
      business: { select: { name: true } },
    },
  });
}

type ActivatableState = "pending" | "active" | "expired" | "revoked";

/** How a tokenization reads now: a pending one whose time has come is expired. */
export function activatableState(
  tokenization: Pick<Activatable, "status" | "expires_at">,
  now: Date = clock.now(),
): ActivatableState {
  switch (tokenization.status) {
    case "active":
    case "revoked":
      return tokenization.status;
    case "pending":
      return tokenization.expires_at <= now ? "expired" : "pending";
    default:
      throw new Error(`A tokenization has no status ${tokenization.status}.`);
  }
}

type ActivateResult =
  | { outcome: "active" }
  | { outcome: "declined"; reason: DeclineReason }
  /** It was activated, revoked or expired meanwhile. */
  | { outcome: "not_pending" };

/**
 * Saves a card at the gateway and makes the token active with it. Nothing is charged. The gateway's key is new each
 * time: a card that was saved but lost its race or its reply is of no use to anybody, while an old key would bring back an
 * old card.
 */
export async function activateToken(
  tokenization: Pick<Activatable, "id">,
  gateway: Gateway,
  card: CardInput,
): Promise<ActivateResult> {
  const gatewayKey = `${tokenization.id}-${randomBytes(16).toString("hex")}`;
  const saved = await withDeadline(gateway.saveCard({ gatewayKey, card }), gatewayDeadline);
  if (saved.outcome === "declined") return { outcome: "declined", reason: saved.reason };
  const now = clock.now();
  const { count } = await db.tokenization.updateMany({
    where: { id: tokenization.id, status: "pending", expires_at: { gt: now } },
    data: {
      status: "active",
      activated_at: now,
      gateway: gateway.name,
      gateway_card: saved.ref,
      card_brand: saved.card.brand,
      card_last4: saved.card.last4,
      card_exp_month: saved.card.expMonth,
      card_exp_year: saved.card.expYear,
    },
  });
  return { outcome: count === 1 ? "active" : "not_pending" };
}
