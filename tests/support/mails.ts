import { setTimeout as sleep } from "node:timers/promises";
import { db, type Prisma } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { disputeEndpoints } from "@/lib/resources/disputes/contract";
import {
  type PayerMails,
  type StaffMail,
  type StaffMails,
  type Template,
  templateNames,
  templates,
} from "@/lib/resources/emails/templates";
import { kindNames } from "@/lib/resources/notifications/types";
import { paymentLinkExample } from "@/lib/resources/payment-links/contract";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";

/** Valid props of every mail template. */
export const mailProps: PayerMails & StaffMails = (() => {
  const link = paymentLinkExample;
  const payment = paymentEndpoints.get.example.data;
  const subscription = {
    ...subscriptionEndpoints.get.example.data,
    status: "active" as const,
    next_charge_at: "2027-01-30T23:00:00.000000Z",
  };
  const dispute = disputeEndpoints.get.example.data;
  const failed = { ...payment, status: "failed" as const, reason: "insufficient_funds" as const, receipt_url: null };
  return {
    payment_link: { link: { ...link, expires_at: "2026-12-24T17:00:00.000000Z" } },
    receipt: { link: { ...link, status: "Paid" as const, paid: true }, payment },
    refund: {
      link: { ...link, status: "Paid" as const, paid: true, refunded_amount: 2.5 },
      payment: { ...payment, refunded_amount: 2.5 },
      refund: refundEndpoints.get.example.data,
    },
    payment_failed: { link: { ...link, next_attempt_at: "2026-11-23T08:00:00.000000Z" }, payment: failed },
    renewal_notice: { subscription },
    card_expiring: { subscription, card: { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2026 } },
    price_changing: {
      subscription: {
        ...subscription,
        price_change: { amount: 17, amount_cents: 1700, from: "2027-01-30T23:00:00.000000Z", told: false },
      },
    },
    subscription_canceled: { subscription: { ...subscription, status: "cancel" as const } },
    invitation: {
      inviter_name: "Grace Hopper",
      role: "member",
      link: "https://pay.shop.example/invitation/s3cret-token",
      expires_at: "2026-11-28T09:30:00.000000Z",
    },
    password_reset: {
      link: "https://pay.shop.example/reset/s3cret-token",
      expires_at: "2026-11-21T10:30:00.000000Z",
    },
    email_verification: {
      link: "https://pay.shop.example/verify/s3cret-token",
      expires_at: "2026-11-22T09:30:00.000000Z",
    },
    dispute_opened: { dispute, link: "https://pay.shop.example/disputes/dsp_1" },
    dispute_ended: { dispute: { ...dispute, status: "won" }, link: "https://pay.shop.example/disputes/dsp_1" },
    webhook_failing: {
      endpoint_url: "https://hooks.shop.example/paydesk",
      failing_since: "2026-11-20T07:00:00.000000Z",
      disabled_at: "2026-11-25T07:00:00.000000Z",
      link: "https://pay.shop.example/webhooks/whe_1",
    },
    account_broken: {
      account: "acct_1032D82eZvKYlo2C",
      code: "api_key_expired",
      permission: false,
      since: "2026-11-20T07:00:00.000000Z",
      link: "https://pay.shop.example/settings",
    },
    notifications: {
      lines: [
        {
          kind: "payment_received" as const,
          text: "Payment of €10.50 succeeded",
          detail: "ada@example.com · Visa ending in 4242",
          created_at: "2026-11-20T07:00:00.000000Z",
          link: "https://pay.shop.example/payments/pay_1",
        },
        {
          kind: "payout_failed" as const,
          text: "Payout of €500.00 failed",
          detail: null,
          created_at: "2026-11-20T06:00:00.000000Z",
          link: "https://pay.shop.example/payouts/po_1",
        },
      ],
      more: 3,
      others: [
        { kind: "payment_received" as const, count: 2, is_lower_bound: false },
        { kind: "payout_failed" as const, count: 1, is_lower_bound: false },
      ],
      link: "https://pay.shop.example/",
    },
    daily_digest: {
      day: "2026-11-20",
      money: [
        {
          ...{ currency: "EUR", collected_cents: 123_450, collected_count: 12, failed_count: 2 },
          ...{ refunded_cents: 1_050, refunded_count: 1 },
        },
      ],
      counts: [
        { kind: "disputes_opened" as const, count: 1 },
        { kind: "payouts_paid" as const, count: 1 },
      ],
      link: "https://pay.shop.example/",
    },
    api_key_expiring: {
      name: "Web shop",
      hint: "sk_live_Rk3v…9fQa",
      expires_at: "2026-11-28T22:59:59.000000Z",
      link: "https://pay.shop.example/developers/keys/key_1",
    },
  };
})();

/** The props with a given text in every untrusted field. */
export function filledWith<T extends Template>(template: T, words: string): (typeof mailProps)[T] {
  const foreign = new Set(["title", "description", "reference", "reference_2", "name", "brand", "last4"]);
  const others = new Set(["inviter_name", "role", "endpoint_url", "detail"]);
  const fill = (value: unknown): unknown =>
    value !== null && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            name,
            foreign.has(name) || others.has(name)
              ? words
              : Array.isArray(inner)
                ? name === "lines"
                  ? inner.map(fill)
                  : inner
                : fill(inner),
          ]),
        )
      : value;
  return fill(mailProps[template]) as (typeof mailProps)[T];
}

/** Adds a member who gets every notification in test mode, which no other member gets. @returns the address */
async function wantsEverything(business_id: number): Promise<string> {
  const id = newId("usr");
  const email = `staff-${business_id}-${id.slice(-8)}@example.com`;
  const membership = { business_id, role: "owner" };
  await db.user.create({
    data: { id, email, name: "Grace Hopper", password_hash: "", memberships: { create: membership } },
  });
  const since = new Date().toISOString();
  const mail = Object.fromEntries(kindNames.map((kind) => [kind, since]));
  const state = { business_id, user_id: id, livemode: false, mail, digest: true, digest_day: new Date("9999-01-01") };
  await db.notificationState.create({ data: state });
  return email;
}

/** Queues one mail of each template in test mode, in the order of `templateNames`. @returns the rows' ids */
export async function queueEvery(businessId: number, filled: (template: Template) => object): Promise<string[]> {
  const ids: string[] = [];
  const to = await wantsEverything(businessId);
  for (const template of templateNames) {
    const props = filled(template);
    if (templates[template] === "staff") {
      const mail = { template, props, to } as StaffMail;
      ids.push(await queueStaffMail(db, { ...mail, businessId, livemode: false }));
      continue;
    }
    const id = newId("eml");
    const row = {
      id,
      business_id: businessId,
      livemode: false,
      template,
      to: "ada@example.com",
      created_at: new Date(),
    };
    const about = props as { link?: { _id: string }; subscription?: { _id: string } };
    const belongs = { payment_link_id: about.link?._id ?? null, subscription_id: about.subscription?._id ?? null };
    await db.email.create({ data: { ...row, ...belongs, props: props as Prisma.InputJsonValue } });
    ids.push(id);
  }
  return ids;
}

/** Waits until the mails are rendered. @returns the rows */
export async function writtenMails(ids: string[]) {
  for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
    const rows = await db.email.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
    if (rows.every(({ status }) => status !== "queued")) return rows;
    if (Date.now() > deadline) throw new Error("the mails are not being written");
  }
}
