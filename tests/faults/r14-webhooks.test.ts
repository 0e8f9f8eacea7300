import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { backoffMs } from "@/lib/outbox/webhooks/schedule";
import { exampleOf } from "@/lib/resources/events/examples";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { freePort } from "@/tests/support/launch";
import { asOwner } from "@/tests/support/postgres";
import { type Receiver, startReceiver } from "@/tests/support/receiver";
import { createEndpoint } from "@/tests/support/webhooks";
import { fault, full, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";
import { between, random } from "./seeded";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ WEBHOOKS_ALLOW_LOCALHOST: "1" });
  await asOwner(...stage);
});
afterAll(() => rig?.stop());

/** A trigger records the wait after each failed attempt, because the test changes the times later. */
const stage = [
  `CREATE TABLE wait (business_id int, tries int, seconds float8)`,
  `GRANT ALL ON wait TO paydesk_app`,
  `CREATE FUNCTION record_wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO wait VALUES (NEW.business_id, NEW.tries, extract(epoch FROM NEW.next_attempt_at - clock_timestamp()));
     RETURN NULL; END $$`,
  `CREATE TRIGGER wait AFTER UPDATE ON webhook_delivery FOR EACH ROW
     WHEN (NEW.tries = OLD.tries + 1 AND NEW.status = 'pending') EXECUTE FUNCTION record_wait()`,
];

/** A merchant with one endpoint, and its receiver's behaviour. */
interface Shop {
  merchant: Merchant;
  endpoint: { id: string; secret: string };
  receiver: Receiver;
  /** Ids of the recorded events. */
  events: Set<string>;
  /** Ids of the events that the receiver accepted with a 2xx. */
  accepted: Set<string>;
  forged: number;
}

type Behaviour = "steady" | "flaky" | "down" | "hangs" | "gone";

/** Set to false when the faults end. */
let faultsActive = true;

const next = random();

const behave: Record<Behaviour, (response: ServerResponse) => boolean> = {
  steady: (response) => accept(response),
  // Three in ten attempts fail.
  flaky: (response) => {
    if (!faultsActive || next() >= 0.3) return accept(response);
    const how = between(next, 0, 4);
    if (how === 0) response.writeHead(500).end("no");
    else if (how === 1) response.writeHead(302, { Location: "/elsewhere" }).end();
    else if (how === 2) response.destroy();
    else if (how === 3) response.writeHead(429).end();
    else {
      setTimeout(() => response.end("late"), between(next, 500, 3_000));
      return true;
    }
    return false;
  },
  down: (response) => accept(response),
  hangs: (response) => !faultsActive && accept(response),
  gone: (response) => {
    if (!faultsActive) return accept(response);
    response.writeHead(410).end();
    return false;
  },
};

function accept(response: ServerResponse): true {
  response.end("ok");
  return true;
}

async function openShop(behaviour: Behaviour): Promise<Shop & { open: () => Promise<void> }> {
  const port = await freePort();
  const merchant = await createMerchant(behaviour);
  const endpoint = await createEndpoint(merchant, `http://127.0.0.1:${port}/hook`);
  const shop = { merchant, endpoint, events: new Set<string>(), accepted: new Set<string>(), forged: 0 } as Shop;
  const open = async () => {
    shop.receiver = await startReceiver((received, response) => {
      const ok = behave[behaviour](response);
      try {
        const { _id } = shop.receiver.verify<{ _id: string }>(endpoint.secret, received);
        if (_id !== received.id || !shop.events.has(_id)) shop.forged++;
        else if (ok) shop.accepted.add(_id);
      } catch {
        shop.forged++;
      }
    }, port);
  };
  if (behaviour !== "down") await open();
  return Object.assign(shop, { open });
}

/** Records `count` events of a merchant like services do. */
async function recordEvents({ merchant, events }: Shop, count: number): Promise<void> {
  const tenant = { businessId: merchant.businessId, livemode: false };
  const ids = Array.from({ length: count }, () => newId("pkg"));
  const { data } = exampleOf("package.created");
  await transaction(db, (tx) =>
    record(
      tx,
      tenant,
      ids.map((_id) => ({ type: "package.created" as const, data: { ...data, _id } as never })),
    ),
  );
  const rows = await db.event.findMany({ where: { resource_id: { in: ids } }, select: { id: true } });
  for (const { id } of rows) events.add(id);
}

