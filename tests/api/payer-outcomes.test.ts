import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import type { PaymentLink } from "@/lib/generated/prisma/client";
import { pay, visit } from "@/tests/support/payer";
import { age, attempts, cards, makeBusiness, makeLink } from "@/tests/support/payer-rows";

let business: number;
beforeAll(async () => {
  business = await makeBusiness();
});

const link = (over: Partial<PaymentLink> = {}) => makeLink(business, over);
const statusOf = async (id: string) => (await db.paymentLink.findUniqueOrThrow({ where: { id } })).status;

describe("3-D Secure", () => {
  const begin = async () => {
    const { id } = await link();
    const bank = (await pay(id, cards.challenged)).location;
    expect(bank).toMatch(/^\/sandbox\/3ds\/sbx_ch_[0-9a-f]{40}$/);
    expect(await statusOf(id)).toBe("Processing");
    return { id, bank };
  };

  it("pays when the payer approves", async () => {
    const { id, bank } = await begin();
    expect((await visit(bank)).text).toContain("Sandbox Bank");
    const back = await visit(bank, { form: { answer: "approve" } });
    expect((await visit(back.location)).location).toBe(`/thank-you?id=${id}`);
    expect(await statusOf(id)).toBe("Paid");
    // Only the first answer at the bank counts.
    await visit(bank, { form: { answer: "reject" } });
    expect((await visit(bank)).status).toBe(410);
    expect(await attempts(id)).toMatchObject([{ status: "succeeded" }]);
  });

  it("lets the payer try again after a rejection", async () => {
    const { id, bank } = await begin();
    const back = await visit(bank, { form: { answer: "reject" } });
    const page = await visit((await visit(back.location)).location);
    expect(page.status).toBe(402);
    expect(page.text).toContain("was not confirmed");
    expect(await attempts(id)).toMatchObject([{ status: "failed", reason: "authentication_failed" }]);
    expect((await pay(id, cards.good)).location).toBe(`/thank-you?id=${id}`);
  });

  it("can be continued after being abandoned", async () => {
    const { id, bank } = await begin();
    const page = await visit(`/pay?id=${id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(bank);
    expect((await pay(id, cards.good)).status).toBe(409);
  });

  it("can be abandoned for another card, after which it cannot be charged", async () => {
    const { id, bank } = await begin();
    const back = await visit(`/pay?id=${id}`, { form: { action: "cancel" } });
    expect((await visit((await visit(back.location)).location)).status).toBe(402);
    expect(await statusOf(id)).toBe("Active");
    await visit(bank, { form: { answer: "approve" } });
    expect((await pay(id, cards.good)).location).toBe(`/thank-you?id=${id}`);
    expect((await attempts(id)).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
    expect(await db.sandboxCharge.count({ where: { return_path: { contains: id }, status: "succeeded" } })).toBe(1);
  });

  it("counts as paid when the payer approved before abandoning it", async () => {
    const { id, bank } = await begin();
    await visit(bank, { form: { answer: "approve" } });
    await visit(`/pay?id=${id}`, { form: { action: "cancel" } });
    expect(await statusOf(id)).toBe("Paid");
  });

  it("returns 404 for a forged bank page", async () => {
    expect((await visit("/sandbox/3ds/sbx_ch_0")).status).toBe(404);
    expect((await visit(`/sandbox/3ds/sbx_ch_${"0".repeat(40)}`, { form: { answer: "approve" } })).status).toBe(404);
  });
});

describe("an unknown outcome", () => {
  /**
   * Pays a link with a card whose reply is lost. Deletes the gateway's callback, which would settle the payment; if it was already
   * tried, begins again with a new link.
   */
  async function payWithoutReply(tries = 5): Promise<{ id: string; location: string }> {
    const { id } = await link();
    const { location } = await pay(id, cards.replyLost);
    const [attempt] = await attempts(id);
    if (!attempt || tries === 0)
      throw new Error(`${attempt ? "each callback was tried" : "no attempt was made"}: ${id}`);
    const untried = { tries: 0, body: { contains: attempt.gateway_key } };
    const { count } = await db.sandboxCallback.deleteMany({ where: untried });
    return count > 0 ? { id, location } : payWithoutReply(tries - 1);
  }

  it("blocks new attempts until the gateway has answered, then settles", async () => {
    const { id, location } = await payWithoutReply();
    expect(location).toBe(`/pay?id=${id}&wait=1`);
    expect(await attempts(id)).toMatchObject([{ status: "unknown" }]);
    const waiting = await visit(`/pay?id=${id}&wait=1`);
    expect(waiting.status).toBe(200);
    expect(waiting.headers.get("refresh")).toBe(`2; url=/pay?id=${id}&wait=1`);
    expect((await pay(id, cards.good)).status).toBe(409);
    await age(id, 4); // older than the three seconds of a visit's lookup, younger than the five seconds of the sweep's
    expect((await visit(`/pay?id=${id}&wait=1`)).location).toBe(`/thank-you?id=${id}`);
    expect(await attempts(id)).toMatchObject([{ status: "succeeded", card_last4: "5001" }]);
  });

  it("is not reconciled by a HEAD request", async () => {
    for (;;) {
      const begun = Date.now();
      const { id } = await payWithoutReply();
      await age(id, 3.2);
      const { status } = await visit(`/pay?id=${id}&wait=1`, { method: "HEAD" });
      const after = await statusOf(id);
      // From five seconds on, the sweep may also look it up. On a slow machine, try again.
      if (Date.now() - begun > 1_700) continue;
      expect(status).toBe(200);
      expect(after).toBe("Processing");
      return;
    }
  });

  it("ends after a minute when the gateway does not know it, and its key is cancelled there", async () => {
    const { id } = await link({ status: "Processing" });
    const key = `lost-${id}`;
    await db.payment.create({
      data: {
        id: key,
        business_id: business,
        livemode: false,
        payment_link_id: id,
        gateway: "sandbox",
        gateway_key: key,
        amount_cents: 1050,
        currency: "EUR",
        status: "sending",
      },
    });
    await age(id, 50);
    expect((await visit(`/pay?id=${id}`)).text).toContain("don’t pay again");
    await age(id, 15);
    expect((await visit(`/pay?id=${id}`)).text).toContain("Pay €10.50");
    expect(await attempts(id)).toMatchObject([{ status: "failed", reason: "processing_error" }]);
    expect(await db.sandboxCharge.findUnique({ where: { gateway_key: key } })).toMatchObject({ status: "failed" });
  });
});

// tests/api/stripe-flow.test.ts has the limits of live mode.
it("test mode has no limits on attempts", async () => {
  const { id } = await link();
  const client = "10.99.1.1";
  for (let i = 0; i < 25; i++) expect((await pay(id, cards.declined, {}, client)).status).toBe(303);
  expect((await pay(id, cards.good, {}, client)).location).toBe(`/thank-you?id=${id}`);
});
