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
  const others = new Set(["inviter_name", "role", "endpoint_url"]);
  const fill = (value: unknown): unknown =>
    value !== null && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            name,
            foreign.has(name) || others.has(name) ? words : Array.isArray(inner) ? inner : fill(inner),
          ]),
        )
      : value;
  return fill(mailProps[template]) as (typeof mailProps)[T];
}

/** Queues one mail of each template in test mode, in the order of `templateNames`. @returns the rows' ids */
export async function queueEvery(businessId: number, filled: (template: Template) => object): Promise<string[]> {
  const ids: string[] = [];
  for (const template of templateNames) {
    const props = filled(template);
    if (templates[template] === "staff") {
      const mail = { template, props, to: "staff@example.com" } as StaffMail;
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
