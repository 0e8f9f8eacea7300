import Stripe from "stripe";
import { db } from "@/lib/core/db";
import { connectAccount } from "@/lib/gateways/accounts";
import { probeAccounts, restoreAccount } from "@/lib/ledger/account-health";
import type { Merchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import type { StripeFake } from "@/tests/support/stripe/fake";
import { feeOf } from "@/tests/support/stripe/money";
import { loseKey, savedAtStripe } from "@/tests/support/stripe-merchant";
import type { Charge } from "./shop";
import { open, paid, type World } from "./world";

/** Ours, so that Stripe makes no endpoint and sends no callback by itself. */
const webhookSecret = "whsec_model0123456789";
const signer = new Stripe("sk_test_signer");

const dispute = (status: "needs_response" | "inquiry_needs_response", later: "won" | "lost" | "inquiry_closed") => ({
  dispute: { status, later },
});

/** What happens to a charge by its card. */
const cards: Record<string, Partial<Charge>> = {
  "4242424242424242": {},
  "4000002500003155": {},
  "4000000000007726": { refundsAre: "pending" },
  "4000000000005126": { refundsAre: "returned" },
  "4000000000000259": dispute("needs_response", "won"),
  "4000000000002685": dispute("needs_response", "lost"),
  "4000000000001976": dispute("inquiry_needs_response", "inquiry_closed"),
};

const stripeStatus = { won: "won", lost: "lost", inquiry_closed: "warning_closed" } as Record<
  string,
  Stripe.Dispute.Status
>;

/** A shop whose gateway is the fake of Stripe: payers type cards at its page, and its key can be refused. */
export async function stripeWorld(fake: StripeFake, { businessId }: Merchant): Promise<World> {
  const { id: external, secretKey } = fake.account();
  const connect = () => connectAccount({ businessId, livemode: false, secretKey, webhookSecret });
  const { id: account } = await connect();
  const intentOf = ({ key }: Charge): string => {
    const found = fake.charges(external).find(({ metadata }) => metadata.paydesk_payment === key);
    if (!found) throw new Error(`Stripe has no charge ${key}.`);
    return found.paymentIntent;
  };
  let putBack: () => Promise<unknown> = connect;
  return {
    feeOf,
    typed: { "4242424242424242": open({ waitsForPayer: true }) },
    saved: {
      ...Object.fromEntries(Object.entries(cards).map(([number, how]) => [number, paid(structuredClone(how))])),
      "4000002760003184": "declined",
      "4000000000003220": "declined",
      "4000000000000341": "declined",
    },
    save: ({ merchant: { key } }, number) => savedAtStripe(key, "ada@example.com", number),
    notify: async (_, paymentId, about) => {
      const metadata = { paydesk_payment: paymentId };
      const intent = { object: "payment_intent", metadata };
      const object = about === "payment" ? intent : { object: "dispute", payment_intent: intent };
      const payload = JSON.stringify({ object: "event", type: "model", data: { object } });
      const signature = signer.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
      const headers = { "Stripe-Signature": signature };
      const address = `${baseUrl()}/api/gateways/stripe/webhook?account=${account}`;
      return (await fetch(address, { method: "POST", headers, body: payload })).status;
    },
    decide: async (_shop, _link, charges) => {
      for (const charge of charges) {
        if (charge.status !== "succeeded") continue;
        const intent = intentOf(charge);
        fake.settleRefunds(intent);
        const to = stripeStatus[charge.dispute?.later ?? ""];
        if (to) for (const { id } of fake.bank.disputes(intent)) fake.bank.move(id, to);
      }
    },
    answer: async (shop, charge) => {
      const number = shop.oneOf([...Object.keys(cards), "4000000000000002"]);
      shop.used += ` ${number}`;
      const page = charge.page ?? "";
      let { status } = fake.payer.complete(page, { number });
      if (status === "challenge") ({ status } = shop.next() < 0.5 ? fake.payer.approve(page) : fake.payer.reject(page));
      if (status === "declined") return; // the page takes another card
      if (status !== "complete") throw new Error(`The page ${page} is ${status}.`);
      Object.assign(charge, { status: "succeeded" }, structuredClone(cards[number]));
    },
    refOf: async (_, charge) => intentOf(charge),
    cutOff: null,
    taken: () =>
      fake
        .charges(external)
        .map(({ metadata, amount, refunded }) => `taken ${metadata.paydesk_payment} ${amount} ${refunded}`),
    key: {
      lose: async () => {
        putBack = await loseKey(account);
      },
      connect: async () => {
        await connect();
        await restoreAccount(account);
      },
      probe: async () => {
        await putBack();
        const works = async () =>
          (await db.gatewayAccount.findUniqueOrThrow({ where: { id: account } })).broken_at === null;
        while (!(await works())) {
          const long = new Date(Date.now() - 600_000);
          await db.gatewayAccount.updateMany({
            where: { id: account, broken_at: { not: null } },
            data: { probed_at: long },
          });
          await probeAccounts();
        }
      },
    },
  };
}
