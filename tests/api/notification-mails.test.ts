import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { clock } from "@/lib/core/clock";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { unsubscribeLink } from "@/lib/outbox/notifications/unsubscribe";
import { record } from "@/lib/outbox/record";
import type { StaffMail } from "@/lib/resources/emails/templates";
import { exampleOf } from "@/lib/resources/events/examples";
import type { EventType, Happening } from "@/lib/resources/events/types";
import { sendBundles } from "@/lib/resources/notifications/bundles";
import { sendDigests } from "@/lib/resources/notifications/digest";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl } from "@/tests/support/http";
import { mailProps, writtenMails } from "@/tests/support/mails";
import { callAs, signedIn } from "@/tests/support/sign-in";

// Test mode, whose clock the tests move. The server's own workers run besides those of the tests.

let merchant: Merchant;
let ada: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  merchant = await createMerchant();
  ada = await signedIn(merchant);
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function happen(types: EventType[], at: Date): Promise<void> {
  const events = types.map((type) => {
    const [prefix] = exampleOf(type).resource_id.split("_");
    return { type, data: { ...exampleOf(type).data, _id: newId(prefix as "pay") } } as Happening;
  });
  const tenant = { businessId: merchant.businessId, livemode: false };
  await clock.at(at, () => transaction(db, (tx) => record(tx, tenant, events)));
}

async function choose(body: object, { cookie, userId }: { cookie: string; userId: string } = ada) {
  const choice = { bell: [], mail: [], digest: false, ...body };
  expect((await callAs(cookie, "PUT", "/account/notifications", choice)).status).toBe(200);
  // As if it had been chosen an hour ago.
  await db.$executeRaw`
    UPDATE notification_state SET mailed_until = mailed_until - interval '1 hour',
           mail = (SELECT coalesce(jsonb_object_agg(key, to_jsonb(value::timestamptz - interval '1 hour')), '{}') FROM jsonb_each_text(mail))
     WHERE user_id = ${userId} AND business_id = ${merchant.businessId}`;
}

async function mailsOf(template: string, to = ada.email) {
  const found = await db.email.findMany({
    where: { business_id: merchant.businessId, template, to },
    select: { id: true },
  });
  const mails = await writtenMails(found.map(({ id }) => id));
  return mails.toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime());
}

