import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { PaymentLink, Subscription, WebhookDelivery } from "@/lib/generated/prisma/client";
import { newSecret } from "@/lib/outbox/webhooks/sign";
import { makeLink, type Staff } from "./staff";

type Owner = Pick<Staff, "businessId">;

const tenant = ({ businessId }: Owner) => ({ business_id: businessId, livemode: false });

export async function makePackage(staff: Owner): Promise<string> {
  const id = newId("pkg");
  const price = { amount_cents: 1500, currency: "EUR", frequency: "monthly" };
  await db.package.create({ data: { id, ...tenant(staff), name: "Reading club", ...price } });
  return id;
}

/** An active subscription without owed periods or due charges. */
export async function makeSubscription(staff: Owner, over: Partial<Subscription> = {}): Promise<string> {
  const [id, package_id] = [newId("sub"), await makePackage(staff)];
  const anchor = { anchor: "2026-01-31T00:00:00", timezone: "Europe/Berlin" };
  await db.subscription.create({
    data: { id, ...tenant(staff), package_id, email: "reader@example.com", status: "active", ...anchor, ...over },
  });
  return id;
}

/** Its first period, unpaid, without a card. */
export const makePeriod = (
  staff: Owner,
  subscription_id: string,
  over: Partial<PaymentLink> = {},
): Promise<PaymentLink> =>
  makeLink(staff.businessId, {
    subscription_id,
    email: "reader@example.com",
    title: "Reading club",
    amount_cents: 1500,
    period_index: 0,
    period_start: new Date("2026-01-30T23:00:00Z"),
    period_end: new Date("2026-02-27T23:00:00Z"),
    ...over,
  });

export async function makeEndpoint(staff: Staff): Promise<string> {
  const id = newId("whe");
  const { sealed: secret } = newSecret(id);
  await db.webhookEndpoint.create({
    data: { id, ...tenant(staff), url: "https://shop.example.com/hook", events: ["*"], secret },
  });
  return id;
}

/** A delivery to an endpoint that failed for good; of a test event, unless `over` names one. */
export async function makeFailedDelivery(
  staff: Staff,
  endpoint_id: string,
  over: Partial<WebhookDelivery> = {},
): Promise<string> {
  const id = newId("whd");
  const about = { type: "package.created", status: "failed", attempt_count: 8, next_attempt_at: null };
  await db.webhookDelivery.create({ data: { id, ...tenant(staff), endpoint_id, ...about, ...over } });
  return id;
}
