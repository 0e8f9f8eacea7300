import { clock } from "../clock";
import { db, Prisma } from "../db";
import type { ChargeResult } from "../gateways/gateway";
import { newId } from "../id";
import { log } from "../log";

/** An attempt is open while money may still move; then it is final. */
export const openStatuses = ["created", "sending", "requires_action", "unknown"] as const;

export type Attempt = { id: string; linkId: string; gatewayKey: string };

/** What the payer was shown: the attempt begins only if the link still says the same. Amount in cents. */
export type Shown = { amountCents: number; currency: string };

/**
 * Commits the attempt and moves the link Active -> Processing, in one statement and so in one transaction: whoever
 * changes the amount, expires, deletes or pays the link comes before it or after it, never between.
 * @returns null when the link may not be paid any more, or not for what was shown; nothing was written then.
 */
export async function beginAttempt(linkId: string, shown: Shown, gateway: string): Promise<Attempt | null> {
  const id = newId("pay");
  try {
    const begun = await db.$executeRaw`
      WITH link AS (
        UPDATE payment_link SET status = 'Processing', updated_at = clock_timestamp()
         WHERE id = ${linkId} AND status = 'Active' AND deleted_at IS NULL
           AND (expires_at IS NULL OR expires_at > ${clock.now()}::timestamptz)
           AND amount_cents = ${shown.amountCents}::int AND currency = ${shown.currency}
        RETURNING id, business_id, livemode, amount_cents, currency
      )
      INSERT INTO payment
             (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status)
      SELECT ${id}, business_id, livemode, id, ${gateway}, ${id}, amount_cents, currency, 'sending' FROM link`;
    return begun === 1 ? { id, linkId, gatewayKey: id } : null;
  } catch (error) {
    // The partial unique indexes have the last word: another attempt is open, or has succeeded.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  return error.code === "P2002" || (error.code === "P2010" && JSON.stringify(error.meta ?? {}).includes("23505"));
}

/**
 * Writes down what the gateway said, together with the link's move, in one transaction. Saying it twice, or saying
 * something older after something final, changes nothing.
 */
export async function settle(attempt: Pick<Attempt, "id" | "linkId">, result: ChargeResult): Promise<void> {
  const now = clock.now();
  const card = { card_brand: result.card?.brand ?? null, card_last4: result.card?.last4 ?? null };
  const open = { id: attempt.id, payment_link_id: attempt.linkId, status: { in: [...openStatuses] } };
  if (result.outcome === "challenge") {
    await db.payment.updateMany({
      where: { ...open, status: { in: ["created", "sending", "unknown"] } },
      data: { status: "requires_action", gateway_ref: result.ref, ...card },
    });
    return;
  }
  await db.$transaction(async (tx) => {
    const paid = result.outcome === "succeeded";
    const { count } = await tx.payment.updateMany({
      where: open,
      data: {
        status: paid ? "succeeded" : "failed",
        reason: paid ? null : result.reason,
        gateway_ref: result.ref,
        settled_at: now,
        ...card,
      },
    });
    if (count === 0) return;
    const link = await tx.paymentLink.updateMany({
      where: { id: attempt.linkId, status: "Processing" },
      data: paid ? { status: "Paid", paid_at: now } : { status: "Active" },
    });
    if (link.count !== 1) throw new Error(`Attempt ${attempt.id} was open on a link that is not Processing.`);
  });
}

/** The gateway could not be asked, or did not answer: money may have moved. The link stays Processing. */
export async function setUnknown(attempt: Pick<Attempt, "id">, error: unknown): Promise<void> {
  log.warn({ err: error, payment: attempt.id }, "outcome of a payment attempt unknown");
  await db.payment.updateMany({ where: { id: attempt.id, status: "sending" }, data: { status: "unknown" } });
}
