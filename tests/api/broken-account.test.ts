import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { payerLanguages } from "@/lib/core/payer-languages";
import { probeAccounts, restoreAccount } from "@/lib/ledger/account-health";
import { checkBooks } from "@/lib/ledger/books";
import { sweepSettled } from "@/lib/ledger/sweep";
import { payerTexts } from "@/messages/payer/texts";
import { payAt, saveCardAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { createStaff } from "@/tests/support/sign-in";
import { connectStripe, loseKey, pageAtStripe, payAtStripe, savedAtStripe } from "@/tests/support/stripe-merchant";
import { createBiller } from "@/tests/support/subscribers";

// The merchant has rolled the key at Stripe, and Paydesk still has the old one.

let merchant: Merchant;
let key: string;
let account: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
  account = await connectStripe(merchant.businessId);
});

const edited = { email: "ada@example.com", currency: "EUR", amount: "2000", title: "Order 1001, changed" };
const linkOf = async (id: string) => (await call("GET", `/payment-links/${id}`, { key })).json.data;
const paymentsOf = async (id: string) => (await call("GET", `/payments?payment_link_id=${id}`, { key })).json.data;
const textOf = async (path: string) => (await fetch(new URL(path, baseUrl()))).text();

const probeDue = (id = account) =>
  db.$executeRaw`UPDATE gateway_account SET probed_at = clock_timestamp() - interval '6 minutes' WHERE id = ${id}`;

/** @returns makes the gateway accept the key, and clears the refusals, as when staff connect the account again */
async function refuseKey(): Promise<() => Promise<void>> {
  const accept = await loseKey(account);
  return async () => {
    await accept();
    await restoreAccount(account);
  };
}

/** Afterwards staff have connected the account again. */
async function whileKeyIsRefused<T>(work: () => Promise<T>, refuse: () => Promise<() => Promise<unknown>> = refuseKey) {
  const restore = await refuse();
  try {
    return await work();
  } finally {
    await restore();
  }
}

/** A payer's try marks the account as broken. It is repeated after a 503, which a busy machine sometimes answers. */
async function markBroken(of: string): Promise<void> {
  const link = await create(of, "payment_links");
  const tries = async () => {
    await payAt(`/pay?id=${link}`);
    return (await call("GET", "/gateway-accounts?status=connected", { key: of })).json.data[0]?.refused_calls;
  };
  await expect.poll(tries).toEqual(["key"]);
}

describe("a request that moves money, with a refused key", () => {
  const plain = "The merchant cannot take this payment at the moment. Nothing was charged. Please contact them.";

  it("fails at once when a payer pays, and the link can be changed, deleted and paid", async () => {
    const [id, other] = [await create(key, "payment_links"), await create(key, "payment_links")];
    await whileKeyIsRefused(async () => {
      for (const link of [id, other]) {
        const { location } = await payAt(`/pay?id=${link}`);
        const page = await textOf(location);
        expect(page).toContain(plain);
        expect(page).not.toContain("don’t pay again");
        expect(page).not.toContain("You have not been charged."); // said already
        expect(await linkOf(link)).toMatchObject({ status: "Active", paid: false });
      }
      expect(await paymentsOf(id)).toMatchObject([{ status: "failed", reason: "gateway_refused" }]);
      expect((await call("PUT", `/payment-links/${id}`, { key, body: edited })).status).toBe(200);
      expect((await call("DELETE", `/payment-links/${other}`, { key })).status).toBe(200);
    });
    const { location } = await payAt(`/pay?id=${id}`);
    await payAtStripe(await pageAtStripe(location));
    await expect.poll(async () => (await linkOf(id)).paid).toBe(true);
  });

  it("fails at once when a system charges a saved card, saves a card or refunds", async () => {
    const token = await savedAtStripe(key);
    const paid = await create(key, "payment_links");
    expect((await call("POST", `/payment-links/${paid}/charge`, { key, body: { token } })).status).toBe(200);
    const id = await create(key, "payment_links");
    const refund = () => call("POST", `/payment-links/${paid}/refunds`, { key, body: { amount: "300" } });
    await whileKeyIsRefused(async () => {
      const reply = await call("POST", `/payment-links/${id}/charge`, { key, body: { token } });
      expect([reply.status, reply.json]).toMatchObject([402, { code: "payment_declined", reason: "gateway_refused" }]);
      expect(await linkOf(id)).toMatchObject({ status: "Active" });

      const saving = (await call("GET", `/tokenizations/${await create(key, "tokenizations")}`, { key })).json.data;
      for (const language of payerLanguages) {
        const request = { method: "POST", headers: { "Accept-Language": language }, body: new URLSearchParams() };
        const form = await fetch(`${baseUrl()}/activate/${saving.token}`, request);
        const { activate, declines } = payerTexts[language];
        const text = await form.text();
        expect([form.status, text]).toEqual([402, expect.stringContaining(activate.declines.gateway_refused)]);
        expect(text).not.toContain(declines.gateway_refused);
      }

      expect((await refund()).json.data).toMatchObject({ status: "failed", failure_reason: "account_refused" });
      const [payment] = await paymentsOf(paid);
      expect(payment).toMatchObject({ refunded_amount: 0, refund_pending_amount: 0 });
    });
    expect((await call("POST", `/payment-links/${id}/charge`, { key, body: { token } })).json.data.paid).toBe(true);
    expect((await refund()).json.data).toMatchObject({ status: "succeeded" });
    expect(await linkOf(paid)).toMatchObject({ refunded_amount: 3 });
  });
});

