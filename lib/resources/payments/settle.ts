import type { Actor } from "@/lib/auth/actor";
import { isDatabaseAway } from "@/lib/core/database-error";
import { db, isUniqueViolation } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { type ChargeResult, type FinalResult, KeyRefused, type LookupResult } from "@/lib/gateways/gateway";
import {
  acknowledgeMismatch,
  belongsToOther,
  closeFailedByHand,
  countMismatch,
  settleByHand,
} from "@/lib/ledger/by-hand";
import { lookupDeadlineMs, withDeadline } from "@/lib/ledger/deadline";
import { cancelAction, findAttempt, reconcilePayment } from "@/lib/ledger/reconcile";
import type { PaymentOfLink, ResolveMismatchInput, SettleInput } from "./contract";
import { isOpenMismatch } from "./mismatch";
import { payments } from "./resource";

const isFinal = ({ status }: PaymentOfLink): boolean =>
  status === "succeeded" || status === "failed" || status === "reversed";

/**
 * Looks a payment up at the gateway and settles it with the outcome.
 * @throws ApiError not_found, account_refused, gateway_away
 */
export async function askGateway(actor: Actor, id: string): Promise<PaymentOfLink> {
  const payment = await payments.get(db, actor, id);
  if (!isFinal(payment)) await reconcilePayment(id).catch(explain);
  else if (payment.status === "failed" && payment.settled_by !== null) await closeFailedByHand(id).catch(explain);
  return payments.get(db, actor, id);
}

/**
 * Ends an attempt whose payer has only opened the page at the gateway or the bank, first at the gateway. A
 * repetition changes nothing.
 * @throws ApiError not_found, link_already_paid, payment_reversed, link_processing, account_refused, gateway_away
 */
export async function withdrawPayment(actor: Actor, id: string): Promise<PaymentOfLink> {
  const { status } = await payments.get(db, actor, id);
  if (status === "sending" || status === "unknown") throw new ApiError("link_processing", notOpened);
  if (status === "requires_action") await cancelAction(id).catch(explain);
  const after = await payments.get(db, actor, id);
  if (after.status === "reversed") throw new ApiError("payment_reversed");
  if (after.status === "succeeded") throw new ApiError("link_already_paid");
  if (after.status !== "failed") throw new ApiError("link_processing", notOpened);
  return after;
}

const notOpened = "Only a payment whose payer is at the gateway's or the bank's page can be withdrawn.";

/**
 * Settles an open payment with the outcome that staff give, if the gateway cannot be asked or has not decided.
 * @throws ApiError not_found, payment_settled, conflict; ValidationError for a reference that is no PaymentIntent of Stripe
 */
export async function settlePayment(actor: Actor, id: string, input: SettleInput): Promise<PaymentOfLink> {
  const before = await payments.get(db, actor, id);
  if (isFinal(before)) throw new ApiError("payment_settled");
  // The driver refunds and looks up payments by their intent. Another id of Stripe's could never be found.
  if (input.status === "succeeded" && before.gateway === "stripe" && !/^pi_\w+$/.test(input.gateway_ref ?? ""))
    throw new ValidationError({
      gateway_ref: ["The gateway_ref must be a PaymentIntent: at Stripe, it starts with pi_."],
    });
  const known = await reconcilePayment(id).catch((err: unknown): ChargeResult | null => {
    if (isDatabaseAway(err)) throw err;
    log.warn({ err, payment: id }, "could not ask the gateway before settling by hand");
    return null;
  });
  if (known?.outcome === "action")
    throw new ApiError("conflict", "The payer's page is open. Withdraw the payment instead.");
  if (known?.outcome === "succeeded" || known?.outcome === "declined") throw decided(known.outcome === "succeeded");
  if (input.status === "succeeded" && (await belongsToOther(id, input.gateway_ref ?? ""))) throw taken();
  const result: FinalResult =
    input.status === "succeeded"
      ? { outcome: "succeeded", ref: input.gateway_ref ?? "", card: null, booked: null, saved: null, risk: null }
      : { outcome: "declined", reason: "processing_error", code: null, ref: null, card: null, risk: null };
  const hand = { by: await nameOf(actor), reason: input.reason };
  const settled = await settleByHand({ id, linkId: before.payment_link_id }, result, hand).catch(explainTaken);
  if (settled && input.status === "failed")
    await closeFailedByHand(id).catch((err: unknown) => {
      if (isDatabaseAway(err)) throw err;
      log.warn(
        { err, payment: id },
        "could not close a payment that was settled by hand as failed: the next attempt will",
      );
    });
  const after = await payments.get(db, actor, id);
  if (settled) return after;
  if (isFinal(after)) throw decided(after.status === "succeeded");
  throw new ApiError("conflict", "The request may still be in flight. Try again a minute after the payment began.");
}

/**
 * Resolves a mismatch, a payment that the gateway took although it was settled by hand as failed: counts or acknowledges it.
 * @throws ApiError not_found, conflict, account_refused, gateway_away
 */
export async function resolveMismatch(
  actor: Actor,
  id: string,
  { resolution, note }: ResolveMismatchInput,
): Promise<PaymentOfLink> {
  const payment = await payments.get(db, actor, id);
  if (!isOpenMismatch(payment)) throw new ApiError("conflict", notMismatch);
  if (resolution === "counted" && !(await count(actor, payment, note))) throw new ApiError("conflict", notCountable);
  if (resolution === "acknowledged" && !(await acknowledgeMismatch(actor, id, note)))
    throw new ApiError("conflict", notMismatch);
  return payments.get(db, actor, id);
}

async function count(actor: Actor, payment: PaymentOfLink, reason: string): Promise<boolean> {
  const known = await lookUp(payment._id).catch(explain);
  if (known?.outcome !== "succeeded")
    throw new ApiError("conflict", "The gateway does not say that it took the money.");
  return countMismatch(actor, payment, { by: await nameOf(actor), reason }, known).catch(explainTaken);
}

/** @throws ApiError conflict for the unique index of charges: another payment has this one */
function explainTaken(error: unknown): never {
  throw isUniqueViolation(error) ? taken() : error;
}

async function lookUp(id: string): Promise<LookupResult | null> {
  const attempt = await findAttempt(id);
  return attempt && withDeadline(attempt.gateway.lookup(attempt.sent), lookupDeadlineMs);
}

const taken = () => new ApiError("conflict", "Another payment was settled with this gateway_ref.");

const notMismatch = "The payment is not an open mismatch.";
const notCountable =
  "The payment cannot be counted: its link is paid, deleted or in flight, or has another amount. Return the money at the gateway, then acknowledge it.";

const decided = (paid: boolean) =>
  new ApiError("payment_settled", `The gateway has decided: the payment ${paid ? "succeeded" : "failed"}.`);

async function nameOf({ who }: Actor): Promise<string> {
  const found =
    who.type === "user"
      ? await db.user.findUnique({ where: { id: who.id }, select: { name: true } })
      : await db.apiKey.findUnique({ where: { id: who.id }, select: { name: true } });
  return found?.name ?? who.id;
}

/** @throws ApiError for a gateway that refuses the key or does not answer */
function explain(error: unknown): never {
  if (isDatabaseAway(error)) throw error;
  if (error instanceof KeyRefused) throw new ApiError("account_refused");
  log.warn({ err: error }, "could not ask the gateway about a payment");
  throw new ApiError("gateway_away", undefined, { "Retry-After": "10" });
}
