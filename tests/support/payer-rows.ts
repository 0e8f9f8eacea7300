import { newToken } from "@/lib/auth/token";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Payment, PaymentLink, Tokenization } from "@/lib/generated/prisma/client";
import { sealToken } from "@/lib/resources/tokenizations/resource";

export const cards = {
  good: "4242424242424242",
  declined: "4000000000000002",
  poor: "4000000000009995",
  challenged: "4000000000003220",
  replyLost: "4000000000005001",
} as const;

/** Texts in every row made here that no page may show. */
export const secrets = ["ada.secret@example.com", "+4915550100"];

export async function makeBusiness(name = "Blue Bottle Books"): Promise<number> {
  return (await db.business.create({ data: { name, timezone: "Europe/Berlin" } })).id;
}

/** A payable link of 10.50 EUR in test mode. */
export function makeLink(businessId: number, over: Partial<PaymentLink> = {}): Promise<PaymentLink> {
  return db.paymentLink.create({
    data: {
      id: newId("pl"),
      business_id: businessId,
      livemode: false,
      email: "ada.secret@example.com",
      phone_no: "+4915550100",
      currency: "EUR",
      amount_cents: 1050,
      title: "Order 1001",
      ...over,
    },
  });
}

export async function makeTokenization(
  businessId: number,
  over: Partial<Tokenization> = {},
): Promise<Tokenization & { token: string }> {
  const id = newId("tkn");
  const { token } = newToken();
  const row = await db.tokenization.create({
    data: {
      id,
      business_id: businessId,
      livemode: false,
      email: "ada.secret@example.com",
      phone_no: "+4915550100",
      title: "Card on file",
      description: "For later orders",
      ...sealToken(id, token),
      expires_at: new Date(Date.now() + 86_400_000),
      ...over,
    },
  });
  return { ...row, token };
}

export function attempts(linkId: string): Promise<Payment[]> {
  return db.payment.findMany({ where: { payment_link_id: linkId }, orderBy: { id: "asc" } });
}

/** Dates an attempt's start back by `seconds`. */
export async function age(linkId: string, seconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE payment SET started_at = started_at - make_interval(secs => ${seconds}::float8) WHERE payment_link_id = ${linkId}`;
}
