import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows } from "@/lib/core/db";
import type { DeclineReason } from "@/lib/gateways/reasons";
import { insertNotes, noteOf } from "./callbacks";

/** A charge that waits for its payer at the sandbox's bank page. Amount in cents. */
export type Challenge = {
  amountCents: number;
  currency: string;
  merchant: string;
  last4: string;
  returnPath: `/${string}`;
  open: boolean;
};

const isRef = (ref: string) => /^sbx_ch_[0-9a-f]{40}$/.test(ref);

export async function findChallenge(ref: string): Promise<Challenge | null> {
  if (!isRef(ref)) return null;
  const charge = await db.sandboxCharge.findUnique({ where: { ref } });
  if (!charge?.card_last4) return null;
  return {
    amountCents: charge.amount_cents,
    currency: charge.currency,
    merchant: charge.merchant,
    last4: charge.card_last4,
    // We wrote the path, but check it again: another origin would be an open redirect.
    returnPath: /^\/(?![/\\])/.test(charge.return_path) ? `/${charge.return_path.slice(1)}` : "/thank-you",
    open: charge.status === "requires_action",
  };
}

/** Records the payer's answer on the bank page. Only the first answer counts. */
export async function answerChallenge(ref: string, approved: boolean): Promise<void> {
  if (!isRef(ref)) return;
  const charge = await db.sandboxCharge.findUnique({ where: { ref }, select: { account: true, gateway_key: true } });
  if (!charge) return;
  const status = approved ? "succeeded" : "failed";
  const reason: DeclineReason | null = approved ? null : "authentication_failed";
  const note = noteOf("charge", charge.gateway_key, status, clock.now());
  await queryRows(
    db,
    Prisma.sql`
    WITH made AS (
      UPDATE sandbox_charge SET status = ${status}, reason = ${reason}
       WHERE ref = ${ref} AND status = 'requires_action'
      RETURNING ref
    )
    ${insertNotes(charge.account, [note])}`,
  );
}