describe("an account whose key is refused", () => {
  /** Afterwards the gateway accepts the key, but the account is still marked as broken. */
  const whileKeyIsRefusedWithoutReconnect = <T>(work: () => Promise<T>) =>
    whileKeyIsRefused(work, () => loseKey(account));
  const get = async (path: string) => (await call("GET", path, { key })).json.data;
  const connected = async () => (await get("/gateway-accounts?status=connected"))[0];
  const attention = async (): Promise<Row> => (await get("/reports/overview")).attention as Row;
  const events = async (type: string) => get(`/events?type=${type}&resource_id=${account}`);
  const mails = async (to: string) =>
    (await get("/emails?template=account_broken")).filter((mail: Row) => mail.to === to);

  it("is marked once, and its owners are told once, even if the gateway accepts the key now and then", async () => {
    const [owner, admin] = [await createStaff(merchant), await createStaff(merchant, "admin")];
    const before = (await events("gateway_account.broken")).length;
    const links = await Promise.all(Array.from({ length: 6 }, () => create(key, "payment_links")));
    const connectedAt = (await connected())?.updated_at;
    await whileKeyIsRefusedWithoutReconnect(async () => {
      await Promise.all(links.map((id) => payAt(`/pay?id=${id}`)));
      expect(await connected()).toMatchObject({
        broken_at: expect.any(String),
        broken_code: null,
        refused_calls: ["key"],
        updated_at: expect.any(String),
      });
      expect((await events("gateway_account.broken")).length).toBe(before + 1);
      expect([(await mails(owner.email)).length, (await mails(admin.email)).length]).toEqual([1, 0]);
      expect(await attention()).toMatchObject({ broken_gateway_accounts: 1 });
    });
    expect(connectedAt).toEqual(expect.any(String));
    await payAt(`/pay?id=${links[0]}`);
    await whileKeyIsRefusedWithoutReconnect(() => payAt(`/pay?id=${links[1]}`));
    expect(await connected()).toMatchObject({ refused_calls: ["key"] });
    expect((await events("gateway_account.broken")).length).toBe(before + 1);
    expect((await mails(owner.email)).length).toBe(1);
    await probeDue();
    await probeAccounts();
    await expect.poll(async () => (await connected())?.broken_at).toBeNull();
    expect(await connected()).toMatchObject({ broken_code: null, refused_calls: [] });
    expect(await attention()).toMatchObject({ broken_gateway_accounts: 0 });
    const [restored] = await events("gateway_account.restored");
    expect(restored).toMatchObject({ data: { _id: account, broken_at: null } });
  });

  it("is mended by connecting it again, and by the probe", async () => {
    const id = await create(key, "payment_links");
    await whileKeyIsRefusedWithoutReconnect(() => payAt(`/pay?id=${id}`));
    expect((await connected())?.broken_at).not.toBeNull();
    const body = { secret_key: process.env.TEST_STRIPE_KEY };
    expect((await call("POST", "/gateway-accounts", { key, body })).json.data).toMatchObject({ broken_at: null });

    await whileKeyIsRefusedWithoutReconnect(() => payAt(`/pay?id=${id}`));
    await whileKeyIsRefusedWithoutReconnect(async () => {
      await probeDue();
      await probeAccounts();
      expect((await connected())?.refused_calls).toEqual(["key"]);
    });
    await probeDue();
    await probeAccounts();
    // The server's own job may have been the one to probe.
    await expect.poll(async () => (await connected())?.broken_at).toBeNull();
  });

  it("bills as without a card, without asking, and charges the card at the next step after it is mended", async () => {
    const biller = await createBiller();
    const its = await connectStripe(biller.merchant.businessId);
    await savedAtStripe(biller.key, "ida@example.com");
    const restore = await loseKey(its);
    const packageId = await biller.createPackage();
    await markBroken(biller.key);
    const id = await biller.subscribe(packageId, "ida@example.com");
    await biller.billed(id, 1);
    const period = async (): Promise<Row | undefined> => (await biller.periods(id))[0];
    await expect.poll(async () => (await period())?.next_attempt_at).not.toBeUndefined();
    await expect.poll(async () => (await biller.get(`/events?type=payment_link.awaiting_payer`)).length).toBe(1);
    expect(await period()).toMatchObject({ status: "Active", paid: false, attempt_count: 0 });
    expect(await biller.get(`/payments?email=ida@example.com`)).toEqual([]);
    await restore();
    await probeDue(its);
    await probeAccounts();
    await biller.advance(await biller.later(3));
    await expect.poll(async () => (await period())?.paid).toBe(true);
  });
});