interface Scale {
  events: number;
  kills: number;
  /** Minimum duration of the faults in seconds. */
  faultSeconds: number;
  minutes: number;
  /** Whether to wait for the leases of dead workers to end. */
  realTime: boolean;
}

async function run(scale: Scale, build?: string): Promise<Outcome> {
  faultsActive = true;
  await db.$executeRaw`TRUNCATE wait`;
  const behaviours: Behaviour[] = [
    "steady",
    "steady",
    "steady",
    "flaky",
    "flaky",
    "flaky",
    "flaky",
    "down",
    "hangs",
    "gone",
  ];
  const shops = await Promise.all(behaviours.map(openShop));
  const prober = await openShop("steady");
  const all = [...shops, prober];
  const probes = probe(prober);
  const begun = new Date();
  const kills: { from: number; to: number }[] = [];
  const perShop = Math.floor(scale.events / shops.length);
  const batch = Math.max(1, Math.floor(perShop / (scale.kills + 1)));

  // Events come in waves. Each wave has a kill at a random moment.
  for (let recorded = 0; recorded < perShop; recorded += batch) {
    await Promise.all(shops.map((shop) => recordEvents(shop, Math.min(batch, perShop - recorded))));
    if (kills.length < scale.kills) {
      await sleep(between(next, 200, 2_500));
      const killedAt = new Date();
      const deadAt = await rig.powerCut(build);
      kills.push({ from: killedAt.getTime(), to: Date.now() });
      if (!scale.realTime) await endLeases(deadAt);
    }
  }
  await sleep(Math.max(0, begun.getTime() + scale.faultSeconds * 1000 - Date.now()));
  const late = await probes.stop(kills);
  faultsActive = false;
  for (const shop of shops) if (!shop.receiver) await shop.open();
  const gone = shops[behaviours.indexOf("gone")];
  if (gone) await reenable(gone, begun);

  const deadline = Date.now() + scale.minutes * 60_000;
  const lost = () => all.reduce((sum, { events, accepted }) => sum + events.size - accepted.size, 0);
  const ids = all.map(({ endpoint }) => endpoint.id);
  const unsettled = () =>
    db.webhookDelivery.count({ where: { endpoint_id: { in: ids }, status: { not: "succeeded" } } });
  // One that was accepted just before a kill is settled when its lease has ended.
  while ((lost() > 0 || (await unsettled()) > 0) && Date.now() < deadline) {
    await makeRetriesDue(shops);
    await sleep(500);
  }
  const waits = await db.$queryRaw<{ tries: number; seconds: number }[]>`SELECT tries, seconds FROM wait`;
  const sent = all.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
  for (const { receiver } of all) await receiver.stop();
  const events = all.reduce((sum, shop) => sum + shop.events.size, 0);
  return {
    done:
      `${events.toLocaleString("en")} events to ${all.length} receivers (4 flaky by 30 %, one down, one hanging, one gone), ` +
      `${sent.toLocaleString("en")} arrivals, ${waits.length.toLocaleString("en")} repeats, ${kills.length} kills, ${probes.count()} probes`,
    wrong: {
      "events lost": lost(),
      "arrivals unsigned, or of another id": all.reduce((sum, { forged }) => sum + forged, 0),
      "repeats out of the schedule": waits.filter(outOfSchedule).length,
      "deliveries not settled": await unsettled(),
      "delayed probes": late,
      "kills that did not happen": scale.kills - kills.length,
    },
  };
}

function outOfSchedule({ tries, seconds }: { tries: number; seconds: number }): boolean {
  const pause = (backoffMs[tries - 1] ?? 0) / 1000;
  return seconds < pause - 0.5 || seconds > pause * 1.1 + 0.5;
}

