import { randomUUID } from "node:crypto";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { envelope } from "@/lib/http/envelope";
import { redactBody } from "@/lib/http/redact";
import { backoffMs } from "@/lib/outbox/webhooks/schedule";
import { newSecret } from "@/lib/outbox/webhooks/sign";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { Desk } from "./desk";
import type { History } from "./history";
import { type Single, undeliveredRefundHours } from "./sales";

const day = 86_400_000;
const hour = 3_600_000;

export interface Endpoints {
  good: string;
  bad: string;
}

interface Delivered {
  event: { id: string; type: string; subscription_id: string | null; created_at: Date };
  endpointId: string;
  tries: {
    afterMs: number;
    status: number | null;
    error: string | null;
    response: string | null;
    latency_ms: number;
  }[];
  /** In ms after the event; null when there is none. */
  nextTryMs: number | null;
}

/**
 * Inserts two webhook endpoints with their deliveries. One succeeded and is disabled by hand, since no server exists
 * there. The other has been failing for two days at an unused port of localhost, so that retries stay on this machine.
 */
export async function recordWebhooks(history: History, desk: Desk): Promise<Endpoints> {
  const failingSince = history.hoursAgo(undeliveredRefundHours);
  const good = await addEndpoint(history, desk, {
    url: "https://shop.example.com/hooks/paydesk",
    description: "Marks orders as paid. Off: the demo has no shop behind it.",
    events: ["payment_link.paid", "subscription.past_due", "subscription.canceled"],
    status: "disabled",
  });
  const bad = await addEndpoint(history, desk, {
    url: "http://localhost:4999/paydesk",
    description: "Bookkeeping. Fails on purpose: nothing listens here in the demo.",
    events: ["payment.refunded"],
    failing_since: failingSince,
    // Staff count as warned, so that no mail about it is sent.
    warned_at: history.hoursAgo(2),
  });
  const eventsOf = (types: string[]) =>
    db.event.findMany({
      where: {
        business_id: desk.actor.businessId,
        livemode: false,
        type: { in: types },
        created_at: { gte: new Date(history.now.getTime() - 21 * day) },
      },
      orderBy: { created_at: "asc" },
    });
  const delivered = (await eventsOf(good.events)).map((event, index) => succeeded(event, good.id, index));
  const refunds = (await eventsOf(bad.events)).map((event, index) =>
    event.created_at < failingSince ? succeeded(event, bad.id, index) : failing(event, bad.id, history.now),
  );
  await addDeliveries(desk, [...delivered, ...refunds]);
  return { good: good.id, bad: bad.id };
}

type EndpointFields = Pick<Prisma.WebhookEndpointUncheckedCreateInput, "url" | "description" | "status"> & {
  events: string[];
  failing_since?: Date;
  warned_at?: Date;
};

async function addEndpoint(history: History, desk: Desk, fields: EndpointFields) {
  const id = newId("whe");
  const created_at = history.daysAgo(20, "09:40", 4);
  const tenant = { business_id: desk.actor.businessId, livemode: false };
  return db.webhookEndpoint.create({
    data: { id, ...tenant, secret: newSecret(id).sealed, created_at, updated_at: created_at, ...fields },
  });
}

function succeeded(event: Delivered["event"], endpointId: string, index: number): Delivered {
  const latency_ms = 38 + ((index * 29) % 140);
  const tries = [{ afterMs: 900, status: 200, error: null, response: "ok", latency_ms }];
  return { event, endpointId, tries, nextTryMs: null };
}

/** Attempts by the retry schedule until now: first 503 during maintenance, then refused connections. */
function failing(event: Delivered["event"], endpointId: string, now: Date): Delivered {
  const age = now.getTime() - event.created_at.getTime();
  const times = [900];
  for (const pause of backoffMs) times.push((times.at(-1) ?? 0) + pause);
  const tries = times
    .filter((afterMs) => afterMs < age)
    .map((afterMs) =>
      afterMs < 8 * hour
        ? { afterMs, status: 503, error: null, response: "Down for maintenance until noon.", latency_ms: 61 }
        : { afterMs, status: null, error: "The connection was refused.", response: null, latency_ms: 3 },
    );
  return { event, endpointId, tries, nextTryMs: times[tries.length] ?? null };
}