describe("bundles", () => {
  it("send one mail about several events, to each member who wants them, from several workers", async () => {
    const grace = await signedIn(merchant, "viewer");
    await choose({ mail: ["payment_received", "payout_failed"] });
    await choose({ mail: ["payout_failed"] }, grace);
    await happen(["payment.succeeded", "payment.succeeded", "payout.failed", "payment.failed"], minutesAgo(2));
    await Promise.all(Array.from({ length: 4 }, () => sendBundles()));
    const mails = await mailsOf("notifications");
    expect(mails).toMatchObject([{ subject: "3 notifications from Blue Bottle Books", status: "outbox" }]);
    expect(mails[0]?.text?.match(/Payment of €10\.50 succeeded, ada\s?@\s?example/g)).toHaveLength(2);
    expect(mails[0]?.text).toContain("Payout of");
    expect(mails[0]?.text).not.toMatch(/failed, ada|unsubscribe/);
    expect(await mailsOf("notifications", grace.email)).toMatchObject([
      { subject: expect.stringMatching(/^Payout of .* failed at Blue Bottle Books$/) },
    ]);
  });

  it("send at most one in five minutes, and lose nothing meanwhile", async () => {
    await choose({ mail: ["payment_failed"] });
    await happen(["payment.failed"], minutesAgo(9));
    await expect.poll(async () => (await mailsOf("notifications")).length).toBe(1);
    await happen(["payment.failed", "payment.failed"], minutesAgo(1.5));
    await sendBundles();
    await sleep(500);
    expect(await mailsOf("notifications")).toHaveLength(1);
    const own = { user_id: ada.userId };
    await db.notificationState.updateMany({
      where: own,
      data: { mailed_at: minutesAgo(5.1), mailed_until: minutesAgo(8) },
    });
    await expect.poll(async () => (await mailsOf("notifications")).length).toBe(2);
    const [, second] = await mailsOf("notifications");
    expect(second?.subject).toBe("2 notifications from Blue Bottle Books");
  });

  it("wait until an event is a minute old: a transaction may still commit an older one", async () => {
    await choose({ mail: ["payment_failed"] });
    await happen(["payment.failed"], new Date());
    await sendBundles();
    await sleep(500);
    expect(await mailsOf("notifications")).toEqual([]);
  });

  it("name twenty events and count the others", async () => {
    await choose({ mail: ["payment_received"] });
    await happen(Array<EventType>(33).fill("payment.succeeded"), minutesAgo(2));
    await sendBundles();
    const [mail] = await mailsOf("notifications");
    expect(mail?.subject).toBe("33 notifications from Blue Bottle Books");
    expect(mail?.text?.match(/succeeded/g)).toHaveLength(20);
    expect(mail?.text).toContain("And 13 more");
  });

  it("count two hundred events of a type, and say that there are more", async () => {
    await choose({ mail: ["payment_received", "payout_failed"] });
    await happen([...Array<EventType>(201).fill("payment.succeeded"), "payout.failed"], minutesAgo(2));
    await sendBundles();
    const [mail] = await mailsOf("notifications");
    expect(mail?.subject).toBe("More than 201 notifications from Blue Bottle Books");
    expect(mail?.text).toContain("And more than 181 others");
  });

  it("are dropped, or lose a kind, if the member turns it off or leaves before they are sent", async () => {
    const queue = (to: string) =>
      queueStaffMail(db, {
        template: "notifications",
        to,
        businessId: merchant.businessId,
        livemode: false,
        props: mailProps.notifications,
      });
    await choose({ mail: ["payout_failed"] });
    const [kept] = await writtenMails([await queue(ada.email)]);
    expect(kept?.text).toContain("Payout of €500.00 failed");
    expect(kept?.text).not.toContain("Payment of");
    expect(kept?.subject).toBe("2 notifications from Blue Bottle Books");
    expect(kept?.text).toContain("And 1 more");
    await choose({ mail: ["payout_paid"] });
    await queue("gone@example.com");
    await queue(ada.email);
    for (const to of [ada.email, "gone@example.com"])
      expect((await mailsOf("notifications", to)).at(-1)).toMatchObject({
        status: "dropped",
        drop_reason: "not_wanted",
      });
  });

  it.each(["dispute_opened", "dispute_ended", "webhook_failing", "account_broken"] as const)(
    "are all that a member gets who turned %s off before it was sent",
    async (template) => {
      const queue = (to: string) => {
        const mail = { template, props: mailProps[template] } as StaffMail;
        return queueStaffMail(db, { ...mail, to, businessId: merchant.businessId, livemode: false });
      };
      const [wanted] = await writtenMails([await queue(ada.email)]);
      expect(wanted?.status).toBe("outbox");
      await choose({ mail: ["payment_received"] });
      const refused = await writtenMails([await queue(ada.email), await queue("gone@example.com")]);
      for (const mail of refused) expect(mail).toMatchObject({ status: "dropped", drop_reason: "not_wanted" });
      expect(refused).toHaveLength(2);
    },
  );
});

