import { db } from "@/lib/core/db";
import { noteOf, signCallback } from "@/lib/gateways/sandbox/callbacks";
import { answerChallenge } from "@/lib/gateways/sandbox/challenge";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { saveCardAt } from "@/tests/support/checkout";
import { baseUrl, call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import type { Charge, Shop } from "./shop";
import { open, paid, type World } from "./world";

const accountOf = ({ merchant }: Shop): string => String(merchant.businessId);

const common = {
  "4242424242424242": paid(),
  "4000000000005068": paid(),
  "4000000000005001": open({ status: "succeeded" }),
  "4000000000005043": open({ later: "succeeded" }),
  "4000000000005050": open({ later: "failed" }),
  "4000000000007726": paid({ refundsAre: "pending" }),
  "4000000000005126": paid({ refundsAre: "returned" }),
  "4000000000005092": paid({ refundsAre: "refused" }),
  "4000000000005134": paid({ dispute: { status: "needs_response", later: "won" } }),
  "4000000000002685": paid({ dispute: { status: "needs_response", later: "lost" } }),
  "4000000000001976": paid({ dispute: { status: "inquiry_needs_response", later: "inquiry_closed" } }),
};

const refOf = async (_: Shop, { key }: Charge): Promise<string> =>
  (await db.sandboxCharge.findUniqueOrThrow({ where: { gateway_key: key } })).ref;

/** The sandbox: its decisions and callbacks come from the test alone. */
export const sandboxWorld: World = {
  // 1.4 % and 25 cents, rounded half up.
  feeOf: (cents) => Math.min(cents, Math.floor((cents * 14 + 25_500) / 1_000)),
  typed: {
    ...common,
    "4000000000000002": "declined",
    "4000000000003220": open({ waitsForPayer: true }),
    "4000002500003155": open({ waitsForPayer: true }),
  },
  saved: {
    ...common,
    "4000002500003155": paid(),
    "4000002760003184": "declined",
    "4000000000000341": "declined",
    "4000000000005084": "declined",
  },
  save: async ({ merchant: { key } }, number) => {
    const id = await create(key, "tokenizations", { email: "ada@example.com" });
    const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
    await saveCardAt(`/activate/${token}`, number);
    return token;
  },
  notify: async (shop, paymentId, about) => {
    const account = accountOf(shop);
    const { body } = noteOf(about === "dispute" ? "dispute" : "charge", paymentId, "succeeded", new Date());
    const address = `${baseUrl()}/api/gateways/sandbox/webhook?account=${account}`;
    return (await fetch(address, { method: "POST", headers: signCallback(account, body), body })).status;
  },
  decide: async (_shop, _link, charges) => {
    const keys = { in: charges.map(({ key }) => key) };
    const now = new Date();
    const late = { gt: now };
    const ofCharge = { charge: { gateway_key: keys } };
    await db.sandboxCharge.updateMany({ where: { gateway_key: keys, settles_at: late }, data: { settles_at: now } });
    await db.sandboxRefund.updateMany({ where: { ...ofCharge, settles_at: late }, data: { settles_at: now } });
    await db.sandboxDispute.updateMany({ where: { ...ofCharge, decided_at: late }, data: { decided_at: now } });
  },
  answer: async (shop, charge) => {
    const approved = shop.next() < 0.5;
    await answerChallenge(await refOf(shop, charge), approved);
    charge.status = approved ? "succeeded" : "failed";
  },
  refOf,
  cutOff: async (shop) => {
    await setFault(accountOf(shop), "away", 1);
    return () => clearFaults(accountOf(shop));
  },
  taken: null,
  key: null,
};
