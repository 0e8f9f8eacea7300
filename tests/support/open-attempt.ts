import { db } from "@/lib/core/db";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { aboutLink } from "./about";

/** Inserts an attempt `id` that started `seconds` ago and waits for the sandbox's reply. Test mode, 10.50 EUR. */
export async function insertSending(businessId: number, linkId: string, id: string, seconds = 0): Promise<void> {
  await db.$transaction([
    db.paymentLink.update({ where: { id: linkId }, data: { status: "Processing" } }),
    db.payment.create({
      data: {
        id,
        business_id: businessId,
        livemode: false,
        payment_link_id: linkId,
        gateway: "sandbox",
        gateway_key: id,
        amount_cents: 1050,
        currency: "EUR",
        status: "sending",
        started_at: new Date(Date.now() - seconds * 1000),
      },
    }),
  ]);
}

/** Charges a card for the attempt `id` at the sandbox, bypassing the server. */
export const payAtSandbox = (businessId: number, id: string, number: string) =>
  sandbox(String(businessId)).pay({
    gatewayKey: id,
    startedAt: new Date(),
    amountCents: 1050,
    currency: "EUR",
    card: { number, cvc: "123", expMonth: 12, expYear: 2034 },
    merchant: "x",
    title: "Order",
    about: aboutLink("pl_0"),
    email: "ada@example.com",
    returnPath: "/pay",
  });