describe("the daily digest", () => {
  const dayMs = 86_400_000;

  /** Moves the test clock to a time of day in Berlin, some days after tomorrow. */
  async function moveTo(days: number, hour: number): Promise<void> {
    await db.business.update({
      where: { id: merchant.businessId },
      data: { test_clock_ahead: BigInt(berlin(days, hour).getTime() - Date.now()) },
    });
  }

  function berlin(days: number, hour: number): Date {
    const day = new Date(Date.now() + (1 + days) * dayMs).toISOString().slice(0, 10);
    const asUtc = new Date(`${day}T${String(hour).padStart(2, "0")}:00:00Z`);
    const shown = new Date(`${asUtc.toLocaleString("sv", { timeZone: "Europe/Berlin" }).replace(" ", "T")}Z`);
    return new Date(asUtc.getTime() - (shown.getTime() - asUtc.getTime()));
  }

  const work = () => Promise.all(Array.from({ length: 5 }, () => sendDigests()));
  const digestDay = async () => {
    const state = await db.notificationState.findFirstOrThrow({ where: { user_id: ada.userId } });
    return state.digest_day?.toISOString().slice(0, 10);
  };

  it("comes once a day, with the figures of the day before, however many workers run", async () => {
    await choose({ digest: true });
    await happen(["dispute.created", "dispute.created", "payout.paid"], berlin(0, 12));
    await happen(["dispute.created"], berlin(1, 1));
    await moveTo(1, 6);
    await work();
    expect(await mailsOf("daily_digest"), "not before seven").toEqual([]);
    await moveTo(1, 8);
    await work();
    await sleep(500);
    await work();
    const mails = await mailsOf("daily_digest");
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toMatch(/Disputes opened: 2\b/);
    expect(mails[0]?.text).toMatch(/Payouts paid: 1\b/);
    expect(mails[0]?.text).not.toContain("Subscriptions");
  });

  it("has the sums of payments", async () => {
    await choose({ digest: true });
    const sum = { business_id: merchant.businessId, livemode: false, currency: "EUR", kind: "collected" };
    await db.$executeRaw`
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      VALUES (${sum.business_id}, false, ${berlin(0, 23)}, 123450, 12, 'EUR', 'collected'),
             (${sum.business_id}, false, ${berlin(1, 0)}, 999, 1, 'EUR', 'collected')`;
    await moveTo(1, 8);
    await work();
    const [mail] = await mailsOf("daily_digest");
    expect(mail?.text).toContain("Collected, EUR: €1,234.50, 12 payments");
  });

  it("has sums whose counts cancel out, and negative ones", async () => {
    await choose({ digest: true });
    const change = (cents: number, count: number, currency: string, kind: string) => db.$executeRaw`
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      VALUES (${merchant.businessId}, false, ${berlin(0, 12)}, ${cents}, ${count}, ${currency}, ${kind})`;
    await change(6_000, 1, "EUR", "collected");
    await change(-1_000, -1, "EUR", "collected"); // a reversed mark as paid
    await change(-500, -1, "USD", "refunded"); // a returned refund
    await moveTo(1, 8);
    await work();
    const [mail] = await mailsOf("daily_digest");
    expect(mail?.text).toMatch(/Collected, EUR: €50\.00$/m);
    expect(mail?.text).toMatch(/Refunded, USD: -\$5\.00$/m);
    expect(mail?.text).not.toMatch(/0 payments|Collected, USD/);
  });

  it("skips days on which nothing happened, the days of a downtime, and a morning that is over", async () => {
    await choose({ digest: true });
    await moveTo(1, 8);
    await work();
    await expect.poll(digestDay).toBe(berlin(1, 12).toISOString().slice(0, 10));
    expect(await mailsOf("daily_digest")).toEqual([]);
    for (const day of [1, 2, 3, 4]) await happen(["payout.paid"], berlin(day, 12));
    await moveTo(4, 9);
    await work();
    await expect.poll(digestDay).toBe(berlin(4, 12).toISOString().slice(0, 10));
    expect(await mailsOf("daily_digest")).toHaveLength(1);
    await moveTo(5, 23);
    await work();
    await expect.poll(digestDay).toBe(berlin(5, 12).toISOString().slice(0, 10));
    expect(await mailsOf("daily_digest")).toHaveLength(1);
  });

  it("comes although PostgreSQL does not know another business's time zone", async () => {
    const { businessId } = merchant;
    const storeTimezone = (timezone: string) => db.business.update({ where: { id: businessId }, data: { timezone } });
    await choose({ digest: true });
    await moveTo(1, 8);
    await storeTimezone("AET");
    merchant = await createMerchant();
    ada = await signedIn(merchant);
    await choose({ digest: true });
    await happen(["payout.paid"], berlin(0, 12));
    await moveTo(1, 8);
    try {
      await work();
      await expect.poll(async () => (await mailsOf("daily_digest")).length).toBe(1);
    } finally {
      await storeTimezone("Europe/Berlin");
    }
  });

  it("does not come on the day on which it is chosen", async () => {
    await moveTo(0, 10);
    await happen(["payout.paid"], new Date(berlin(0, 10).getTime() - dayMs));
    await choose({ digest: true });
    await work();
    await sleep(500);
    expect(await mailsOf("daily_digest")).toEqual([]);
  });
});

