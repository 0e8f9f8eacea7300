import { type Actor, tenantOf } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { clock } from "@/lib/core/clock";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import { ApiError, invalidSelection, ValidationError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { manualGateway } from "@/lib/gateways/gateway";
import { declinesForStaff, isDeclineReason } from "@/lib/gateways/reasons";
import { openStatuses } from "@/lib/ledger/attempt";
import { countAttempt, secondsUntilAttempt } from "@/lib/ledger/attempt-limit";
import { aboutOf, performCharge, startAttempt } from "@/lib/ledger/charge";
import { assertCompared } from "@/lib/ledger/compare";
import { gatewayOf } from "@/lib/ledger/gateways";
import { markPaid, reversePayment } from "@/lib/ledger/manual";
import { reconcilePayment } from "@/lib/ledger/reconcile";
import { activatableState } from "@/lib/ledger/save-card";
import { wallTime } from "@/lib/periods/calendar";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { refuseMove } from "@/lib/resources/payment-links/service";
import { hasToken } from "@/lib/resources/tokenizations/resource";
import type { ChargeInput, ManualPaymentInput, PaymentOfLink, ShownAmount } from "./contract";
import { payments } from "./resource";

/** @throws ApiError precondition_failed if the caller has shown another amount than the link's */
function assertShown(link: PaymentLink, { amount, currency }: ShownAmount): void {
  if ((amount ?? link.amount_cents) !== link.amount_cents || (currency ?? link.currency) !== link.currency)
    throw new ApiError("precondition_failed");
}

/**
 * Pays a link with a saved card. Calls the gateway outside any transaction. A repeated operation finds its first attempt and
 * never charges again.
 * @param operation names the attempt.
 * @returns the link: Paid, or Processing when the outcome is not known yet.
 * @throws ApiError not_found, precondition_failed, link_*, amount_not_supported, account_refused, payment_declined, too_many_attempts, gateway_away; ValidationError
 * on token
 */
export async function chargePaymentLink(
  actor: Actor,
  linkId: string,
  { token, ...expected }: ChargeInput,
  operation: string,
): Promise<PaymentLink> {
  const link = await paymentLinks.get(db, actor, linkId);
  const id = `pay_${operation}`;
  if (await reconcileRepeated(actor, id)) return outcome(actor, id, linkId);

  const card = await findCard(actor, link, token);
  if (link.status === "Inactive") throw new ApiError("link_not_active");
  if (link.status !== "Active") await refuseMove(db, actor, linkId);
  assertShown(link, expected);
  const gateway = await gatewayOf(card);
  const shown = { amountCents: link.amount_cents, currency: link.currency };
  if (!gateway.supportsAmount(shown.amountCents, shown.currency)) throw new ApiError("amount_not_supported");
  await assertCompared(gateway);
  const limited = { id: linkId, livemode: link.livemode };
  const wait = await secondsUntilAttempt(limited, null);
  if (wait > 0) throw new ApiError("too_many_attempts", undefined, { "Retry-After": String(wait) });

  const attempt = await startAttempt({ id, linkId, shown, gateway, tokenizationId: card.id });
  if (!attempt) {
    if (await reconcileRepeated(actor, id)) return outcome(actor, id, linkId);
    return refuseMove(db, actor, linkId);
  }
  await countAttempt(limited).catch((err: unknown) => log.warn({ err }, "could not count an attempt"));
  const { name, period_index } = await merchantAndPeriod(actor, linkId);
  await performCharge(attempt, () =>
    gateway.chargeSaved({
      gatewayKey: attempt.gatewayKey,
      startedAt: attempt.startedAt,
      ...shown,
      cardRef: card.gateway_card,
      merchant: name,
      title: link.title,
      about: aboutOf({ ...link, id: linkId, period_index }),
      now: clock.now(),
    }),
  );
  return outcome(actor, id, linkId);
}

async function merchantAndPeriod({ businessId, livemode }: Actor, linkId: string) {
  const [found] = await queryRows<{ name: string; period_index: number | null }>(
    db,
    Prisma.sql`
    SELECT b.name, l.period_index FROM payment_link l JOIN business b ON b.id = l.business_id
     WHERE l.id = ${linkId} AND l.business_id = ${businessId} AND l.livemode = ${livemode}`,
  );
  if (!found) throw new Error(`There is no link ${linkId}.`);
  return found;
}

/**
 * Marks a link as paid by hand, in one transaction with its audit entry.
 * @throws ApiError not_found, precondition_failed, link_already_paid, link_processing; ValidationError on paid_on
 */
export async function markPaymentLinkPaid(
  tx: Db,
  actor: Actor,
  linkId: string,
  { amount, currency, ...input }: ManualPaymentInput,
): Promise<PaymentLink> {
  const { business_id, livemode } = tenantOf(actor);
  const { timezone } = await tx.business.findUniqueOrThrow({ where: { id: business_id }, select: { timezone: true } });
  const refuse = (message: string) => new ValidationError({ paid_on: [message] });
  if (input.paid_on > wallTime(clock.now(), timezone).slice(0, 10))
    throw refuse("The paid_on must not be in the future.");
  const link = await paymentLinks.get(tx, actor, linkId);
  assertShown(link, { amount, currency });
  if (Date.parse(link.created_at) - Date.parse(input.paid_on) > maxDaysBefore * 86_400_000)
    throw refuse("The paid_on must not be more than a year before the payment link was created.");
  return transaction(tx, async (tx) => {
    const paymentId = await markPaid(tx, actor, link, input);
    if (paymentId === null) return refuseMove(tx, actor, linkId);
    await audit(tx, business_id, {
      ...{ action: "payment_link.marked_paid", livemode, resource_id: linkId, about: link.title },
      after: { payment_id: paymentId, amount_cents: link.amount_cents, currency: link.currency, ...input },
    });
    return paymentLinks.get(tx, actor, linkId);
  });
}

/** A deposit may come before its link. An earlier day is a mistyped year. */
const maxDaysBefore = 366;

/**
 * Reverses the manual payment of a link that was marked as paid, in one transaction with its audit entry.
 * @throws ApiError not_found, payment_not_manual, payment_reversed, payment_refunded
 */
export async function reverseManualPayment(
  tx: Db,
  actor: Actor,
  id: string,
  { reason }: { reason: string },
): Promise<PaymentOfLink> {
  const { business_id, livemode } = tenantOf(actor);
  return transaction(tx, async (tx) => {
    const payment = await payments.get(tx, actor, id);
    if (payment.gateway !== manualGateway) throw new ApiError("payment_not_manual");
    if (!(await reversePayment(tx, actor, payment, reason))) {
      const { status } = await payments.get(tx, actor, id);
      throw new ApiError(status === "reversed" ? "payment_reversed" : "payment_refunded");
    }
    const after = { payment_link_id: payment.payment_link_id, reason };
    await audit(tx, business_id, {
      action: "payment.reversed",
      livemode,
      resource_id: id,
      about: payment.title,
      after,
    });
    return payments.get(tx, actor, id);
  });
}

/** Whether this operation already has its attempt. Reconciles one that is open. */
async function reconcileRepeated(actor: Actor, id: string): Promise<boolean> {
  const found = await db.payment.findFirst({ where: { id, ...tenantOf(actor) }, select: { status: true } });
  if (found && openStatuses.some((open) => open === found.status)) {
    await reconcilePayment(id).catch((err: unknown) => log.warn({ err, payment: id }, "could not ask the gateway"));
  }
  return found !== null;
}

async function outcome(actor: Actor, id: string, linkId: string): Promise<PaymentLink> {
  const { status, reason, gateway_code } = await payments.get(db, actor, id);
  if (status !== "failed") return paymentLinks.get(db, actor, linkId);
  const messages: Record<string, string> = {
    authentication_required: "The bank wants the payer to confirm. Send the payer to the link's payment_url.",
    gateway_refused: `The gateway refused the payment${gateway_code ? `: ${gateway_code}` : ""}. Nothing was charged. Check the amount, the currency and the gateway account.`,
  };
  const message = messages[reason ?? ""] ?? declinesForStaff[isDeclineReason(reason) ? reason : "card_declined"];
  throw new ApiError("payment_declined", message, {}, { reason: reason ?? "card_declined", payment_id: id });
}

interface UsableCard {
  id: string;
  business_id: number;
  livemode: boolean;
  gateway: string;
  gateway_account_id: string | null;
  gateway_card: string;
}

/** The saved card of a token, if it may pay this link. `beginAttempt` checks this again in its statement. */
async function findCard(actor: Actor, link: PaymentLink, token: string): Promise<UsableCard> {
  const found = await db.tokenization.findFirst({ where: { ...hasToken(token), ...tenantOf(actor) } });
  if (!found) throw invalidSelection("token");
  const state = activatableState(found);
  const { gateway, gateway_card } = found;
  if (state !== "active" || gateway === null || gateway_card === null)
    throw new ValidationError({ token: [`The token is ${state}: only an active one can be charged.`] });
  if (lowerAscii(found.email) !== lowerAscii(link.email))
    throw new ValidationError({ token: ["The token was saved for another email than the payment link's."] });
  const { decline_reason: reason } = found;
  if (reason !== null) {
    const message = `The bank has declined this card for good: ${reason}. Nothing was attempted. The payer can save a card again.`;
    throw new ApiError("payment_declined", message, {}, { reason });
  }
  return { ...found, gateway, gateway_card };
}
