import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { insertSending } from "@/tests/support/open-attempt";
import { create, savedCard } from "@/tests/support/samples";
import { signedIn } from "@/tests/support/sign-in";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const body = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001" };
const post = (key: string, idempotencyKey: string, over: object = {}) =>
  call("POST", "/payment-links", { key, body: { ...body, ...over }, headers: { "Idempotency-Key": idempotencyKey } });
const rows = () => db.paymentLink.count({ where: { business_id: merchant.businessId, title: "Order 1001" } });

describe("Idempotency-Key", () => {
  it("creates one row for many simultaneous POSTs, with byte-identical answers", async () => {
    const before = await rows();
    for (let key = 0; key < 10; key++) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => post(merchant.key, `many-${key}`)));
      for (const { status, json } of replies)
        if (status !== 200) expect([status, json.code]).toEqual([409, "idempotency_key_in_flight"]);
      const answers = new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text));
      expect(answers.size).toBe(1);
      expect((await post(merchant.key, `many-${key}`)).text).toBe([...answers][0]);
    }
    expect(await rows()).toBe(before + 10);
  });

  it("without it, each POST creates a row (control for the test above)", async () => {
    const before = await rows();
    await Promise.all(Array.from({ length: 10 }, () => call("POST", "/payment-links", { key: merchant.key, body })));
    expect(await rows()).toBe(before + 10);
  });

  it("belongs to who sent it", async () => {
    const other = await createKey(merchant, ["write"]);
    const [own, theirs, again] = [
      await post(merchant.key, "shared"),
      await post(other, "shared", { title: "Theirs" }),
      await post(merchant.key, "shared"),
    ];
    expect([own.status, theirs.status, theirs.headers.get("idempotency-replayed")]).toEqual([200, 200, null]);
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([own.text, "true"]);
    const token = await savedCard(merchant.key);
    const charge = async (key: string) => {
      const id = await create(merchant.key, "payment_links");
      const headers = { "Idempotency-Key": "shared charge" };
      return call("POST", `/payment-links/${id}/charge`, { key, body: { token }, headers });
    };
    expect([(await charge(merchant.key)).status, (await charge(other)).status]).toEqual([200, 200]);
  });

  it("replays an answer stored before the endpoint's answers were encrypted", async () => {
    const sent = { email: "ada@example.com", title: "Card", description: "For later" };
    const createToken = (body: object) => {
      const headers = { "Idempotency-Key": "before encryption" };
      return call("POST", "/tokenizations/create-token", { key: merchant.key, body, headers });
    };
    const first = await createToken(sent);
    const hash = createHash("sha256").update("POST /tokenizations/create-token\n").update(JSON.stringify(sent));
    await db.idempotencyKey.updateMany({
      where: { business_id: merchant.businessId, key: "before encryption" },
      data: { fingerprint: hash.digest("hex"), body: first.text },
    });
    const again = await createToken(sent);
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
    expect((await createToken({ ...sent, title: "Another" })).json.code).toBe("idempotency_key_reused");
  });

  it("of a colleague repeats nothing: a viewer does not get the owner's switch", async () => {
    const owner = await signedIn(merchant);
    const viewer = await signedIn(merchant, "viewer");
    const second = await createMerchant("Second shop");
    const role = { business_id: second.businessId, user_id: owner.userId, role: "owner" };
    await db.membership.create({ data: role });
    const enter = (cookie: string) =>
      call("POST", `/account/businesses/${second.businessId}/switch`, {
        headers: { Cookie: cookie, Origin: baseUrl(), "Idempotency-Key": "switch" },
      });
    expect((await enter(owner.cookie)).status).toBe(200);
    expect((await enter(viewer.cookie)).status).toBe(404);
  });

  it("of before the principal was stored is repeated until it expires", async () => {
    const own = (key: string) =>
      db.idempotencyKey.updateMany({
        where: { business_id: merchant.businessId, key },
        data: { principal: "" },
      });
    const first = await post(merchant.key, "before");
    await own("before");
    const again = await post(merchant.key, "before");
    expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
    const id = await create(merchant.key, "payment_links");
    const token = await savedCard(merchant.key);
    const charge = () =>
      call("POST", `/payment-links/${id}/charge`, {
        ...{ key: merchant.key, body: { token } },
        headers: { "Idempotency-Key": "charge before" },
      });
    const charged = await charge();
    await own("charge before");
    expect((await charge()).text).toBe(charged.text);
    expect(await db.payment.count({ where: { payment_link_id: id } })).toBe(1);
  });

  it("belongs to a business and a mode", async () => {
    const other = await createMerchant();
    const ids = await Promise.all([
      post(merchant.key, "mine").then(({ json }) => json.data._id),
      post(merchant.liveKey, "mine").then(({ json }) => json.data._id),
      post(other.key, "mine").then(({ json }) => json.data._id),
    ]);
    expect(new Set(ids).size).toBe(3);
  });

  it("is refused with another body or on another route", async () => {
    await post(merchant.key, "route");
    const other = await post(merchant.key, "route", { title: "Other" });
    expect([other.status, other.json.code]).toEqual([409, "idempotency_key_reused"]);
    const id = await create(merchant.key, "payment_links");
    const elsewhere = await call("POST", `/payment-links/${id}/deactivate`, {
      key: merchant.key,
      headers: { "Idempotency-Key": "route" },
    });
    expect([elsewhere.status, elsewhere.json.code]).toEqual([409, "idempotency_key_reused"]);
  });

  it("stores a 404, but not a 422", async () => {
    const headers = { "Idempotency-Key": "gone" };
    const path = `/payment-links/pl_${"0".repeat(36)}/deactivate`;
    const [first, again] = [
      await call("POST", path, { key: merchant.key, headers }),
      await call("POST", path, { key: merchant.key, headers }),
    ];
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([404, 404, "true"]);
    expect(again.text).toBe(first.text);
    expect((await post(merchant.key, "bad", { amount: "1" })).status).toBe(422);
    expect((await post(merchant.key, "bad")).status).toBe(200);
  });

  it("does not store the 409 of a state that passes", async () => {
    const id = await create(merchant.key, "payment_links");
    const token = await savedCard(merchant.key);
    const send = (path: string, body: object, key: string) =>
      call("POST", `/payment-links/${id}/${path}`, { key: merchant.key, body, headers: { "Idempotency-Key": key } });
    const refused = async (code: string) => {
      const replies = [await send("deactivate", {}, "off"), await send("charge", { token }, "pay")];
      expect(replies.map(({ status, json }) => [status, json.code])).toEqual([
        [409, code],
        [409, code],
      ]);
      return replies.map(({ headers }) => headers.get("idempotency-replayed"));
    };
    await insertSending(merchant.businessId, id, newId("pay"));
    expect(await refused("link_processing")).toEqual([null, null]);
    await db.payment.updateMany({
      where: { payment_link_id: id },
      data: { status: "failed", reason: "card_declined" },
    });
    await db.paymentLink.update({ where: { id }, data: { status: "Active" } });
    // The failed attempt may be known a moment later, so this charge may be refused once more, and is not stored then.
    await expect.poll(async () => (await send("charge", { token }, "pay")).json.data).toMatchObject({ paid: true });
    // A paid link stays paid: that refusal is stored.
    const [off, again] = [await send("deactivate", {}, "off"), await send("deactivate", {}, "off")];
    expect([off, again].map(({ json, headers }) => [json.code, headers.get("idempotency-replayed")])).toEqual([
      ["link_already_paid", null],
      ["link_already_paid", "true"],
    ]);
  });

  it("stores the 402 of a declined card: the same key does not charge again", async () => {
    const id = await create(merchant.key, "payment_links");
    const token = await savedCard(merchant.key, "4000000000009995");
    const charge = () =>
      call("POST", `/payment-links/${id}/charge`, {
        ...{ key: merchant.key, body: { token } },
        headers: { "Idempotency-Key": "declined" },
      });
    const [first, again] = [await charge(), await charge()];
    expect([first.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([402, first.text, "true"]);
    expect(await db.payment.count({ where: { payment_link_id: id } })).toBe(1);
  });

  it("expires after 24 hours", async () => {
    const first = await post(merchant.key, "old");
    await db.idempotencyKey.updateMany({
      where: { business_id: merchant.businessId, key: "old" },
      data: { created_at: new Date(Date.now() - 24 * 3_600_000 - 1000) },
    });
    const second = await post(merchant.key, "old");
    expect([second.status, second.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect(second.json.data._id).not.toBe(first.json.data._id);
  });

  it("has 1 to 255 characters", async () => {
    expect((await post(merchant.key, "k".repeat(255))).status).toBe(200);
    const long = await post(merchant.key, "k".repeat(256));
    expect([long.status, long.json.code]).toEqual([400, "invalid_idempotency_key"]);
    expect((await post(merchant.key, "")).status).toBe(400);
  });
});