describe("an attempt that was open when the key was lost", () => {
  const toPage = async () => {
    const id = await create(key, "payment_links");
    const page = await pageAtStripe((await payAt(`/pay?id=${id}`)).location);
    const payment = (await paymentsOf(id))[0]?._id ?? "";
    return { id, page, payment };
  };
  const act = (payment: string, action: string, body?: object) =>
    call("POST", `/payments/${payment}/${action}`, { key, body });
  const makeOlder = (id: string) =>
    db.$executeRaw`UPDATE payment SET started_at = started_at - interval '2 minutes' WHERE id = ${id}`;
  const failed = { status: "failed", reason: "Not in Stripe's dashboard" };

  it("keeps the link, says why, and is settled by hand as failed; a later success is a mismatch", async () => {
    const { id, page, payment } = await toPage();
    const restore = await refuseKey();
    await markBroken(key);
    for (const refused of [
      await call("PUT", `/payment-links/${id}`, { key, body: edited }),
      await call("DELETE", `/payment-links/${id}`, { key }),
    ])
      expect([refused.status, refused.json]).toMatchObject([
        409,
        {
          code: "link_processing",
          payment_id: payment,
          message: expect.stringContaining("settle the payment by hand"),
        },
      ]);
    for (const action of ["reconcile", "cancel"])
      expect((await act(payment, action)).json).toMatchObject({ code: "account_refused" });
    expect((await act(payment, "settle", failed)).json).toMatchObject({ code: "conflict" }); // may be in flight
    await makeOlder(payment);
    expect((await act(payment, "settle", { status: "succeeded", reason: "x" })).json.errors).toEqual({
      gateway_ref: ["The gateway_ref field is required."],
    });
    expect((await act(payment, "settle", failed)).json.data).toMatchObject({
      ...{ status: "failed", settled_by: "test", settled_reason: failed.reason, mismatch_at: null },
    });
    expect((await act(payment, "settle", failed)).json).toMatchObject({ code: "payment_settled" });
    expect((await call("PUT", `/payment-links/${id}`, { key, body: edited })).status).toBe(200);
    const [entry] = (await call("GET", "/audit-log?action=payment.settled", { key })).json.data;
    expect(entry).toMatchObject({ resource_id: payment, before: { status: "requires_action" }, after: failed });

    await payAtStripe(page); // the payer had the page open
    await restore();
    expect((await act(payment, "reconcile")).json.data).toMatchObject({
      status: "failed",
      mismatch_at: expect.any(String),
      gateway_reference: expect.stringMatching(/^pi_/),
    });
    await act(payment, "reconcile");
    const events = (await call("GET", `/events?resource_id=${payment}&type=payment.mismatch`, { key })).json.data;
    expect(events).toHaveLength(1);
  });

  /** @returns a link with a payment that the gateway took, and that staff had recorded as failed */
  const toTaken = async () => {
    const opened = await toPage();
    const restore = await refuseKey();
    await makeOlder(opened.payment);
    expect((await act(opened.payment, "settle", failed)).status).toBe(200);
    await payAtStripe(opened.page);
    await restore();
    return opened;
  };

  const listed = async () =>
    (await call("GET", "/payments?mismatch=open&per_page=100", { key })).json.data.map(
      ({ _id }: { _id: string }) => _id,
    );

  it("is not paid again before the gateway has closed it: a payment that the gateway took blocks its link", async () => {
    const { id, payment } = await toTaken();
    await payAt(`/pay?id=${id}`);
    const after = (await call("GET", `/payments/${payment}`, { key })).json.data;
    expect(after).toMatchObject({ mismatch_at: expect.any(String) });
    expect(await paymentsOf(id)).toHaveLength(1);
    const day = new Date().toISOString().slice(0, 10);
    const marked = await call("POST", `/payment-links/${id}/mark-paid`, {
      key,
      body: { method: "cash", paid_on: day },
    });
    expect([marked.status, marked.json]).toMatchObject([
      409,
      { code: "conflict", message: expect.stringContaining("The gateway has taken money for this link") },
    ]);
    const { attention } = (await call("GET", "/reports/overview", { key })).json.data;
    expect(await listed()).toContain(payment);
    expect(await listed()).toHaveLength(Number((attention as Row).mismatched_payments));
  });

  it("is not paid again while the gateway refuses the key", async () => {
    const token = await savedAtStripe(key);
    const { id, payment } = await toPage();
    const restore = await refuseKey();
    await makeOlder(payment);
    expect((await act(payment, "settle", failed)).status).toBe(200);
    expect((await payAt(`/pay?id=${id}`)).status).toBe(503);
    const charged = await call("POST", `/payment-links/${id}/charge`, { key, body: { token } });
    expect(charged.json).toMatchObject({
      ...{ code: "gateway_away", payment_id: payment, message: expect.stringContaining("Reconnect the account") },
    });
    expect(await paymentsOf(id)).toHaveLength(1);
    await restore();
    await payAt(`/pay?id=${id}`);
    expect(await paymentsOf(id)).toHaveLength(2);
  });

  /** Opens a link's page at Stripe, for a business of its own. */
  async function openAtStripe() {
    const other = await createMerchant();
    const its = await connectStripe(other.businessId);
    const id = await create(other.key, "payment_links");
    const page = await pageAtStripe((await payAt(`/pay?id=${id}`)).location);
    const listed = async () =>
      (await call("GET", `/payments?payment_link_id=${id}`, { key: other.key })).json.data as Row[];
    const payment = String((await listed())[0]?._id);
    return { other, its, id, page, listed, payment };
  }

  it.each([
    ["answers", true],
    ["refuses its key", false],
  ])("is closed first also at a disconnected account: one that %s", async (_, answers) => {
    const { other, its, id, page, listed, payment } = await openAtStripe();
    const accept = await loseKey(its);
    await makeOlder(payment);
    expect((await call("POST", `/payments/${payment}/settle`, { key: other.key, body: failed })).status).toBe(200);
    await payAtStripe(page);
    await db.gatewayAccount.update({ where: { id: its }, data: { replaced_at: new Date() } });
    if (answers) await accept();
    await payAt(`/pay?id=${id}`); // at the sandbox
    const [newest, ...earlier] = await listed();
    if (answers) expect([newest, earlier]).toMatchObject([{ mismatch_at: expect.any(String) }, []]);
    else expect([newest, earlier]).toMatchObject([{ gateway: "sandbox" }, [{ mismatch_at: null }]]);
  });

  it("counts as the link's payment, if staff decide so", async () => {
    const { id, payment } = await toTaken();
    const decide = (resolution: string) =>
      act(payment, "resolve-mismatch", { resolution, note: "On the payer's statement" });
    await act(payment, "reconcile");
    expect(await listed()).toContain(payment);
    await whileKeyIsRefused(async () => expect((await decide("counted")).json.code).toBe("account_refused"));
    expect((await decide("counted")).json.data).toMatchObject({
      ...{ status: "succeeded", reason: null, mismatch_at: null, settled_reason: "On the payer's statement" },
      receipt_url: expect.any(String),
    });
    expect(await linkOf(id)).toMatchObject({ status: "Paid", paid: true });
    expect(await listed()).not.toContain(payment);
    for (const resolution of ["counted", "acknowledged"])
      expect((await decide(resolution)).json).toMatchObject({
        code: "conflict",
        message: "The payment is not an open mismatch.",
      });
    const [entry] = (await call("GET", "/audit-log?action=payment.mismatch_resolved", { key })).json.data;
    expect(entry).toMatchObject({ resource_id: payment, after: { counted: true } });
    expect((await checkBooks(merchant.businessId)).imbalances).toEqual([]);
  });

  it("is the payment that the paid page shows, although a later attempt failed", async () => {
    const { other, its, id, page, listed, payment } = await openAtStripe();
    const decide = (action: string, body?: object) =>
      call("POST", `/payments/${payment}/${action}`, { key: other.key, body });
    const accept = await loseKey(its);
    await makeOlder(payment);
    expect((await decide("settle", failed)).status).toBe(200);
    await payAtStripe(page);
    await db.gatewayAccount.update({ where: { id: its }, data: { replaced_at: new Date() } });
    await payAt(`/pay?id=${id}`, "4000000000000002"); // at the sandbox, without an answer of the old account
    await accept();
    await decide("reconcile");
    const counted = await decide("resolve-mismatch", { resolution: "counted", note: "On the payer's statement" });
    expect(counted.json.data).toMatchObject({ status: "succeeded", card: { last4: "4242" } });
    expect((await listed()).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
    const paid = await textOf(`/thank-you?id=${id}`);
    expect(paid).toContain("4242");
    expect(paid).not.toContain("0002");
  });

  it("no longer blocks its link once staff have returned it, and cannot count when the link has changed", async () => {
    const { id, payment } = await toTaken();
    await act(payment, "reconcile");
    expect((await call("PUT", `/payment-links/${id}`, { key, body: { ...edited, amount: 2_000 } })).status).toBe(200);
    const decide = (resolution: string) => act(payment, "resolve-mismatch", { resolution, note: "Refunded at Stripe" });
    expect((await decide("counted")).json).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("another amount"),
    });
    expect((await decide("acknowledged")).json.data).toMatchObject({
      ...{ status: "failed", mismatch_at: expect.any(String), mismatch_resolved_at: expect.any(String) },
      mismatch_note: "Refunded at Stripe",
    });
    expect(await listed()).not.toContain(payment);
    await payAt(`/pay?id=${id}`);
    expect(await paymentsOf(id)).toHaveLength(2);
    expect((await checkBooks(merchant.businessId)).imbalances).toEqual([]);
  });

  it("is settled by hand as paid, once for a reference", async () => {
    const [one, two] = [await toPage(), await toPage()];
    const restore = await refuseKey();
    const paid = { status: "succeeded", gateway_ref: "pi_byHand1", reason: "Seen in Stripe's dashboard" };
    for (const { payment } of [one, two]) await makeOlder(payment);
    const ofCharge = await act(one.payment, "settle", { ...paid, gateway_ref: "ch_byHand1" });
    expect(ofCharge.json.errors).toEqual({
      gateway_ref: ["The gateway_ref must be a PaymentIntent: at Stripe, it starts with pi_."],
    });
    expect((await act(one.payment, "settle", paid)).json.data).toMatchObject({
      ...{ status: "succeeded", gateway_reference: "pi_byHand1", settled_reason: paid.reason },
      receipt_url: expect.any(String),
    });
    expect(await linkOf(one.id)).toMatchObject({ status: "Paid", paid: true });
    expect((await act(two.payment, "settle", paid)).json).toMatchObject({ code: "conflict" });
    await restore();
    // Stripe has no such payment, so a refund of it ends.
    const refunded = await call("POST", `/payment-links/${one.id}/refunds`, { key, body: { amount: "300" } });
    expect(refunded.json.data).toMatchObject({ status: "failed", failure_reason: "processing_error" });
    // The gateway can be asked again: its page is open, so it is withdrawn instead.
    expect((await act(two.payment, "settle", failed)).json).toMatchObject({ code: "conflict" });
    expect((await act(two.payment, "cancel")).json.data).toMatchObject({ status: "failed", settled_by: null });
  });

  it("is not settled as paid with the charge of another payment", async () => {
    const [paid, open] = [await toPage(), await toPage()];
    await payAtStripe(paid.page);
    await expect.poll(async () => (await linkOf(paid.id)).paid).toBe(true);
    const other = await db.payment.findUniqueOrThrow({ where: { id: paid.payment } });
    const restore = await refuseKey();
    await makeOlder(open.payment);
    const body = { status: "succeeded", gateway_ref: other.gateway_ref, reason: "Seen in Stripe's dashboard" };
    const refused = {
      code: "conflict",
      message: "Another payment was settled with this gateway_ref.",
    };
    expect((await act(open.payment, "settle", body)).json).toMatchObject(refused);
    // An old charge is known by its entry in the balance.
    await db.payment.update({ where: { id: other.id }, data: { created_at: new Date(Date.now() - 30 * 86_400_000) } });
    await db.balanceEntry.create({
      data: {
        ...{ id: newId("bal"), business_id: other.business_id, livemode: false, gateway_account_id: account },
        ...{ gateway_ref: `txn_${other.id}`, type: "charge", amount_cents: 1050, fee_cents: 0, net_cents: 1050 },
        ...{ currency: "EUR", charge_ref: other.gateway_ref, gateway_key: other.id, created_at: new Date() },
      },
    });
    expect((await act(open.payment, "settle", body)).json).toMatchObject(refused);
    expect(await linkOf(open.id)).toMatchObject({ status: "Processing" });
    await restore();
  });

  it("is closed at the gateway once it can be, after it was recorded as failed", async () => {
    const { page, payment } = await toPage();
    const restore = await refuseKey();
    await makeOlder(payment);
    expect((await act(payment, "settle", failed)).status).toBe(200);
    await restore();
    await sweepSettled(new AbortController().signal);
    expect(await payAtStripe(page)).toBe(""); // takes no payment any more
    expect((await call("GET", `/payments/${payment}`, { key })).json.data).toMatchObject({ mismatch_at: null });
  });

  it("may be settled only by those who may manage the gateway account", async () => {
    const { payment } = await toPage();
    const limited = await createKey(merchant, ["read", "write"]);
    const reply = await call("POST", `/payments/${payment}/settle`, { key: limited, body: failed });
    expect(reply.status).toBe(403);
    expect((await call("POST", `/payments/${payment}/cancel`, { key: limited })).status).toBe(200);
  });
});

