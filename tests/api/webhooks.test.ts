import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "@/lib/core/db";
import { firstIdAt, newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { backoffMs } from "@/lib/outbox/webhooks/schedule";
import { type EventType, eventTypeNames, eventTypes } from "@/lib/resources/events/types";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { asOwner } from "@/tests/support/postgres";
import { type Receiver, startReceiver, until } from "@/tests/support/receiver";
import { createStaff } from "@/tests/support/sign-in";
import { createEndpoint, createLinkEvent, deliveriesTo, makeDeliveriesDue } from "@/tests/support/webhooks";

let merchant: Merchant;
let receiver: Receiver;
beforeEach(async () => {
  [merchant, receiver] = await Promise.all([createMerchant(), startReceiver()]);
});
afterEach(async () => {
  // Pending deliveries would continue during the next test.
  const business_id = merchant.businessId;
  await db.webhookEndpoint.updateMany({ where: { business_id }, data: { status: "disabled" } });
  await receiver.stop();
});

const get = (path: string) => call("GET", path, { key: merchant.key });
const post = (path: string, body?: object) => call("POST", path, { key: merchant.key, body });
const first = () => until("a delivery", () => receiver.received[0]);
const settled = (id: string, status: string) =>
  until(`a delivery that ${status}`, async () => (await deliveriesTo(id)).find((one) => one.status === status));
/** Several polls of the worker (MAX_POLL_MS). */
const aLook = () => sleep(1_000);

describe("a delivery", () => {
  it("is the event as the API returns it, signed by the Standard Webhooks specification", async () => {
    const { id, secret } = await createEndpoint(merchant, receiver.url);
    const link = await createLinkEvent(merchant);
    const got = await first();
    const { timestamp, ...event } = receiver.verify(secret, got);
    expect(event).toEqual((await get(`/events/${got.id}`)).json.data);
    expect(event).toMatchObject({ _id: got.id, type: "payment_link.created", data: link });
    expect(timestamp).toBe(event.created_at);
    expect(got.headers).toMatchObject({ "content-type": "application/json", "user-agent": "Paydesk-Webhooks/1" });
    expect(() => receiver.verify(secret, { ...got, body: `${got.body} ` })).toThrow();

    const { attempts, ...delivery } = await settled(id, "succeeded");
    const shown = (await get(`/webhook-deliveries/${delivery.id}`)).json.data;
    expect(shown).toMatchObject({ status: "succeeded", sample: false, attempt_count: 1, event_id: got.id });
    expect(shown.attempts).toMatchObject([{ status: 200, error: null, response: "ok" }]);
    expect(attempts).toHaveLength(1);
  });

  it("reaches the subscribed endpoints by type, mode and business, and none for a rollback", async () => {
    const stranger = await createMerchant("Another shop");
    await createEndpoint(merchant, receiver.url, ["package.deleted", "payment_link.created"]);
    const deaf = await createEndpoint(merchant, `${receiver.url}/deaf`, ["package.deleted"]);
    const theirs = await createEndpoint(stranger, `${receiver.url}/theirs`);
    const link = await createLinkEvent(merchant);
    await createLinkEvent({ key: merchant.liveKey });
    await transaction(db, async (tx) => {
      const data = { ...link, title: "Never" } as never;
      await record(tx, { businessId: merchant.businessId, livemode: false }, [{ type: "payment_link.updated", data }]);
      throw new Error("rolled back");
    }).catch(() => undefined);
    await first();
    await aLook();
    expect(receiver.received).toHaveLength(1);
    expect([await deliveriesTo(deaf.id), await deliveriesTo(theirs.id)]).toEqual([[], []]);
  });

  it("is also signed by the old secret during the overlap", async () => {
    const { id, secret } = await createEndpoint(merchant, receiver.url);
    const rotate = async (hours?: number) =>
      (await post(`/webhook-endpoints/${id}/rotate-secret`, { overlap_hours: hours })).json.data;
    const rotated = await rotate();
    const second = String(rotated.secret);
    expect(second).not.toBe(secret);
    const hours = (Date.parse(String(rotated.previous_secret_expires_at)) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    await createLinkEvent(merchant);
    const both = await first();
    expect(both.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(receiver.verify(secret, both)).toEqual(receiver.verify(second, both));

    await db.webhookEndpoint.update({ where: { id }, data: { previous_expires_at: new Date() } });
    await createLinkEvent(merchant);
    const later = await until("the next", () => receiver.received[1]);
    expect(() => receiver.verify(secret, later)).toThrow();
    receiver.verify(second, later);

    const third = String((await rotate(0)).secret);
    await createLinkEvent(merchant);
    const last = await until("the last", () => receiver.received[2]);
    expect(() => receiver.verify(second, last)).toThrow();
    receiver.verify(third, last);
  });
});

describe("a delivery that fails", () => {
  it("is retried by the schedule with the same id, then fails", async () => {
    receiver.answer = (_, response) => response.writeHead(500).end("no");
    const { id, secret } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    for (const [index, pause] of backoffMs.entries()) {
      const waiting = await until(`try ${index + 1}`, async () => {
        const [one] = await deliveriesTo(id);
        return one?.attempts.length === index + 1 && one.claim === null && one;
      });
      const since = waiting.attempts[index]?.created_at.getTime() ?? 0;
      const waits = (waiting.next_attempt_at?.getTime() ?? 0) - since;
      expect(waits, `after try ${index + 1}`).toBeGreaterThanOrEqual(pause);
      expect(waits, `after try ${index + 1}`).toBeLessThan(pause * 1.1 + 2_000);
      await makeDeliveriesDue(id);
    }
    const given = await settled(id, "failed");
    expect([given.attempts.length, given.next_attempt_at]).toEqual([10, null]);
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
    for (const one of receiver.received) receiver.verify(secret, one);
  });

  it("counts a redirect as a failure and does not follow it", async () => {
    receiver.answer = ({ path }, response) =>
      path === "/hook" ? response.writeHead(302, { Location: "/elsewhere" }).end() : response.end();
    const { id } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    const delivery = await until("an attempt", async () => (await deliveriesTo(id)).find((one) => one.attempts[0]));
    expect(delivery).toMatchObject({ status: "pending", attempts: [{ status: 302 }] });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
  });

  it("times out after 15 seconds without delaying others", async () => {
    receiver.answer = ({ path }, response) => {
      if (path === "/hook/never") return;
      if (path === "/hook/drips") response.writeHead(200).write("x");
      else response.end("ok");
    };
    const never = await createEndpoint(merchant, `${receiver.url}/never`);
    const drips = await createEndpoint(merchant, `${receiver.url}/drips`);
    const good = await createEndpoint(merchant, receiver.url);
    await Promise.all(Array.from({ length: 20 }, (_, i) => createLinkEvent(merchant, `Order ${i}`)));
    await until(
      "the good ones",
      async () => (await deliveriesTo(good.id)).filter(({ status }) => status === "succeeded").length === 20,
      8,
    );
    for (const { id } of [never, drips]) {
      const attempt = await until("a timeout", async () => (await deliveriesTo(id)).flatMap((d) => d.attempts)[0], 25);
      expect(attempt.error).toBe("There was no complete answer within 15 seconds.");
      expect(attempt.latency_ms).toBeGreaterThan(14_000);
      expect(attempt.latency_ms).toBeLessThan(17_000);
    }
  });

  it("disables an endpoint that returns 410, with its pending deliveries", async () => {
    const { id } = await createEndpoint(merchant, receiver.url);
    receiver.answer = (_, response) => response.writeHead(500).end();
    await createLinkEvent(merchant);
    await until("a failed attempt", async () => (await deliveriesTo(id))[0]?.attempts[0]);
    receiver.answer = (_, response) => response.writeHead(410).end();
    await createLinkEvent(merchant);
    await until("410", async () => (await get(`/webhook-endpoints/${id}`)).json.data.status === "disabled");
    expect((await get(`/webhook-endpoints/${id}`)).json.data.disabled_reason).toBe("gone");
    expect((await deliveriesTo(id)).map(({ status }) => status)).toEqual(["failed", "failed"]);
    await createLinkEvent(merchant);
    expect(await deliveriesTo(id)).toHaveLength(2);
  });

  it("goes to the new address if the endpoint moves before the old one answers 410", async () => {
    const held: ServerResponse[] = [];
    receiver.answer = ({ path }, response) => (path === "/hook/new" ? response.end() : held.push(response));
    const { id } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    const response = await until("an attempt under way", () => held[0]);
    const body = { url: `${receiver.url}/new` };
    expect((await call("PUT", `/webhook-endpoints/${id}`, { key: merchant.key, body })).status).toBe(200);
    response.writeHead(410).end();
    await until("410", async () => (await deliveriesTo(id))[0]?.attempts[0]);
    expect((await deliveriesTo(id))[0]).toMatchObject({ status: "pending", attempts: [{ status: 410 }] });
    await makeDeliveriesDue(id);
    expect((await settled(id, "succeeded")).attempts).toMatchObject([{ status: 410 }, { status: 200 }]);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook", "/hook/new"]);
    expect((await get(`/webhook-endpoints/${id}`)).json.data).toMatchObject({ status: "enabled", failing_since: null });
  });

  it("reads and stores at most 4 kB of the response", async () => {
    let written = 0;
    receiver.answer = (_, response) => {
      const more = () => {
        while (!response.destroyed && written < 500_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536, "a\0é"))) return void response.once("drain", more);
        }
      };
      more();
    };
    const { id } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    const { attempts } = await settled(id, "succeeded");
    expect(Buffer.byteLength(attempts[0]?.response?.replaceAll("\ufffd", "?") ?? "")).toBeLessThanOrEqual(4_096);
    expect(attempts[0]?.response?.length).toBeGreaterThan(2_000);
    expect(written).toBeLessThan(50_000_000);
  });

  it("warns staff after days of failures, then disables the endpoint", async () => {
    receiver.answer = (_, response) => response.writeHead(503).end();
    const { id } = await createEndpoint(merchant, receiver.url);
    await createStaff(merchant, "developer");
    await createLinkEvent(merchant);
    const failing = () => db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
    await until("failing", async () => (await failing()).failing_since);
    const age = async (days: number, warnedHours?: number) => {
      const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
      const warned_at = warnedHours === undefined ? null : ago(warnedHours);
      await db.webhookEndpoint.update({ where: { id }, data: { failing_since: ago(days * 24), warned_at } });
      const before = receiver.received.length;
      await until("no attempt under way", async () => (await deliveriesTo(id))[0]?.claim === null);
      await makeDeliveriesDue(id);
      await until("another attempt", () => receiver.received.length > before);
      await until("its end", async () => (await deliveriesTo(id))[0]?.claim === null);
      return failing();
    };
    expect(await age(1.9)).toMatchObject({ warned_at: null, status: "enabled" });
    expect(await age(2.1)).toMatchObject({ warned_at: expect.any(Date), status: "enabled" });
    const warning = await until("the mail", async () => {
      const [mail] = (await get("/emails?template=webhook_failing")).json.data;
      return mail && (await get(`/emails/${mail._id}`)).json.data.text;
    });
    // The link names mode and business, because the reader's dashboard may show others.
    const link = `/developers/webhooks/${id}?mode=test&business=${merchant.businessId}`;
    expect(warning).toContain(`${baseUrl()}${link}`);
    // Without a warning an endpoint is never disabled, however long nothing was attempted.
    expect(await age(9)).toMatchObject({ warned_at: expect.any(Date), status: "enabled" });
    expect(await age(9, 23)).toMatchObject({ status: "enabled" });
    expect(await age(5.1, 25)).toMatchObject({ status: "disabled", disabled_reason: "failing" });
    expect((await deliveriesTo(id))[0]).toMatchObject({ status: "failed", next_attempt_at: null });

    receiver.answer = (_, response) => response.end();
    await post(`/webhook-endpoints/${id}/enable`);
    expect(await failing()).toMatchObject({ status: "enabled", failing_since: null, warned_at: null });
  });

  it("is taken over with the same id after its worker dies and the lease ends", async () => {
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    await until("a failed attempt", async () => (await deliveriesTo(id))[0]?.attempts[0]);
    receiver.answer = (_, response) => response.end();
    await db.webhookDelivery.updateMany({
      where: { endpoint_id: id },
      data: { claim: "a dead worker's", next_attempt_at: new Date() },
    });
    const { attempts } = await settled(id, "succeeded");
    expect(attempts.map(({ status, error }) => status ?? error)).toEqual([
      500,
      "Paydesk was stopped during the attempt. It is unknown whether the request arrived.",
      200,
    ]);
    expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1);
  });
});

