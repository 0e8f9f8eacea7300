import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});
const put = (body: object) => call("PUT", "/settings", { key: merchant.key, body });

it("start with the defaults, and change only the given fields", async () => {
  const first = (await call("GET", "/settings", { key: merchant.key })).json.data;
  expect(first).toMatchObject({ timezone: "Europe/Berlin", dunning_days: [2, 7, 14, 21], dunning_end: "unpaid" });
  expect((await put({ dunning_days: [1, 30] })).json.data).toMatchObject({
    dunning_days: [1, 30],
    dunning_end: "unpaid",
  });
  expect((await put({ dunning_end: "cancel", timezone: "america/new_york" })).json.data).toMatchObject({
    ...{ dunning_days: [1, 30], dunning_end: "cancel", timezone: "America/New_York", name: first.name },
  });
  expect((await put({ dunning_days: [] })).json.data.dunning_days).toEqual([]);
  expect((await put({})).status).toBe(200);
});

it("say whether payments are possible in the key's mode", async () => {
  const own = await createMerchant();
  const stranger = await createMerchant();
  const can = async (key: string) => (await call("GET", "/settings", { key })).json.data.can_take_payments;
  const connect = async ({ businessId: business_id }: Merchant, livemode: boolean) => {
    const id = newId("gwa");
    const row = { gateway: "stripe", external_id: `acct_${id.slice(4)}`, secrets: "", hint: "rk_live_0000…0000" };
    await db.gatewayAccount.create({ data: { id, business_id, livemode, ...row } });
    return id;
  };
  await connect(stranger, true);
  await connect(own, false);
  expect([await can(own.key), await can(own.liveKey)]).toEqual([true, false]);
  const id = await connect(own, true);
  expect([await can(own.key), await can(own.liveKey)]).toEqual([true, true]);
  const changed = await call("PUT", "/settings", { key: own.liveKey, body: { can_take_payments: false, name: "Own" } });
  expect(changed.json.data).toMatchObject({ name: "Own", can_take_payments: true });
  expect((await call("DELETE", `/gateway-accounts/${id}`, { key: own.liveKey })).status).toBe(200);
  expect([await can(own.key), await can(own.liveKey)]).toEqual([true, false]);
});

it("have the settings of e-mails", async () => {
  const own = await createMerchant();
  const change = async (body: object) => (await call("PUT", "/settings", { key: own.key, body })).json.data;
  expect((await call("GET", "/settings", { key: own.key })).json.data).toMatchObject({
    ...{ support_email: null, renewal_notice_days: 3, send_receipts: true },
  });
  const set = { support_email: "help@shop.example", renewal_notice_days: 0, send_receipts: false };
  expect(await change(set)).toMatchObject(set);
  expect(await change({ send_receipts: true })).toMatchObject({ ...set, send_receipts: true });
  expect((await change({ support_email: null })).support_email).toBe(null);
});

it.each([
  [{ support_email: "x" }, { support_email: ["The support_email must be a valid email address."] }],
  [{ renewal_notice_days: 31 }, { renewal_notice_days: ["The renewal_notice_days must not be greater than 30."] }],
  [{ renewal_notice_days: -1 }, { renewal_notice_days: ["The renewal_notice_days must be at least 0."] }],
  [{ send_receipts: "yes" }, { send_receipts: ["The send_receipts field must be true or false."] }],
  [{ timezone: "Mars/Olympus" }, { timezone: ["The selected timezone is invalid."] }],
  [{ timezone: "+01:00" }, { timezone: ["The selected timezone is invalid."] }],
  [{ timezone: "AET" }, { timezone: ["The selected timezone is invalid."] }], // Node knows these, PostgreSQL does not
  [{ timezone: "US/Pacific-New" }, { timezone: ["The selected timezone is invalid."] }],
  [{ timezone: "IST" }, { timezone: ["The selected timezone is invalid."] }], // India in Node, Israel in PostgreSQL
  [{ dunning_days: [7, 2] }, { dunning_days: ["The dunning_days must ascend."] }],
  [{ dunning_days: "2" }, { dunning_days: ["The dunning_days must be a list of integers."] }],
  [{ dunning_days: [0, 7] }, { dunning_days: ["The dunning_days must be at least 1."] }],
  [{ dunning_end: "paused" }, { dunning_end: ["The selected dunning_end is invalid."] }],
  [{ name: "" }, { name: ["The name field is required."] }],
])("refuse %j", async (body, errors) => {
  const reply = await put(body);
  expect([reply.status, reply.json.errors]).toEqual([422, errors]);
});

it("refuse invalid days", async () => {
  for (const dunning_days of [[0], [366], [1.5], ["2"], [null], Array.from({ length: 11 }, (_, i) => i + 1)])
    expect((await put({ dunning_days })).status).toBe(422);
});
