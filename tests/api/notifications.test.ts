import { beforeEach, describe, expect, it } from "vitest";
import type { Role } from "@/lib/auth/scopes";
import { clock } from "@/lib/core/clock";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { mailStaff } from "@/lib/ledger/dispute-mails";
import { record } from "@/lib/outbox/record";
import { disputeEndpoints } from "@/lib/resources/disputes/contract";
import { exampleOf } from "@/lib/resources/events/examples";
import type { EventType, Happening } from "@/lib/resources/events/types";
import type { Notifications } from "@/lib/resources/notifications/contract";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { callAs, createStaff, signedIn } from "@/tests/support/sign-in";

let merchant: Merchant;
let ada: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  merchant = await createMerchant();
  ada = await signedIn(merchant);
});

const attention = ["dispute_opened", "dispute_ended", "endpoint_failing", "account_broken"];

/** Records an event about a new resource. @returns the resource's id */
async function happen(type: EventType, { livemode = true, at = new Date(), businessId = merchant.businessId } = {}) {
  const [prefix] = exampleOf(type).resource_id.split("_");
  const _id = newId(prefix as "pay");
  const event = { type, data: { ...exampleOf(type).data, _id } } as Happening;
  await clock.at(at, () => transaction(db, (tx) => record(tx, { businessId, livemode }, [event])));
  return _id;
}

async function notificationsOf(cookie: string, mode = "live"): Promise<Notifications> {
  const reply = await callAs(cookie, "GET", "/notifications", undefined, mode);
  expect(reply.status).toBe(200);
  return reply.json.data as unknown as Notifications;
}

const choose = (cookie: string, body: object, mode = "live") =>
  callAs(cookie, "PUT", "/account/notifications", { bell: [], mail: [], digest: false, ...body }, mode);
const mark = (cookie: string, body: object) => callAs(cookie, "POST", "/notifications/read", body, "live");
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const kindsOf = ({ notifications }: Notifications) => notifications.map(({ kind }) => kind);

describe("the settings", () => {
  it("name by default what needs attention, and differ by mode and business", async () => {
    const settings = async (mode: string) =>
      (await callAs(ada.cookie, "GET", "/account/notifications", undefined, mode)).json.data;
    expect(await settings("live")).toMatchObject({ bell: attention, mail: attention, digest: false });
    expect(await settings("test")).toMatchObject({ bell: [], mail: attention, digest: false });
    expect((await choose(ada.cookie, { bell: ["payment_received"], digest: true }, "test")).json.data).toMatchObject({
      bell: ["payment_received"],
      mail: [],
      digest: true,
    });
    expect(await settings("live")).toMatchObject({ bell: attention, mail: attention, digest: false });
    const other = await createMerchant("Another shop");
    await db.membership.create({ data: { business_id: other.businessId, user_id: ada.userId, role: "owner" } });
    await callAs(ada.cookie, "POST", `/account/businesses/${other.businessId}/switch`);
    expect(await settings("test")).toMatchObject({ bell: [], mail: attention, digest: false });
  });

  it("are kept in the audit log, and belong to people alone", async () => {
    await choose(ada.cookie, { bell: ["payout_failed"] });
    const { data } = (await call("GET", "/audit-log?action=account.notifications_changed", { key: merchant.liveKey }))
      .json;
    expect(data).toMatchObject([{ before: { bell: attention }, after: { bell: ["payout_failed"], mail: [] } }]);
    for (const path of ["/notifications", "/account/notifications"])
      expect((await call("GET", path, { key: merchant.liveKey })).status).toBe(403);
    expect((await choose(ada.cookie, { bell: ["weather"] })).json.errors).toHaveProperty("bell");
    expect((await callAs(ada.cookie, "PUT", "/account/notifications", { bell: [] })).status).toBe(422);
  });

  it.each<[Role, string[]]>([
    ["admin", ["dispute_opened", "dispute_ended", "endpoint_failing"]],
    ["developer", ["endpoint_failing"]],
    ["viewer", []],
  ])("give a %s by default the mails of the role", async (role, mail) => {
    const { cookie } = await signedIn(merchant, role);
    expect((await callAs(cookie, "GET", "/account/notifications")).json.data.mail).toEqual(mail);
  });
});