describe("redelivery", () => {
  it("repeats one delivery with the same id, even a successful one", async () => {
    const { id } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    const delivery = await settled(id, "succeeded");
    const again = await post(`/webhook-deliveries/${delivery.id}/redeliver`);
    expect([again.status, again.json.data.status]).toEqual([200, "pending"]);
    await until("the second", () => receiver.received.length === 2);
    expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    expect((await settled(id, "succeeded")).attempts).toHaveLength(2);
  });

  it("repeats everything that has failed since a time", async () => {
    const { id } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant, "Delivered");
    await settled(id, "succeeded");
    await post(`/webhook-endpoints/${id}/disable`);
    await post(`/webhook-endpoints/${id}/enable`);
    const data = { status: "failed", next_attempt_at: null };
    receiver.answer = (_, response) => response.writeHead(500).end();
    for (const title of ["Old", "New", "Newer"]) await createLinkEvent(merchant, title);
    await until("three failures", async () => (await deliveriesTo(id)).filter((d) => d.tries === 1).length === 3);
    await db.webhookDelivery.updateMany({ where: { endpoint_id: id, status: "pending" }, data });
    const [, old, ...newer] = await deliveriesTo(id);
    await db.webhookDelivery.update({ where: { id: old?.id }, data: { created_at: new Date("2026-01-01") } });
    receiver.answer = (_, response) => response.end();
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const reply = await post(`/webhook-endpoints/${id}/redeliver`, { since });
    expect([reply.status, reply.json.data.redelivered]).toEqual([200, 2]);
    expect((reply.json.data.delivery_ids as string[]).sort()).toEqual(newer.map((delivery) => delivery.id).sort());
    await until("both", async () => (await deliveriesTo(id)).filter((d) => d.status === "succeeded").length === 3);
    expect((await deliveriesTo(id)).map(({ status }) => status).sort()).toEqual([
      "failed",
      ...Array(3).fill("succeeded"),
    ]);
  });

  it("repeats without a time what has failed since the endpoint began to fail", async () => {
    const { id } = await createEndpoint(merchant, receiver.url);
    receiver.answer = (_, response) => response.writeHead(500).end();
    const failures = [];
    for (const title of ["Before", "Meanwhile"]) {
      // As after a success: the next failure sets it.
      await db.webhookEndpoint.update({ where: { id }, data: { failing_since: null } });
      await createLinkEvent(merchant, title);
      const failure = await until("a failure", async () =>
        (await deliveriesTo(id)).find(({ status, tries }) => status === "pending" && tries === 1),
      );
      failures.push(failure);
      await db.webhookDelivery.update({ where: { id: failure.id }, data: { status: "failed", next_attempt_at: null } });
      if (title === "Before")
        await asOwner(
          `UPDATE webhook_attempt SET id = '${firstIdAt("wha", new Date(Date.now() - 120_000))}${randomUUID()}'
            WHERE delivery_id = '${failure.id}'`,
        );
    }
    const [before, meanwhile] = failures;
    receiver.answer = (_, response) => response.end();
    const redeliver = async () => (await post(`/webhook-endpoints/${id}/redeliver`, {})).json.data;
    expect((await redeliver()).redelivered).toBe(1);
    expect(await settled(id, "succeeded")).toMatchObject({ id: meanwhile?.id });
    expect(await settled(id, "failed")).toMatchObject({ id: before?.id });
    expect(await redeliver()).toMatchObject({ failing_since: null, redelivered: 0 });
  });

  it("repeats at once what has failed so far and waits, whenever it was created, but nothing that is under way", async () => {
    const { id } = await createEndpoint(merchant, receiver.url);
    receiver.answer = (_, response) => response.writeHead(500).end();
    await createLinkEvent(merchant);
    const waiting = await until("a failure", async () =>
      (await deliveriesTo(id)).find((d) => d.tries === 1 && !d.claim),
    );
    const later = { next_attempt_at: new Date(Date.now() + 3_600_000), created_at: new Date("2026-01-01") };
    await db.webhookDelivery.update({ where: { id: waiting.id }, data: later });
    const redeliver = async () => {
      const { status, json } = await post(`/webhook-endpoints/${id}/redeliver`, { since: new Date().toISOString() });
      return [status, json.data.redelivered];
    };
    await db.webhookDelivery.update({ where: { id: waiting.id }, data: { claim: randomUUID() } });
    expect(await redeliver()).toEqual([200, 0]);
    await db.webhookDelivery.update({ where: { id: waiting.id }, data: { claim: null } });
    receiver.answer = (_, response) => response.end();
    const both = await Promise.all([redeliver(), redeliver()]);
    expect(both.sort()).toEqual([
      [200, 0],
      [200, 1],
    ]);
    const { attempts } = await settled(id, "succeeded");
    expect(attempts.map(({ status }) => status)).toEqual([500, 200]);
    await aLook();
    expect(receiver.received).toHaveLength(2);
  });
});