/** Sends one event at an interval to a healthy receiver and measures the delays. */
function probe(shop: Shop) {
  const born = new Map<string, number>();
  let stopped = false;
  const probing = (async () => {
    while (!stopped) {
      const before = new Set(shop.events);
      await recordEvents(shop, 1);
      for (const id of shop.events) if (!before.has(id)) born.set(id, Date.now());
      await sleep(400);
    }
  })();
  return {
    count: () => born.size,
    /** @returns the number of events that took more than five seconds although the server was up */
    async stop(kills: { from: number; to: number }[]): Promise<number> {
      stopped = true;
      await probing;
      const isHere = (probe: string) => shop.receiver.received.some(({ id }) => id === probe);
      for (const late = Date.now() + 5_000; Date.now() < late && ![...born.keys()].every(isHere); ) await sleep(100);
      const wall = Date.now() - performance.now();
      const arrived = new Map(shop.receiver.received.map(({ id, at }) => [id, wall + at]));
      return [...born].filter(([id, at]) => {
        // A killed worker may have claimed a probe of the seconds before.
        const killed = kills.some(({ from, to }) => at > from - 6_000 && at < to + 3_000);
        return !killed && (arrived.get(id) ?? Number.POSITIVE_INFINITY) - at > 5_000;
      }).length;
    },
  };
}

/**
 * Enables an endpoint that a 410 disabled, and redelivers the missed events. Events of the disabled time have no
 * deliveries.
 */
async function reenable({ merchant, endpoint, events }: Shop, since: Date): Promise<void> {
  const { key } = merchant;
  await call("POST", `/webhook-endpoints/${endpoint.id}/enable`, { key });
  const body = { since: new Date(since.getTime() - 60_000).toISOString() };
  await call("POST", `/webhook-endpoints/${endpoint.id}/redeliver`, { key, body });
  const kept = await db.webhookDelivery.findMany({ where: { endpoint_id: endpoint.id }, select: { event_id: true } });
  events.clear();
  for (const { event_id } of kept) if (event_id) events.add(event_id);
}

/** Makes retries due now: later ones would take hours. */
async function makeRetriesDue(shops: Shop[]): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { endpoint_id: { in: shops.map(({ endpoint }) => endpoint.id) }, status: "pending", claim: null },
    data: { next_attempt_at: new Date() },
  });
}

/** Ends the leases of a killed worker. */
async function endLeases(deadAt: Date): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { status: "pending", claim: { not: null }, updated_at: { lt: deadAt } },
    data: { next_attempt_at: new Date() },
  });
}

const deliverFile = "lib/outbox/webhooks/deliver.ts";

fault({
  id: "R14",
  title: "webhook receivers that are down, slow, redirecting or gone, and a worker that is killed",
  minutes: 15,
  run: () =>
    full
      ? run({ events: 11_000, kills: 8, faultSeconds: 60, minutes: 8, realTime: true })
      : run({ events: 400, kills: 2, faultSeconds: 12, minutes: 1.5, realTime: false }),
  control: {
    without: "the lease and the lanes",
    mutations: [
      {
        file: deliverFile,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of our sources
        find: "SET claim = ${claim}, next_attempt_at = now() + make_interval(secs => ${leaseSeconds}::int),",
        replace:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of our sources
          "SET claim = ${claim}, next_attempt_at = NULL, status = CASE WHEN ${leaseSeconds}::int > 0 THEN 'failed' END,",
      },
      { file: deliverFile, find: "const maxInFlight = 400;", replace: "const maxInFlight = 12;" },
      { file: deliverFile, find: "const reservedInFlight = 100;", replace: "const reservedInFlight = 0;" },
      { file: deliverFile, find: "const maxLaggingInFlight = 200;", replace: "const maxLaggingInFlight = 12;" },
      { file: deliverFile, find: "const maxInFlightPerEndpoint = 8;", replace: "const maxInFlightPerEndpoint = 12;" },
      { file: deliverFile, find: "const maxInFlightWhenFailing = 1;", replace: "const maxInFlightWhenFailing = 12;" },
    ],
    finds: ["events lost", "delayed probes"],
    run: async (mutations) => {
      await rig.weaken("r14", mutations);
      // Without a kill, which would end the leases.
      return run({ events: 400, kills: 0, faultSeconds: 12, minutes: 0.2, realTime: false }, "dist/mutant-r14.mjs");
    },
  },
});
