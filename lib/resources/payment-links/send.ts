import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { queuePayerMail } from "@/lib/outbox/mail/enqueue";
import type { PaymentLink } from "./contract";
import { paymentLinks } from "./resource";
import { refuseMove } from "./service";

/** Limits of mails sent by hand per link, the longest period first. */
const limits = [
  { max: 10, seconds: 24 * 3_600 },
  { max: 1, seconds: 60 },
] as const;

/**
 * Locks a link that can be paid, so that it stays payable until the transaction ends.
 * @throws ApiError not_found, link_not_active, link_already_paid, link_processing, link_expired
 */
export async function lockPayable(tx: Db, actor: Actor, id: string): Promise<PaymentLink> {
  await queryRows(
    tx,
    Prisma.sql`SELECT id FROM payment_link WHERE id = ${id} AND ${paymentLinks.ownedBy(actor)} FOR UPDATE`,
  );
  const link = await paymentLinks.get(tx, actor, id);
  if (link.status === "Inactive") throw new ApiError("link_not_active");
  if (link.status !== "Active") return refuseMove(tx, actor, id);
  return link;
}

/**
 * Queues the mail with the link to its payer again. The limit counts the queued mails while the link is locked, so that
 * concurrent requests can not exceed it.
 * @throws ApiError not_found, link_not_active, link_already_paid, link_processing, link_expired, too_many_attempts
 */
export async function sendPaymentLink(tx: Db, actor: Actor, id: string): Promise<PaymentLink> {
  return transaction(tx, async (tx) => {
    const link = await lockPayable(tx, actor, id);
    const wait = await secondsUntilNextSend(tx, actor, id);
    if (wait > 0) throw new ApiError("too_many_attempts", undefined, { "Retry-After": String(wait) });
    const mail = { template: "payment_link", to: link.email, props: { link } } as const;
    await queuePayerMail(tx, actor, mail, { paymentLinkId: id, subscriptionId: link.subscription_id });
    return link;
  });
}

/** Seconds until the next mail may be sent by hand; 0: at once. */
async function secondsUntilNextSend(tx: Db, actor: Actor, id: string): Promise<number> {
  const now = clock.now();
  const mails = await tx.email.findMany({
    where: { ...tenantOf(actor), payment_link_id: id, template: "payment_link", event_id: null },
    select: { created_at: true },
    orderBy: { created_at: "desc" },
    take: limits[0].max,
  });
  const waits = limits.map(({ max, seconds }) => {
    const earliest = mails[max - 1];
    return earliest ? Math.ceil((earliest.created_at.getTime() - now.getTime()) / 1_000) + seconds : 0;
  });
  return Math.max(0, ...waits);
}