interface Sent {
  type: EventType;
  data: { _id: string };
}

describe("a sample", () => {
  it("of every type matches its schema, is signed and marked, is not an event, and is not retried", async () => {
    const { id, secret } = await createEndpoint(merchant, receiver.url, ["package.deleted"]);
    for (const type of eventTypeNames)
      expect((await post(`/webhook-endpoints/${id}/sample`, { type })).json.data).toMatchObject({ type, sample: true });
    await until("all", () => receiver.received.length === eventTypeNames.length);
    const messages = receiver.received.map((one) => ({ at: one.id, message: receiver.verify<Sent>(secret, one) }));
    expect(messages.map(({ message }) => message.type).sort()).toEqual([...eventTypeNames].sort());
    for (const { at, message } of messages) {
      expect(message).toMatchObject({ sample: true, _id: at, resource_id: message.data._id, livemode: false });
      expect(eventTypes[message.type].data.parse(message.data)).toEqual(message.data);
    }
    expect(await db.event.count({ where: { business_id: merchant.businessId } })).toBe(0);

    receiver.answer = (_, response) => response.writeHead(410).end();
    await post(`/webhook-endpoints/${id}/sample`, { type: "package.created" });
    expect((await settled(id, "failed")).attempts).toMatchObject([{ status: 410 }]);
    expect((await get(`/webhook-endpoints/${id}`)).json.data).toMatchObject({ status: "enabled", failing_since: null });
  });
});

