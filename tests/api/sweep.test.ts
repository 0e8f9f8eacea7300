import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { insertSending, payAtSandbox } from "@/tests/support/open-attempt";
import { create } from "@/tests/support/samples";
import { createBiller } from "@/tests/support/subscribers";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

/** The attempt of a server that died `seconds` ago while it waited for the gateway. */
async function leaveOpen(seconds: number, charged: string | null): Promise<string> {
  const linkId = await create(merchant.key, "payment_links");
  const id = newId("pay");
  await insertSending(merchant.businessId, linkId, id, seconds);
  if (charged) await payAtSandbox(merchant.businessId, id, charged);
  return linkId;
}

const statusOf = async (id: string) =>
  (await call("GET", `/payment-links/${id}`, { key: merchant.key })).json.data.status;

it("settles the attempts of a crashed server without a payer's visit", async () => {
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

it("asks nothing about an activation that has expired by the business's clock", async () => {
  const biller = await createBiller();
  const abandoned = await create(biller.merchant.key, "tokenizations");
  const open = await create(merchant.key, "tokenizations");
  await biller.advance(await biller.later(700));
  await expect
    .poll(async () => (await db.tokenization.findUnique({ where: { id: abandoned } }))?.expiry_recorded, {
      timeout: 20_000,
    })
    .toBe(true);
  const expires_at = new Date(Date.now() + 86_400_000);
  for (const id of [abandoned, open])
    await db.tokenization.update({
      where: { id },
      data: { setup_ref: "seti_absent", setup_asked_at: null, expires_at },
    });
  const askedAt = async (id: string) => (await db.tokenization.findUnique({ where: { id } }))?.setup_asked_at;
  await expect.poll(() => askedAt(open), { timeout: 30_000 }).not.toBeNull();
  expect(await askedAt(abandoned)).toBeNull();
});