async function addDeliveries(desk: Desk, all: Delivered[]): Promise<void> {
  const deliveries: Prisma.WebhookDeliveryCreateManyInput[] = [];
  const attempts: Prisma.WebhookAttemptCreateManyInput[] = [];
  const ids = await queryRows<{ id: string }>(
    db,
    Prisma.sql`
    SELECT webhook_delivery_id(endpoint, event) AS id
      FROM unnest(${all.map(({ endpointId }) => endpointId)}::text[], ${all.map(({ event }) => event.id)}::text[])
           WITH ORDINALITY AS given(endpoint, event, n) ORDER BY n`,
  );
  for (const [index, { event, endpointId, tries, nextTryMs }] of all.entries()) {
    const after = (ms: number): Date => new Date(event.created_at.getTime() + ms);
    const id = ids[index]?.id ?? "";
    const last = after(tries.at(-1)?.afterMs ?? 0);
    const ok = tries.at(-1)?.status === 200;
    deliveries.push({
      id,
      business_id: desk.actor.businessId,
      livemode: false,
      endpoint_id: endpointId,
      event_id: event.id,
      subscription_id: event.subscription_id,
      type: event.type,
      status: ok ? "succeeded" : nextTryMs === null ? "failed" : "pending",
      attempt_count: tries.length,
      tries: ok ? 0 : tries.length,
      next_attempt_at: nextTryMs === null ? null : after(nextTryMs),
      succeeded_at: ok ? last : null,
      created_at: event.created_at,
      updated_at: last,
    });
    for (const { afterMs, ...outcome } of tries)
      attempts.push({ id: newId("wha"), delivery_id: id, created_at: after(afterMs), ...outcome });
  }
  await db.webhookDelivery.createMany({ data: deliveries });
  await db.webhookAttempt.createMany({ data: attempts });
}

interface Request {
  at: Date;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  requestId?: string | null;
  sent?: unknown;
  answer: string;
}

const endpointOf = (method: string) => (method === "POST" ? paymentLinkEndpoints.create : paymentLinkEndpoints.get);

/** Inserts recent API requests of the shop: creations of links, a read, and two errors. */
export async function recordRequests(history: History, desk: Desk, links: Record<Single, string>): Promise<void> {
  const requests: Request[] = [];
  for (const [index, name] of (["refunded", "paid", "declined", "active", "bank"] as const).entries()) {
    const event = await db.event.findFirstOrThrow({
      where: { resource_id: links[name], type: "payment_link.created" },
    });
    const { currency, email, amount_cents, title, description, reference, reference_2 } = await paymentLinks.get(
      db,
      desk.actor,
      links[name],
    );
    const sent = { email, currency, amount: String(amount_cents), title, description, reference, reference_2 };
    requests.push({
      at: event.created_at,
      method: "POST",
      path: "/payment-links",
      status: 200,
      duration_ms: 3.4 + index * 0.37,
      requestId: event.request_id,
      sent,
      answer: envelope(event.data),
    });
  }
  const link = await paymentLinks.get(db, desk.actor, links.paid);
  requests.push(
    {
      at: history.minutesAgo(171),
      method: "GET",
      path: `/payment-links/${links.paid}`,
      status: 200,
      duration_ms: 1.28,
      answer: envelope(link),
    },
    {
      at: history.minutesAgo(52),
      method: "POST",
      path: "/payment-links",
      status: 422,
      duration_ms: 0.94,
      sent: { email: "marta.keller@", currency: "EUR", amount: "450", title: "" },
      answer: JSON.stringify({
        message: "The given data was invalid.",
        errors: {
          email: ["The email must be a valid email address."],
          amount: ["The amount must be at least 500."],
          title: ["The title field is required."],
        },
      }),
    },
    {
      at: history.minutesAgo(47),
      method: "GET",
      path: "/payment-links/order-2041",
      status: 404,
      duration_ms: 0.71,
      answer: JSON.stringify({ message: "Payment link not found.", code: "not_found" }),
    },
  );
  await db.apiRequest.createMany({
    data: requests.map(({ at, requestId, sent, answer, ...request }) => ({
      id: newId("req"),
      business_id: desk.actor.businessId,
      livemode: false,
      ...request,
      request_id: requestId ?? randomUUID(),
      actor_type: desk.actor.who.type,
      actor_id: desk.actor.who.id,
      address: "203.0.113.24",
      request_body: sent === undefined ? null : redactBody(JSON.stringify(sent), endpointOf(request.method), "request"),
      response_body: redactBody(answer, endpointOf(request.method), "answer"),
      created_at: at,
    })),
  });
}
