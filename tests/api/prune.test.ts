import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { prune } from "@/server/prune";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { idMadeAt } from "@/tests/support/id-made-at";
import { freePort } from "@/tests/support/launch";
import { mailProps } from "@/tests/support/mails";
import { asOwner } from "@/tests/support/postgres";
import { createEndpoint, createLinkEvent } from "@/tests/support/webhooks";

let merchant: Merchant;
let endpoint: string;
beforeAll(async () => {
  merchant = await createMerchant();
  // Nothing listens at this URL, so its deliveries stay pending.
  endpoint = (await createEndpoint(merchant, `http://127.0.0.1:${await freePort()}/hook`)).id;
});

const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);

/** A mail created `age` days ago. */
async function mail(age: number, over: { livemode?: boolean; status?: "outbox" | "sent" | "queued" } = {}) {
  const { livemode = false, status = "outbox" } = over;
  const id = idMadeAt("eml", days(age));
  await db.email.create({
    data: {
      id,
      business_id: merchant.businessId,
      livemode,
      template: "payment_link",
      to: "ada@example.com",
      props: { ...mailProps.payment_link },
      status,
      next_attempt_at: status === "queued" ? new Date(Date.now() + 3_600_000) : null,
      created_at: new Date(),
    },
  });
  return id;
}

/** A delivery of a new event that ended `age` days ago, with one attempt. */
async function delivery(age: number, livemode: boolean, status: "succeeded" | "pending") {
  await createLinkEvent(merchant);
  let where: { id: string } = await db.webhookDelivery.findFirstOrThrow({
    where: { endpoint_id: endpoint },
    orderBy: { created_at: "desc" },
    select: { id: true },
  });
  if (livemode) {
    // The same in live mode: an endpoint and a delivery without an event.
    const live = await db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint } });
    const at = { ...live, id: newId("whe"), livemode: true, status: "disabled" };
    await db.webhookEndpoint.create({ data: at });
    where = { id: newId("whd") };
    const row = {
      ...where,
      business_id: merchant.businessId,
      livemode,
      endpoint_id: at.id,
      type: "payment_link.created",
    };
    await db.webhookDelivery.create({ data: { ...row, status: "succeeded", next_attempt_at: null } });
  }
  const id = idMadeAt("whd", days(age));
  await asOwner(`
    UPDATE webhook_delivery SET id = '${id}', status = '${status}', claim = NULL,
           next_attempt_at = CASE '${status}' WHEN 'pending' THEN now() + interval '1 hour' END WHERE id = '${where.id}'`);
  const attempt = idMadeAt("wha", days(age));
  await db.webhookAttempt.create({
    data: { id: attempt, delivery_id: id, status: 200, latency_ms: 5 },
  });
  return { id, attempt };
}

it("deletes only old, finished mails of test mode", async () => {
  const [old, recent, live, waiting] = await Promise.all([
    mail(91),
    mail(89),
    mail(400, { livemode: true, status: "sent" }),
    mail(91, { status: "queued" }),
  ]);
  const many = await Promise.all(Array.from({ length: 30 }, () => mail(100)));
  await prune();
  const left = await db.email.findMany({ where: { id: { in: [old, recent, live, waiting, ...many] } } });
  expect(left.map(({ id }) => id).sort()).toEqual([recent, live, waiting].sort());
  await asOwner(`DELETE FROM email WHERE id = '${waiting}'`);
});

it("deletes test deliveries after 90 days with their attempts; keeps events and live data", async () => {
  const recent = await delivery(29, false, "succeeded");
  const month = await delivery(31, false, "succeeded");
  const old = await delivery(91, false, "succeeded");
  const waiting = await delivery(91, false, "pending");
  const live = await delivery(400, true, "succeeded");
  const events = () => db.event.count({ where: { business_id: merchant.businessId } });
  const before = await events();
  await prune();
  const all = [recent, month, old, waiting, live];
  const deliveries = await db.webhookDelivery.findMany({ where: { id: { in: all.map(({ id }) => id) } } });
  expect(deliveries.map(({ id }) => id).sort()).toEqual([recent.id, month.id, waiting.id, live.id].sort());
  const attempts = await db.webhookAttempt.findMany({ where: { id: { in: all.map(({ attempt }) => attempt) } } });
  expect(attempts.map(({ id }) => id).sort()).toEqual(
    [recent.attempt, month.attempt, waiting.attempt, live.attempt].sort(),
  );
  expect([before > 0, await events()]).toEqual([true, before]);
});