describe("the bell", () => {
  it("shows what was chosen, newest first, with the payer and the reason", async () => {
    await choose(ada.cookie, { bell: ["payment_failed", "dispute_opened", "subscription_ended"] });
    const ids = [await happen("payment.failed"), await happen("dispute.created"), await happen("subscription.unpaid")];
    await happen("payment.succeeded");
    await happen("dispute.created", { livemode: false });
    await happen("dispute.created", { businessId: (await createMerchant()).businessId });
    const shown = await notificationsOf(ada.cookie);
    expect(shown.unread).toBe(3);
    expect(kindsOf(shown)).toEqual(["subscription_ended", "dispute_opened", "payment_failed"]);
    expect(shown.notifications.map(({ resource_id }) => resource_id)).toEqual(ids.reverse());
    expect(shown.notifications[2]).toMatchObject({
      text: "Payment of €10.50 failed",
      detail: expect.stringMatching(/^ada@example\.com · .*insufficient|^ada@example\.com · /),
      read: false,
    });
    expect(shown.notifications[0]?.text).toBe("Subscription unpaid");
  });

  it("shows a real payment and dispute in test mode once their kinds are chosen", async () => {
    const link = await create(merchant.key, "payment_links");
    await choose(ada.cookie, { bell: ["payment_received", "dispute_opened"] }, "test");
    await payAt(`/pay?id=${link}`, "4000000000000259");
    await expect
      .poll(async () => kindsOf(await notificationsOf(ada.cookie, "test")))
      .toEqual(["dispute_opened", "payment_received"]);
    expect((await notificationsOf(ada.cookie, "live")).unread).toBe(0);
  });

  it("marks one, some and all as read, each person for themselves", async () => {
    const grace = await signedIn(merchant);
    for (const minutes of [9, 8, 7, 6]) await happen("dispute.created", { at: minutesAgo(minutes) });
    const before = await notificationsOf(ada.cookie);
    // Events from before a member joined are left out.
    expect([before.unread, before.notifications.length]).toEqual([0, 4]);
    await db.membership.updateMany({
      where: { business_id: merchant.businessId },
      data: { created_at: minutesAgo(60) },
    });
    const { notifications } = await notificationsOf(ada.cookie);
    const [newest, second, , oldest] = notifications;
    expect((await mark(ada.cookie, { ids: [second?._id] })).json.data).toMatchObject({ unread: 3 });
    expect((await mark(ada.cookie, { ids: [second?._id] })).json.data).toMatchObject({ unread: 3 });
    expect((await mark(ada.cookie, { until: oldest?.created_at })).json.data).toMatchObject({ unread: 2 });
    expect((await notificationsOf(ada.cookie)).notifications.map(({ read }) => read)).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect((await mark(ada.cookie, { until: newest?.created_at })).json.data).toMatchObject({ unread: 0 });
    expect((await notificationsOf(grace.cookie)).unread).toBe(4);
    await happen("dispute.lost");
    expect((await notificationsOf(ada.cookie)).unread).toBe(1);
    for (const body of [{}, { ids: [newest?._id], until: newest?.created_at }, { ids: [] }, { until: "yesterday" }])
      expect((await mark(ada.cookie, body)).status).toBe(422);
  });

  it("does not mark as read what commits later with an earlier time", async () => {
    await db.membership.updateMany({
      where: { business_id: merchant.businessId },
      data: { created_at: minutesAgo(60) },
    });
    await happen("dispute.created", { at: new Date() });
    const [newest] = (await notificationsOf(ada.cookie)).notifications;
    await mark(ada.cookie, { until: newest?.created_at });
    await happen("dispute.created", { at: new Date(Date.now() - 20_000) });
    const { unread, notifications } = await notificationsOf(ada.cookie);
    expect([unread, notifications.map(({ read }) => read)]).toEqual([1, [true, false]]);
  });

  it("counts nothing that happened before its kind was chosen, and keeps what was unread", async () => {
    await db.membership.updateMany({
      where: { business_id: merchant.businessId },
      data: { created_at: minutesAgo(60) },
    });
    await happen("dispute.created", { at: minutesAgo(5) });
    await happen("payment.succeeded", { at: minutesAgo(5) });
    await choose(ada.cookie, { bell: ["dispute_opened", "payment_received"] });
    expect((await notificationsOf(ada.cookie)).unread).toBe(1);
    await happen("payment.succeeded");
    expect((await notificationsOf(ada.cookie)).unread).toBe(2);
  });

  it("counts at most a hundred", async () => {
    await choose(ada.cookie, { bell: ["payment_received"] });
    const events = Array.from({ length: 130 }, () => {
      const { data } = exampleOf("payment.succeeded");
      return { type: "payment.succeeded", data: { ...data, _id: newId("pay") } } as Happening;
    });
    await transaction(db, (tx) => record(tx, { businessId: merchant.businessId, livemode: true }, events));
    const shown = await notificationsOf(ada.cookie);
    expect([shown.unread, shown.notifications.length]).toEqual([100, 20]);
    expect((await mark(ada.cookie, { until: shown.notifications[0]?.created_at })).json.data).toMatchObject({
      unread: 0,
    });
  });

  it("shows an endpoint while staff are warned about it, without the path of its URL", async () => {
    await db.membership.updateMany({
      where: { business_id: merchant.businessId },
      data: { created_at: minutesAgo(60) },
    });
    const body = { url: "https://hooks.example.com/secret-path", events: ["*"] };
    const { data } = (await call("POST", "/webhook-endpoints", { key: merchant.liveKey, body })).json;
    const failing = { failing_since: minutesAgo(3 * 24 * 60), warned_at: minutesAgo(1) };
    await db.webhookEndpoint.update({ where: { id: data._id }, data: failing });
    expect((await notificationsOf(ada.cookie)).notifications).toMatchObject([
      { _id: data._id, kind: "endpoint_failing", text: "Webhook endpoint is failing: hooks.example.com", read: false },
    ]);
    await db.webhookEndpoint.update({ where: { id: data._id }, data: { failing_since: null, warned_at: null } });
    expect((await notificationsOf(ada.cookie)).notifications).toEqual([]);
  });

  it("no longer shows a failing endpoint that staff have disabled", async () => {
    const body = { url: "https://hooks.example.com/", events: ["*"] };
    const { _id: id } = (await call("POST", "/webhook-endpoints", { key: merchant.liveKey, body })).json.data;
    await db.webhookEndpoint.update({ where: { id }, data: { warned_at: new Date() } });
    expect(kindsOf(await notificationsOf(ada.cookie))).toEqual(["endpoint_failing"]);
    expect((await call("POST", `/webhook-endpoints/${id}/disable`, { key: merchant.liveKey })).status).toBe(200);
    expect(kindsOf(await notificationsOf(ada.cookie))).toEqual([]);
  });

  it("shows an endpoint that fails again as unread, although the first time was marked as read", async () => {
    await db.membership.updateMany({
      where: { business_id: merchant.businessId },
      data: { created_at: minutesAgo(60) },
    });
    const body = { url: "https://hooks.example.com/", events: ["*"] };
    const { _id: id } = (await call("POST", "/webhook-endpoints", { key: merchant.liveKey, body })).json.data;
    const warn = (warned_at: Date | null) => db.webhookEndpoint.update({ where: { id }, data: { warned_at } });
    await warn(minutesAgo(30));
    expect((await mark(ada.cookie, { ids: [id] })).json.data.unread).toBe(0);
    expect((await notificationsOf(ada.cookie)).unread).toBe(0);
    await warn(null);
    expect((await notificationsOf(ada.cookie)).notifications).toEqual([]);
    await warn(minutesAgo(5));
    expect(await notificationsOf(ada.cookie)).toMatchObject({ unread: 1, notifications: [{ _id: id, read: false }] });
  });

  it("leaves out what the role may not read, also after a demotion", async () => {
    await db.membership.updateMany({
      where: { business_id: merchant.businessId },
      data: { created_at: minutesAgo(60) },
    });
    await choose(ada.cookie, { bell: ["account_broken", "dispute_opened"], mail: ["account_broken"] });
    await happen("gateway_account.broken");
    expect(kindsOf(await notificationsOf(ada.cookie))).toEqual(["account_broken"]);
    await db.membership.updateMany({ where: { user_id: ada.userId }, data: { role: "viewer" } });
    expect(kindsOf(await notificationsOf(ada.cookie))).toEqual([]);
    const { data } = (await callAs(ada.cookie, "GET", "/account/notifications", undefined, "live")).json;
    expect(data).toMatchObject({ bell: ["dispute_opened"], mail: [] });
    expect(data.available).not.toContain("account_broken");
    expect((await choose(ada.cookie, { bell: ["account_broken"] })).json.errors).toEqual({
      bell: ["The bell has a kind that your role does not allow."],
    });
  });
});

it("mails a dispute to the members who want it", async () => {
  const grace = await signedIn(merchant, "admin");
  const viewer = await signedIn(merchant, "viewer");
  const developer = await createStaff(merchant, "developer");
  await choose(grace.cookie, { bell: ["dispute_opened"] });
  await choose(viewer.cookie, { mail: ["dispute_opened"] });
  const tenant = { businessId: merchant.businessId, livemode: true };
  await transaction(db, (tx) => mailStaff(tx, tenant, disputeEndpoints.get.example.data, false));
  const mails = await db.email.findMany({ where: { business_id: merchant.businessId, template: "dispute_opened" } });
  expect(mails.map(({ to }) => to).sort()).toEqual([ada.email, viewer.email].sort());
  expect(mails.map(({ to }) => to)).not.toContain(developer.email);
});
