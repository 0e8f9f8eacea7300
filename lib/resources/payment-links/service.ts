import { type Actor, type Tenant, tenantOf } from "@/lib/auth/actor";
import { allows } from "@/lib/auth/scopes";
import type { Acting } from "@/lib/core/acting";
import { clock } from "@/lib/core/clock";
import { assigned, type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { includedTax } from "@/lib/core/tax";
import { createRecorded, record } from "@/lib/outbox/record";
import { afterWaived } from "@/lib/periods/after-settlement";
import { lockPeriod, type Period } from "@/lib/periods/lock";
import { pausePeriod, restartPeriod, retryOldest } from "@/lib/periods/steps";
import { assertFewKeys, changedAnnotations, newAnnotations } from "@/lib/resources/annotations/resource";
import { hasUnknownCharge } from "@/lib/resources/unknown-charges/resource";
import { type PaymentLink, type PaymentLinkInput, periodScope } from "./contract";
import { paymentLinks } from "./resource";

const written = ({ amount, tax_percent, send_email: _, metadata: __, notes: ___, ...fields }: PaymentLinkInput) => ({
  ...fields,
  amount_cents: amount,
  tax_basis_points: tax_percent,
  tax_cents: tax_percent === null ? null : includedTax(amount, fields.currency, tax_percent),
});

export async function createPaymentLink(
  tx: Db,
  actor: Actor,
  input: PaymentLinkInput,
  who: Acting,
): Promise<PaymentLink> {
  const insert = paymentLinks.inserting({
    id: newId("pl"),
    ...tenantOf(actor),
    ...written(input),
    ...newAnnotations(input),
  });
  const mail = { template: "payment_link", to: input.email, shownAs: "link" } as const;
  const mails = input.send_email === false ? {} : { mail };
  return createRecorded(tx, actor, { type: "payment_link.created", insert, who, ...mails });
}

/**
 * Replaces the writable fields.
 * @throws ApiError not_found, link_already_paid, link_processing
 */
export async function updatePaymentLink(
  tx: Db,
  actor: Actor,
  id: string,
  input: PaymentLinkInput,
): Promise<PaymentLink> {
  return transaction(tx, (tx) => update(tx, actor, id, input));
}

async function update(tx: Db, actor: Actor, id: string, input: PaymentLinkInput): Promise<PaymentLink> {
  const before = await paymentLinks.get(tx, actor, id);
  assertMayEditPeriod(actor, before);
  const link = await paymentLinks.update(
    tx,
    actor,
    id,
    Prisma.join([
      assigned(written(input)),
      Prisma.sql`expiry_recorded = expiry_recorded AND expires_at IS NOT DISTINCT FROM ${input.expires_at}::timestamptz`,
      ...changedAnnotations(input),
    ]),
    Prisma.sql`
      status IN ('Active', 'Inactive')
      AND (subscription_id IS NULL
           OR (email = ${input.email} AND currency = ${input.currency} AND ${input.expires_at}::timestamptz IS NULL))`,
  );
  if (link) {
    assertFewKeys(link);
    if (link.updated_at !== before.updated_at) await record(tx, actor, [{ type: "payment_link.updated", data: link }]);
    return link;
  }
  const { subscription_id, status } = await paymentLinks.get(tx, actor, id);
  // Billing finds the card by the subscription's e-mail, its figures have one currency, and a debt does not expire.
  if (subscription_id !== null && (status === "Active" || status === "Inactive"))
    throw new ApiError("conflict", "A subscription's period keeps its email and its currency, and does not expire.");
  return refuseMove(tx, actor, id);
}

/**
 * Deletes a link. The row stays for the books.
 * @throws ApiError not_found, link_already_paid, link_processing
 */
export async function removePaymentLink(tx: Db, actor: Actor, id: string): Promise<PaymentLink & { deleted: true }> {
  return movePeriod(tx, actor, id, afterWaived, async (tx, now) => {
    const deleted = Prisma.sql`deleted_at = ${now}, next_step_at = NULL`;
    const link = await paymentLinks.update(tx, actor, id, deleted, Prisma.sql`status IN ('Active', 'Inactive')`);
    if (!link) return refuseMove(tx, actor, id);
    await record(tx, actor, [{ type: "payment_link.deleted", data: link }]);
    return { ...link, deleted: true };
  });
}

/**
 * Moves a link between Active and Inactive; the same status again changes nothing.
 * @throws ApiError not_found, link_already_paid, link_processing, link_expired
 */
export async function switchPaymentLink(
  tx: Db,
  actor: Actor,
  id: string,
  to: "Active" | "Inactive",
): Promise<PaymentLink> {
  const moved = await movePeriod(tx, actor, id, to === "Active" ? afterReopened : afterWaived, async (tx, now) => {
    const link = await paymentLinks.update(
      tx,
      actor,
      id,
      // A debt that is activated again is a new one: its dunning has not begun.
      Prisma.sql`
        status = ${to}, next_step_at = NULL, awaiting_transfer_since = NULL,
        failed_at = ${to === "Active" ? Prisma.sql`NULL` : Prisma.sql`failed_at`},
        failure = ${to === "Active" ? Prisma.sql`NULL` : Prisma.sql`failure`}`,
      Prisma.sql`
        status = ${to === "Active" ? "Inactive" : "Active"} AND (expires_at IS NULL OR expires_at > ${now})`,
    );
    if (link) {
      await record(tx, actor, [{ type: "payment_link.updated", data: link }]);
      return link;
    }
    const { status } = await paymentLinks.get(tx, actor, id);
    return status === to ? null : refuseMove(tx, actor, id);
  });
  return moved ?? paymentLinks.get(tx, actor, id);
}

/**
 * Sets whether staff wait for a bank transfer; a repetition changes nothing. While they wait for a subscription's period, its
 * card is not charged and its payer not reminded.
 * @throws ApiError not_found, link_not_active, link_already_paid, link_processing, link_expired
 */
export async function setAwaitingTransfer(tx: Db, actor: Actor, id: string, awaiting: boolean): Promise<PaymentLink> {
  const after: AfterMove = awaiting ? pausePeriod : restartPeriod;
  return transaction(tx, async (tx) => {
    const was = await paymentLinks.get(tx, actor, id);
    if (was.status === "Active" && (was.awaiting_transfer_since !== null) === awaiting) return was;
    return movePeriod(tx, actor, id, after, async (tx, now) => {
      const link = await paymentLinks.update(
        tx,
        actor,
        id,
        Prisma.sql`awaiting_transfer_since = ${awaiting ? now : null}::timestamptz`,
        // A link that has expired meanwhile can no longer be paid, but waiting for it can end.
        Prisma.sql`
          status = 'Active' AND (expires_at IS NULL OR expires_at > ${now}
                                 OR (NOT ${awaiting}::boolean AND awaiting_transfer_since IS NOT NULL))`,
      );
      if (!link) return refuseClosed(tx, actor, id);
      await record(tx, actor, [{ type: "payment_link.updated", data: link }]);
      return link;
    });
  });
}

async function refuseClosed(tx: Db, actor: Actor, id: string): Promise<never> {
  const { status } = await paymentLinks.get(tx, actor, id);
  if (status === "Inactive") throw new ApiError("link_not_active");
  return refuseMove(tx, actor, id);
}

/** @throws ApiError forbidden for a subscription's period, without its scope */
function assertMayEditPeriod({ scopes }: Actor, { subscription_id }: PaymentLink): void {
  if (subscription_id !== null && !allows(scopes, periodScope)) throw new ApiError("forbidden");
}

type AfterMove = (tx: Db, period: Period, now: Date) => Promise<void>;

const afterReopened: AfterMove = (tx, { subscription_id, link_id }, now) =>
  retryOldest(tx, subscription_id, now, link_id);

/**
 * Changes a link. Locks the subscription first and then calls `after` if the link is a period.
 * @param move returns null if it had nothing to change: then `after` is not called
 */
function movePeriod<T>(
  tx: Db,
  actor: Actor,
  id: string,
  after: AfterMove,
  move: (tx: Db, now: Date) => Promise<T>,
): Promise<T> {
  return transaction(tx, async (tx) => {
    const now = clock.now();
    const link = await paymentLinks.get(tx, actor, id);
    assertMayEditPeriod(actor, link);
    const { subscription_id } = link;
    const period = subscription_id === null ? null : await lockPeriod(tx, id);
    const moved = await move(tx, now);
    if (period && moved !== null) await after(tx, period, now);
    return moved;
  });
}

/**
 * Throws the reason why a conditional update moved nothing.
 * @throws ApiError not_found, link_already_paid, link_processing, link_expired; conflict if another request moved it meanwhile
 */
export async function refuseMove(tx: Db, actor: Tenant, id: string): Promise<never> {
  const { status } = await paymentLinks.get(tx, actor, id);
  if (status === "Paid") throw new ApiError("link_already_paid");
  if (status === "Processing") throw await refusalOfOpen(tx, id);
  if (status === "Expired") throw new ApiError("link_expired");
  const [link] = await queryRows<{ blocked: boolean }>(
    tx,
    Prisma.sql`SELECT ${hasUnknownCharge("l")} AS blocked FROM payment_link l WHERE l.id = ${id}`,
  );
  throw new ApiError("conflict", link?.blocked ? blocked : undefined);
}

const blocked =
  "The gateway has taken money for this link that is not recorded as its payment. Resolve the charge first: the overview lists it.";

/** Says what keeps the link in flight, and what the caller can do about it. */
async function refusalOfOpen(tx: Db, linkId: string): Promise<ApiError> {
  const [open] = await queryRows<{ id: string; status: string; broken: boolean }>(
    tx,
    Prisma.sql`
    SELECT p.id, p.status, a.broken_at IS NOT NULL AS broken
      FROM payment p LEFT JOIN gateway_account a ON a.id = p.gateway_account_id
     WHERE p.payment_link_id = ${linkId} AND p.status IN ('created', 'sending', 'requires_action', 'unknown')`,
  );
  if (open?.broken) return new ApiError("link_processing", behindBrokenAccount, {}, { payment_id: open.id });
  if (open?.status === "requires_action")
    return new ApiError("link_processing", openedByPayer, {}, { payment_id: open.id });
  return new ApiError("link_processing");
}

const behindBrokenAccount =
  "A payment of this link is in progress, and the gateway refuses the account's key. Reconnect the account, or settle the payment by hand.";
const openedByPayer =
  "The payer has opened the payment page. Withdraw the payment first, or wait until it has finished.";