describe("an unsubscribe link", () => {
  const pathOf = (kinds: Parameters<typeof unsubscribeLink>[0]["kinds"], email = ada.email) =>
    new URL(unsubscribeLink({ businessId: merchant.businessId, livemode: false, email, kinds })).pathname;
  const post = (path: string) =>
    fetch(baseUrl() + path, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  const choice = async () => (await callAs(ada.cookie, "GET", "/account/notifications")).json.data;

  it("turns its kinds off when it is posted, without a session, and leaves the others", async () => {
    await choose({
      mail: ["payment_received", "payout_failed", "dispute_opened"],
      bell: ["payment_received"],
      digest: true,
    });
    const path = pathOf(["payment_received", "dispute_opened"]);
    const page = await fetch(baseUrl() + path);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining("Payments received; Disputes opened"),
    ]);
    expect((await choice()).mail).toHaveLength(3);
    expect((await post(path)).status).toBe(200);
    expect(await choice()).toMatchObject({ mail: ["payout_failed"], bell: ["payment_received"], digest: true });
    expect((await post(pathOf(["digest"]))).status).toBe(200);
    expect(await choice()).toMatchObject({ mail: ["payout_failed"], digest: false });
    expect((await post(path)).status, "again").toBe(200);
    const entries = await db.auditEntry.findMany({ where: { business_id: merchant.businessId, actor_id: ada.userId } });
    expect(entries.filter(({ action }) => action === "account.notifications_changed")).toHaveLength(3);
  });

  it("takes the post of a mail program that sends multipart/form-data, as RFC 8058 prefers", async () => {
    await choose({ mail: ["payment_received", "payout_failed"] });
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    const reply = await fetch(baseUrl() + pathOf(["payment_received"]), { method: "POST", body });
    expect(reply.status).toBe(200);
    expect((await choice()).mail).toEqual(["payout_failed"]);
    body.set("more", "x".repeat(70_000));
    expect((await fetch(baseUrl() + pathOf(["payout_failed"]), { method: "POST", body })).status).toBe(413);
    expect((await choice()).mail).toEqual(["payout_failed"]);
  });

  it("works for its own business, mode and person only, and not if it was changed", async () => {
    await choose({ mail: ["payment_received"] });
    const other = await createMerchant("Another shop");
    const link = unsubscribeLink({
      businessId: other.businessId,
      livemode: false,
      email: ada.email,
      kinds: ["payment_received"],
    });
    expect((await post(new URL(link).pathname)).status).toBe(200);
    expect((await choice()).mail).toEqual(["payment_received"]);
    const path = pathOf(["payment_received"]);
    for (const wrong of [`${path.slice(0, -2)}AA`, "/unsubscribe/v1.AAAA", `/unsubscribe/${"a".repeat(300)}`])
      for (const reply of [await post(wrong), await fetch(baseUrl() + wrong)]) expect(reply.status).toBe(404);
    const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    expect((await fetch(baseUrl() + path, json)).status).toBe(415);
    expect((await choice()).mail).toEqual(["payment_received"]);
  });
});
