import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Actor } from "@/lib/auth/actor";
import { createApiKey } from "@/lib/auth/keys";
import { type Acting, actAs, acting } from "@/lib/core/acting";
import { clock } from "@/lib/core/clock";
import { db, execute, Prisma } from "@/lib/core/db";
import { newId, newOperation } from "@/lib/core/id";
import type { CardInput, ChargeResult, Gateway } from "@/lib/gateways/gateway";
import { beginAttempt } from "@/lib/ledger/attempt";
import { aboutOf, performCharge } from "@/lib/ledger/charge";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { gatewayFor } from "@/lib/ledger/gateways";
import { activateToken, findActivatable } from "@/lib/ledger/save-card";
import { findPayable } from "@/lib/payer/payable";
import { recordVisit } from "@/lib/payer/visits";
import { type PaymentLink, paymentLinkInput } from "@/lib/resources/payment-links/contract";
import { createPaymentLink } from "@/lib/resources/payment-links/service";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { markPaymentLinkPaid } from "@/lib/resources/payments/service";
import { refundPaymentLink } from "@/lib/resources/refunds/service";
import type { Tokenization } from "@/lib/resources/tokenizations/contract";
import { tokenizationInput } from "@/lib/resources/tokenizations/contract";
import { createTokenization } from "@/lib/resources/tokenizations/service";

export const cards = {
  visa: "4242424242424242",
  mastercard: "5555555555554444",
  declined: "4000000000000002",
  empty: "4000000000009995",
  threeDSecure: "4000000000003220",
  disputed: "4000000000000259",
} as const;

export interface Attempted {
  paymentId: string;
  result: ChargeResult;
}

/**
 * Simulates the shop, its staff and its payers in test mode, through the services behind the API and the payer's pages.
 */
export class Desk {
  readonly actor: Actor;
  readonly #gateway: Gateway;
  readonly #ownerId: string | undefined;

  private constructor(businessId: number, keyId: string, ownerId: string | undefined, gateway: Gateway) {
    const who = { type: "api_key", id: keyId } as const;
    this.actor = { businessId, livemode: false, clockAhead: 0, scopes: ["read", "write"], who };
    this.#ownerId = ownerId;
    this.#gateway = gateway;
  }

  static async open(businessId: number): Promise<Desk> {
    const gateway = await gatewayFor({ business_id: businessId, livemode: false, gateway_account_id: null });
    if (!gateway) throw new Error("Test mode has no sandbox.");
    const { id } = await createApiKey({ businessId, livemode: false, name: "Web shop" });
    const owner = await db.membership.findFirst({ where: { business_id: businessId, role: "owner" } });
    return new Desk(businessId, id, owner?.user_id, gateway);
  }

  asShop<T>(work: () => T, requestId: string = randomUUID()): T {
    return actAs({ ...this.actor.who, requestId, address: null }, work);
  }

  /** Runs `work` as the owner in the dashboard, or as the shop if there is no owner. */
  asStaff<T>(work: () => T): T {
    const id = this.#ownerId;
    if (id === undefined) return this.asShop(work);
    return actAs({ type: "user", id, requestId: randomUUID(), address: null }, work);
  }

  createLink(body: z.input<typeof paymentLinkInput>, requestId?: string): Promise<PaymentLink> {
    return this.asShop(() => createPaymentLink(db, this.actor, paymentLinkInput.parse(body), acting()), requestId);
  }

  async pay(linkId: string, number: string): Promise<Attempted> {
    const link = await findPayable(linkId);
    if (!link) throw new Error(`There is no payment link ${linkId}.`);
    return actAs(payer(), async () => {
      const opened = new Date(clock.now().getTime() - 60_000);
      await clock.at(opened, () => recordVisit(linkId));
      const shown = { amountCents: link.amount_cents, currency: link.currency };
      const id = newId("pay");
      const attempt = await beginAttempt({ id, linkId, shown, gateway: this.#gateway, tokenizationId: null });
      if (!attempt) throw new Error(`The payment link ${linkId} cannot be paid.`);
      const result = await performCharge(attempt, () =>
        this.#gateway.pay({
          gatewayKey: attempt.gatewayKey,
          startedAt: attempt.startedAt,
          ...shown,
          card: cardOf(number),
          merchant: link.business_name,
          title: link.title,
          about: aboutOf(link),
          email: link.email,
          returnPath: `/pay?id=${linkId}&wait=1`,
        }),
      );
      if (!result) throw new Error(`The outcome of paying ${linkId} is unknown.`);
      return { paymentId: id, result };
    });
  }

  /** Refunds a part of a payment as staff. Amount in cents. */
  refund(linkId: string, amount: number, reason: string): Promise<unknown> {
    return this.asStaff(() => refundPaymentLink(this.actor, linkId, { amount, reason }, newOperation()));
  }

  /** Marks a link as paid by a bank transfer, as staff. @param day YYYY-MM-DD */
  markTransferred(linkId: string, day: string, reference: string): Promise<PaymentLink> {
    const body = paymentEndpoints.markPaid.body.parse({ method: "transfer", paid_on: day, reference });
    return this.asStaff(() => markPaymentLinkPaid(db, this.actor, linkId, body));
  }

  /** Hears of the payment's dispute from the gateway, which has dated it by the system's time. */
  async hearOfDispute({ paymentId }: Attempted): Promise<void> {
    const ms = clock.outside(() => clock.now()).getTime() - clock.now().getTime();
    const gap = Prisma.sql`make_interval(secs => ${ms / 1000}::float8)`;
    await execute(
      db,
      Prisma.sql`
      UPDATE sandbox_dispute d SET opened_at = opened_at - ${gap}, withdrawn_at = withdrawn_at - ${gap},
             respond_by = respond_by - ${gap}, decided_at = decided_at - ${gap}
        FROM sandbox_charge c WHERE c.ref = d.charge_ref AND c.gateway_key = ${paymentId}`,
    );
    await actAs(payer(), () => reconcileDisputes(paymentId));
  }

  requestCard(body: z.input<typeof tokenizationInput>): Promise<Tokenization> {
    return this.asShop(() => createTokenization(db, this.actor, tokenizationInput.parse(body)));
  }

  /** Saves a card as the payer. @param expires a date in the card's last month; by default in three years */
  async saveCard(token: string, number: string = cards.visa, expires?: Date): Promise<void> {
    const found = await findActivatable(token);
    if (!found) throw new Error("There is no such token.");
    const saved = await actAs(payer(), () => activateToken(found, this.#gateway, cardOf(number, expires)));
    if (saved.outcome !== "active") throw new Error(`A card was not saved: ${saved.outcome}.`);
  }
}

const payer = (): Acting => ({ type: "payer", id: null, requestId: randomUUID(), address: null });

function cardOf(number: string, expires?: Date): CardInput {
  const [expMonth, expYear] = expires
    ? [expires.getUTCMonth() + 1, expires.getUTCFullYear()]
    : [12, clock.now().getUTCFullYear() + 3];
  return { number, cvc: "123", expMonth, expYear };
}
