import { ApiError, invalidSelection, notFound, ValidationError } from "@/lib/api/errors";
import type { Page } from "@/lib/api/handle";
import { equals, iso, listRows } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { clock } from "@/lib/clock";
import { type Db, db, Prisma, queryRows } from "@/lib/db";
import { env } from "@/lib/env";
import { gatewayOf } from "@/lib/gateways/for-business";
import { isId } from "@/lib/id";
import { log } from "@/lib/log";
import { toUnits } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { getPaymentLink, refuseMove } from "@/lib/payment-links/service";
import { activatableState } from "./activate";
import { beginAttempt } from "./attempt";
import { perform } from "./charge";
import type { ChargeInput, Payment, PaymentListQuery, PaymentOfLink } from "./contract";
import { countBegun, mayBegin } from "./limit";
import { reconcilePayment } from "./reconcile";

interface Row {
  id: string;
  payment_link_id: string;
  business_id: number;
  status: Payment["status"];
  amount_cents: number;
  currency: string;
  gateway: string;
  gateway_ref: string | null;
  reason: Payment["reason"];
  card_brand: string | null;
  card_last4: string | null;
  tokenization_id: string | null;
  refunded_cents: number;
  refund_pending_cents: number;
  fee_cents: number | null;
  fee_currency: string | null;
  receipt_token: string | null;
  livemode: boolean;
  created_at: string;
  updated_at: string;
  settled_at: string | null;
  title: string;
  email: string;
}

const columns = Prisma.sql`
  (SELECT title FROM payment_link WHERE id = payment.payment_link_id) AS title,
  (SELECT email FROM payment_link WHERE id = payment.payment_link_id) AS email,
  id, payment_link_id, business_id, status, amount_cents, currency, gateway, gateway_ref, reason, card_brand, card_last4,
  tokenization_id, refunded_cents, refund_pending_cents, fee_cents, fee_currency, receipt_token, livemode,
  ${iso("created_at")} AS created_at, ${iso("updated_at")} AS updated_at, ${iso("settled_at")} AS settled_at`;

function present(row: Row): PaymentOfLink {
  const { card_brand, card_last4, fee_cents, fee_currency, receipt_token } = row;
  return {
    _id: row.id,
    payment_link_id: row.payment_link_id,
    business_id: row.business_id,
    status: row.status,
    amount: toUnits(row.amount_cents),
    amount_cents: row.amount_cents,
    currency: row.currency,
    gateway: row.gateway,
    gateway_reference: row.gateway_ref,
    reason: row.reason,
    card: card_brand !== null && card_last4 !== null ? { brand: card_brand, last4: card_last4 } : null,
    tokenization_id: row.tokenization_id,
    refunded_amount: toUnits(row.refunded_cents),
    refund_pending_amount: toUnits(row.refund_pending_cents),
    fee: fee_cents !== null && fee_currency !== null ? { amount_cents: fee_cents, currency: fee_currency } : null,
    receipt_url: receipt_token === null ? null : `${env().APP_URL}/receipt/${receipt_token}`,
    livemode: row.livemode,
    created_at: row.created_at,
    updated_at: row.updated_at,
    settled_at: row.settled_at,
    title: row.title,
    email: row.email,
  };
}

function mine(actor: Actor): Prisma.Sql {
  const { business_id, livemode } = owner(actor);
  return Prisma.sql`business_id = ${business_id} AND livemode = ${livemode}`;
}

/** Of a payment link with this e-mail, whatever its case. */
const linkOf = (actor: Actor, email: string): Prisma.Sql => Prisma.sql`
  payment_link_id IN (SELECT id FROM payment_link WHERE ${mine(actor)} AND lower(email COLLATE "C") = lower(${email} COLLATE "C"))`;

/** @throws ApiError not_found */
export async function getPayment(tx: Db, actor: Actor, id: string): Promise<PaymentOfLink> {
  if (!isId("pay", id)) throw notFound("Payment");
  const [row] = await queryRows<Row>(
    tx,
    Prisma.sql`SELECT ${columns} FROM payment WHERE id = ${id} AND ${mine(actor)}`,
  );
  if (!row) throw notFound("Payment");
  return present(row);
}