describe("a disabled endpoint", () => {
  it("gets nothing: pending deliveries fail, new events are not queued, redelivery is refused", async () => {
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    const waiting = await until("a failure", async () =>
      (await deliveriesTo(id)).find((d) => d.attempts[0] && !d.claim),
    );
    const disabled = await post(`/webhook-endpoints/${id}/disable`);
    expect(disabled.json.data).toMatchObject({ status: "disabled", disabled_reason: "by_hand" });
    await createLinkEvent(merchant);
    for (const [path, body] of [
      [`/webhook-endpoints/${id}/sample`, { type: "package.created" }],
      [`/webhook-endpoints/${id}/redeliver`, { since: "2026-01-01T00:00:00Z" }],
      [`/webhook-deliveries/${waiting.id}/redeliver`, undefined],
    ] as const) {
      const reply = await post(path, body);
      expect([path, reply.status, reply.json.code]).toEqual([path, 409, "webhook_endpoint_disabled"]);
    }
    await aLook();
    expect((await deliveriesTo(id)).map(({ status }) => status)).toEqual(["failed"]);
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (_, response) => response.end();
    expect((await post(`/webhook-endpoints/${id}/enable`)).json.data).toMatchObject({ status: "enabled" });
    await createLinkEvent(merchant);
    await until("what happens now", () => receiver.received.length === 2);
  });

  it("fails all that are pending, however many", async () => {
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await createEndpoint(merchant, receiver.url);
    const row = { business_id: merchant.businessId, livemode: false, endpoint_id: id, type: "package.created" };
    const later = { tries: 3, next_attempt_at: new Date(Date.now() + 3_600_000) };
    const data = Array.from({ length: 1_500 }, () => ({ ...row, ...later, id: newId("whd") }));
    await db.webhookDelivery.createMany({ data });
    const pending = () => db.webhookDelivery.count({ where: { endpoint_id: id, status: "pending" } });
    expect(await pending()).toBe(1_500);
    await post(`/webhook-endpoints/${id}/disable`);
    await expect.poll(pending).toBe(0);
  });

  it("has one delivery of an event, whose id the database computes from both", async () => {
    const { id } = await createEndpoint(merchant, receiver.url);
    await createLinkEvent(merchant);
    const [delivery] = await deliveriesTo(id);
    const computed = await db.$queryRaw`SELECT webhook_delivery_id(${id}, ${delivery?.event_id}) AS id`;
    expect([{ id: delivery?.id }]).toEqual(computed);
    const { attempts: _, ...row } = delivery ?? { attempts: [] };
    await expect(db.webhookDelivery.createMany({ data: row as NonNullable<typeof delivery> })).rejects.toThrow();
  });

  it("ends a delivery that was created while it was being disabled", async () => {
    const { id } = await createEndpoint(merchant, receiver.url);
    await post(`/webhook-endpoints/${id}/disable`);
    await createLinkEvent(merchant);
    const event = await db.event.findFirstOrThrow({ where: { business_id: merchant.businessId } });
    const { business_id, livemode, type } = event;
    const row = { business_id, livemode, type, event_id: event.id, endpoint_id: id };
    await db.webhookDelivery.create({ data: { ...row, id: event.id.replace("evt", "whd") } });
    await settled(id, "failed");
    expect(receiver.received).toHaveLength(0);
  });
});