describe("an opened attempt", () => {
  it("is withdrawn by the merchant, and the link can be changed at once", async () => {
    const id = await create(key, "payment_links");
    const page = await pageAtStripe((await payAt(`/pay?id=${id}`)).location);
    const refused = await call("PUT", `/payment-links/${id}`, { key, body: edited });
    expect(refused.json).toMatchObject({ code: "link_processing", message: expect.stringContaining("Withdraw") });
    const cancel = () => call("POST", `/payments/${refused.json.payment_id}/cancel`, { key });
    const withdrawn = (await cancel()).json.data;
    expect(withdrawn).toMatchObject({ status: "failed", reason: "abandoned" });
    expect((await cancel()).json.data).toEqual(withdrawn);
    expect((await call("PUT", `/payment-links/${id}`, { key, body: edited })).status).toBe(200);
    expect(await payAtStripe(page)).toBe("");
    expect((await call("DELETE", `/payment-links/${id}`, { key })).status).toBe(200);
  });

  it("that the payer has paid meanwhile is paid", async () => {
    const id = await create(key, "payment_links");
    const page = await pageAtStripe((await payAt(`/pay?id=${id}`)).location);
    const [payment] = await paymentsOf(id);
    await payAtStripe(page);
    const reply = await call("POST", `/payments/${payment?._id}/cancel`, { key });
    expect([reply.status, reply.json.code]).toEqual([409, "link_already_paid"]);
    expect(await linkOf(id)).toMatchObject({ paid: true });
  });
});

describe("a card that the payer saves at the gateway while its key is refused", () => {
  it("is not lost when its tokenization would expire before the key is accepted again", async () => {
    const id = await create(key, "tokenizations");
    const tokenization = async () => (await call("GET", `/tokenizations/${id}`, { key })).json.data;
    const { location } = await saveCardAt(`/activate/${(await tokenization()).token}`);
    const page = await pageAtStripe(location);
    const expires_at = new Date(Date.now() + 2_000);
    await whileKeyIsRefused(async () => {
      await db.tokenization.update({ where: { id }, data: { expires_at } });
      await payAtStripe(page);
      await sleep(expires_at.getTime() - Date.now());
    });
    await expect.poll(async () => (await tokenization()).status).toBe("active");
  });
});