/** Newest first unless asked otherwise. */
export async function listPayments(tx: Db, actor: Actor, query: PaymentListQuery): Promise<Page<PaymentOfLink>> {
  const { status, payment_link_id, tokenization_id, currency, gateway } = query;
  const where = [
    mine(actor),
    ...equals({ status, payment_link_id, tokenization_id, currency, gateway }),
    ...(query.email === null ? [] : [linkOf(actor, query.email)]),
  ];
  const { rows, page } = await listRows<Row>(tx, { table: "payment", columns, where, query });
  return { rows: rows.map(present), page };
}

/**
 * Pays a link with a saved card. The gateway is asked outside any transaction; a repetition of the same operation finds
 * the first one's attempt and never charges again.
 * @param operation names the attempt.
 * @returns the link: Paid, or Processing when the outcome is not known yet.
 * @throws ApiError not_found, link_*, amount_not_supported, payment_declined, too_many_attempts; ValidationError on token
 */
export async function chargePaymentLink(
  actor: Actor,
  linkId: string,
  { token }: ChargeInput,
  operation: string,
): Promise<PaymentLink> {
  const link = await getPaymentLink(db, actor, linkId);
  const id = `pay_${operation}`;
  if (await repeated(actor, id)) return outcome(actor, id, linkId);

  const card = await findCard(actor, link, token);
  if (link.status === "Inactive") throw new ApiError("link_not_active");
  if (link.status !== "Active") await refuseMove(db, actor, linkId);
  const gateway = await gatewayOf(card);
  const shown = { amountCents: link.amount_cents, currency: link.currency };
  if (!gateway.takes(shown.amountCents, shown.currency)) throw new ApiError("amount_not_supported");
  const wait = await mayBegin(linkId, null);
  if (wait > 0) throw new ApiError("too_many_attempts", undefined, { "Retry-After": String(wait) });

  const attempt = await beginAttempt({ id, linkId, shown, gateway, tokenizationId: card.id });
  if (!attempt) {
    if (await repeated(actor, id)) return outcome(actor, id, linkId);
    return refuseMove(db, actor, linkId);
  }
  await countBegun(linkId).catch((err: unknown) => log.warn({ err }, "could not count an attempt"));
  const merchant = await db.business.findUniqueOrThrow({ where: { id: actor.businessId }, select: { name: true } });
  await perform(attempt, () =>
    gateway.chargeSaved({
      gatewayKey: attempt.gatewayKey,
      begunAt: attempt.begunAt,
      ...shown,
      cardRef: card.gateway_card,
      merchant: merchant.name,
      title: link.title,
      now: clock.now(),
    }),
  );
  return outcome(actor, id, linkId);
}

/** Whether this operation has its attempt already. One that its own request left open is asked about. */
async function repeated(actor: Actor, id: string): Promise<boolean> {
  const found = await db.payment.findFirst({ where: { id, ...owner(actor) }, select: { status: true } });
  if (found && found.status !== "succeeded" && found.status !== "failed") {
    await reconcilePayment(id).catch((err: unknown) => log.warn({ err, payment: id }, "could not ask the gateway"));
  }
  return found !== null;
}

/** What the attempt came to, as the answer to its caller. */
async function outcome(actor: Actor, id: string, linkId: string): Promise<PaymentLink> {
  const { status, reason } = await getPayment(db, actor, id);
  if (status !== "failed") return getPaymentLink(db, actor, linkId);
  const message =
    reason === "authentication_required"
      ? "The bank wants the payer to confirm. Send the payer to the link's payment_url."
      : `The card was declined: ${reason}.`;
  throw new ApiError("payment_declined", message, {}, { reason: reason ?? "card_declined", payment_id: id });
}

/** ASCII alone is the same in either case, as for `beginAttempt`: of other letters not even mail servers agree. */
const folded = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

interface UsableCard {
  id: string;
  business_id: number;
  livemode: boolean;
  gateway: string;
  gateway_account_id: string | null;
  gateway_card: string;
}

/** The saved card behind a token, if it may pay this link. `beginAttempt` asks the same again, in its own statement. */
async function findCard(actor: Actor, link: PaymentLink, token: string): Promise<UsableCard> {
  const found = await db.tokenization.findFirst({ where: { token, ...owner(actor) } });
  if (!found) throw invalidSelection("token");
  const state = activatableState(found);
  const { gateway, gateway_card } = found;
  if (state !== "active" || gateway === null || gateway_card === null)
    throw new ValidationError({ token: [`The token is ${state}: only an active one can be charged.`] });
  if (folded(found.email) !== folded(link.email))
    throw new ValidationError({ token: ["The token was saved for another email than the payment link's."] });
  return { ...found, gateway, gateway_card };
}
