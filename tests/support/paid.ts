import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { asOwner } from "./postgres";

/** Inserts the rows of a link paid with the sandbox's test card, in its mode. @returns the payment's id */
export async function insertPayment({ _id }: { _id: string }): Promise<string> {
  const id = newId("pay");
  const now = new Date();
  await db.$transaction(async (tx) => {
    const link = await tx.paymentLink.update({ where: { id: _id }, data: { status: "Paid", paid_at: now } });
    const { business_id, livemode, amount_cents, currency } = link;
    await tx.payment.create({
      data: {
        id,
        business_id,
        livemode,
        payment_link_id: link.id,
        gateway: "sandbox",
        gateway_key: id,
        gateway_ref: `sbx_ch_${id}`,
        amount_cents,
        currency,
        status: "succeeded",
        receipt_token: newId("pay").slice(4).padEnd(43, "x"),
        settled_at: now,
      },
    });
    const movement = { business_id, livemode, payment_id: id, amount_cents, currency };
    await tx.posting.create({ data: { ...movement, kind: "payment", debit: "gateway", credit: "sales" } });
  });
  return id;
}

/** Inserts a paid link with a refund of one unit. @returns the refund's id */
export async function insertRefund(link: { _id: string }): Promise<string> {
  const payment_id = await insertPayment(link);
  const id = newId("ref");
  await db.$transaction(async (tx) => {
    const payment = await tx.payment.update({ where: { id: payment_id }, data: { refunded_cents: 100 } });
    const { business_id, livemode, payment_link_id, currency } = payment;
    await tx.paymentLink.update({ where: { id: payment_link_id }, data: { refunded_cents: 100 } });
    const money = { business_id, livemode, payment_id, amount_cents: 100, currency };
    await tx.refund.create({ data: { ...money, id, payment_link_id, gateway_key: id, status: "succeeded" } });
    const movement = { ...money, refund_id: id };
    await tx.posting.create({ data: { ...movement, kind: "refund", debit: "refunds", credit: "gateway" } });
  });
  return id;
}

/** Inserts a paid link with an open dispute of the whole payment. @returns the dispute's id */
export async function insertDispute(link: { _id: string }): Promise<string> {
  const payment_id = await insertPayment(link);
  const id = newId("dsp");
  await db.$transaction(async (tx) => {
    const { business_id, livemode, payment_link_id, amount_cents, currency } = await tx.payment.findUniqueOrThrow({
      where: { id: payment_id },
    });
    const open = { disputed_cents: amount_cents, dispute_status: "needs_response" };
    await tx.payment.update({ where: { id: payment_id }, data: open });
    const owned = { business_id, livemode };
    const booked = { booked_currency: currency, withdrawn_cents: amount_cents, fee_cents: 1_500 };
    const ends = { respond_by: new Date(Date.now() + 7 * 86_400_000), opened_at: new Date() };
    const gateway_ref = `sbx_dp_${id}`;
    await tx.dispute.create({
      data: {
        ...{ ...owned, id, payment_id, payment_link_id, gateway_ref, amount_cents, currency, ...booked, ...ends },
        ...{ reason: "not_received", status: "needs_response" },
      },
    });
    const movement = { ...owned, gateway_ref: `${gateway_ref}_out`, amount_cents, fee_cents: 1_500, currency };
    await tx.disputeMovement.create({ data: { ...movement, dispute_id: id, kind: "withdrawn" } });
    await tx.$executeRaw`
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      VALUES (${business_id}, ${livemode}, now(), ${amount_cents}, 1, ${currency}, 'disputed')`;
    const posting = { ...owned, payment_id, movement_ref: movement.gateway_ref, currency, credit: "gateway" };
    await tx.posting.createMany({
      data: [
        { ...posting, kind: "dispute", debit: "disputes", amount_cents },
        { ...posting, kind: "dispute_fee", debit: "fees", amount_cents: 1_500 },
      ],
    });
  });
  return id;
}

/** Makes an inserted payment open again, begun two minutes ago. */
export async function reopenPayment(id: string, state: { status: string; gateway?: string }): Promise<void> {
  const { payment_link_id, gateway } = await db.payment.findUniqueOrThrow({ where: { id } });
  await asOwner(
    "BEGIN",
    "SET LOCAL session_replication_role = replica", // the journal refuses changes
    `DELETE FROM posting WHERE payment_id = '${id}'`,
    `UPDATE payment_link SET status = 'Processing', paid_at = NULL WHERE id = '${payment_link_id}'`,
    `UPDATE payment SET status = '${state.status}', gateway = '${state.gateway ?? gateway}', gateway_ref = NULL,
            receipt_token = NULL, settled_at = NULL, started_at = now() - interval '2 minutes' WHERE id = '${id}'`,
    "COMMIT",
  );
}

/** Inserts a payout of the link's amount. @returns the payout's id */
export async function insertPayout({ _id }: { _id: string }): Promise<string> {
  const { business_id, livemode, amount_cents, currency } = await db.paymentLink.findUniqueOrThrow({
    where: { id: _id },
  });
  const id = newId("po");
  const now = new Date();
  await db.payout.create({
    data: {
      id,
      business_id,
      livemode,
      gateway: "sandbox",
      gateway_ref: `sbx_po_${id}`,
      amount_cents,
      currency,
      status: "paid",
      arrival_date: now,
      complete: true,
      created_at: now,
    },
  });
  return id;
}
