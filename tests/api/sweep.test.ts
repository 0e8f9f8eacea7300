import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { newId } from "@/lib/id";
import { createMerchant, type Merchant } from "../support/factory";
import { call } from "../support/http";
import { create } from "../support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

/** An attempt as a server leaves it that died while it waited for the gateway, `seconds` ago. */
async function leaveOpen(seconds: number, charged: string | null): Promise<string> {
  const linkId = await create(merchant.key, "payment_links");
  const id = newId("pay");
  await db.$transaction([
    db.paymentLink.update({ where: { id: linkId }, data: { status: "Processing" } }),
    db.payment.create({
      data: {
        id,
        business_id: merchant.businessId,
        livemode: false,
        payment_link_id: linkId,
        gateway: "sandbox",
        gateway_key: id,
        amount_cents: 1050,
        currency: "EUR",
        status: "sending",
        created_at: new Date(Date.now() - seconds * 1000),
      },
    }),
  ]);
  if (charged) {
    const card = { number: charged, cvc: "123", expMonth: 12, expYear: 2034 };
    await sandbox(String(merchant.businessId)).pay({
      gatewayKey: id,
      begunAt: new Date(),
      amountCents: 1050,
      currency: "EUR",
      card,
      merchant: "x",
      title: "Order",
      email: "ada@example.com",
      returnPath: "/pay",
    });
  }
  return linkId;
}

const statusOf = async (id: string) =>
  (await call("GET", `/payment-links/${id}`, { key: merchant.key })).json.data.status;

it("settles what a dead server left behind, without any payer's visit", async () => {
  const charged = await leaveOpen(10, "4242424242424242");
  const declined = await leaveOpen(10, "4000000000000002");
  const lost = await leaveOpen(90, null);
  const challenged = await leaveOpen(10, "4000000000003220");
  const abandoned = await leaveOpen(1900, "4000000000003220");
  const deadline = Date.now() + 20_000;
  for (;;) {
    const now = await Promise.all([charged, declined, lost, challenged, abandoned].map(statusOf));
    if (now.join() === "Paid,Active,Active,Processing,Active") break;
    expect(Date.now(), `still ${now.join()}`).toBeLessThan(deadline);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
});
