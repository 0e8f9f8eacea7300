import { db, type Prisma } from "@/lib/core/db";
import type { Merchant } from "./factory";
import { call, type Row } from "./http";

/** An endpoint of the merchant with its secret. */
export async function createEndpoint(
  { key }: Pick<Merchant, "key">,
  url: string,
  events: string[] = ["*"],
): Promise<{ id: string; secret: string }> {
  const { status, json, text } = await call("POST", "/webhook-endpoints", { key, body: { url, events } });
  if (status !== 200) throw new Error(`could not create an endpoint: ${status} ${text}`);
  return { id: json.data._id, secret: String(json.data.secret) };
}

/** Creates a link, which records the event payment_link.created. */
export async function createLinkEvent({ key }: Pick<Merchant, "key">, title = "Order 1001"): Promise<Row> {
  const body = { email: "ada@example.com", currency: "EUR", amount: "1050", title };
  const { status, json, text } = await call("POST", "/payment-links", { key, body });
  if (status !== 200) throw new Error(`could not create a link: ${status} ${text}`);
  return json.data;
}

/** An endpoint's deliveries with their attempts, oldest first. */
export async function deliveriesTo(endpointId: string) {
  const deliveries = await db.webhookDelivery.findMany({ where: { endpoint_id: endpointId }, orderBy: { id: "asc" } });
  const attempts = await attemptsOf({ endpoint_id: endpointId });
  return deliveries.map((delivery) => ({
    ...delivery,
    attempts: attempts.filter(({ delivery_id }) => delivery_id === delivery.id),
  }));
}

/** The attempts of some deliveries, oldest first. */
export async function attemptsOf(where: Prisma.WebhookDeliveryWhereInput) {
  const deliveries = await db.webhookDelivery.findMany({ where, select: { id: true } });
  return db.webhookAttempt.findMany({
    where: { delivery_id: { in: deliveries.map(({ id }) => id) } },
    orderBy: { created_at: "asc" },
  });
}

/** Makes pending deliveries due now. */
export async function makeDeliveriesDue(endpointId: string): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { endpoint_id: endpointId, status: "pending", claim: null },
    data: { next_attempt_at: new Date() },
  });
}
