import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { setFault } from "@/lib/gateways/sandbox/faults";
import { postPayment } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { savedCard } from "@/tests/support/samples";
import { fault, full, type Outcome } from "./fault";
import { age, judge, makeLinks, settled, unknownIsDeclined, unpaid } from "./judge";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";
import { between, random } from "./seeded";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

interface Scale {
  charges: number;
  kills: number;
  /** Share of gateway calls that fail. */
  shares: { lost: number; error: number; late: number };
  /** Whether to wait for the product's own recovery times. If not, the test makes orphaned rows older. */
  realTime: boolean;
}

/** Counters shared by all clients. */
interface World {
  deadline: number;
  /** Requests that move money and wait for their response. */
  inFlight: number;
  /** Requests whose connection was lost. */
  cut: number;
  /** Responses that no client should get, such as a 500. */
  failed: number;
}

async function run({ charges, kills, shares, realTime }: Scale): Promise<Outcome> {
  const { businessId, key } = await createMerchant();
  const token = await savedCard(key);
  const links = await makeLinks(key, charges);
  const account = String(businessId);
  await setFault(account, "lost", shares.lost);
  await setFault(account, "error", shares.error);
  await setFault(account, "late", shares.late, 300);

  const world: World = { deadline: Date.now() + 15 * 60_000, inFlight: 0, cut: 0, failed: 0 };
  let begun = 0;
  const ends: Promise<void>[] = [];
  const clients = mapConcurrently(12, links, async (link, i) => {
    begun++;
    await new Promise<void>((answered) => {
      ends.push((i % 2 ? payer(link, world, answered) : system(key, link, token, world, answered)).finally(answered));
    });
  }).then(() => Promise.all(ends));

  // Kills are spread over the charges, each at a moment when money is moving.
  const next = random();
  let caught = 0;
  for (let kill = 0; kill < kills; kill++) {
    const due = ((kill + next()) / kills) * charges * 0.95;
    while ((begun < due || world.inFlight === 0) && Date.now() < world.deadline) await sleep(1);
    await sleep(between(next, 0, 20));
    caught += world.inFlight;
    await rig.powerCut();
  }
  const older = realTime ? undefined : setInterval(() => void age(businessId), 500);
  await clients;
  await settled(businessId, 120);
  clearInterval(older);
  const faulty = Math.round((shares.lost + shares.error + shares.late) * 100);
  return {
    done: `${charges.toLocaleString("en")} charges, ${kills} kills with ${caught} in flight, ${world.cut} requests cut, ${faulty} % of the gateway's calls faulty`,
    wrong: { ...(await judge(businessId)), "never paid": await unpaid(businessId), "answers 500": world.failed },
  };
}

/** Sends a request that moves money. Returns null when the connection was lost. */
async function ask<T extends { status: number }>(world: World, request: () => Promise<T>): Promise<T | null> {
  world.inFlight++;
  try {
    const answer = await request();
    if (answer.status === 500) world.failed++;
    return answer;
  } catch {
    world.cut++;
    return null;
  } finally {
    world.inFlight--;
  }
}

/** A payer: opens the page, pays whenever it shows the form, and reloads until it says paid. */
async function payer(link: string, world: World, answered: () => void): Promise<void> {
  for (; Date.now() < world.deadline; await sleep(500)) {
    const page = await fetch(`${baseUrl()}/pay?id=${link}`)
      .then((response) => response.text())
      .catch(() => "");
    if (page.includes("Already paid")) return;
    if (!page.includes('name="amount_cents"')) continue;
    const landing = await ask(world, () => postPayment(link, 1050, "EUR"));
    if (landing?.location.startsWith("/thank-you")) return;
    if (landing) answered();
  }
}

/**
 * A merchant's system: charges the saved card. Repeats the same request while the outcome is unknown, and uses a new
 * key after a known failure.
 */
async function system(key: string, link: string, token: string, world: World, answered: () => void): Promise<void> {
  const look = () => call("GET", `/payment-links/${link}`, { key }).catch(() => null);
  for (let operation = 1; Date.now() < world.deadline; operation++) {
    const headers = { "Idempotency-Key": `${link} ${operation}` };
    const charge = () => call("POST", `/payment-links/${link}/charge`, { key, body: { token }, headers });
    let reply = await ask(world, charge);
    while ((!reply || reply.status >= 500 || isInFlight(reply)) && Date.now() < world.deadline) {
      if (reply) answered();
      await sleep(500);
      reply = await ask(world, charge);
    }
    answered();
    // Processing is decided later. Only after a decline may another key be used.
    for (let status: unknown; status !== "Active" && Date.now() < world.deadline; await sleep(300)) {
      status = (await look())?.json.data.status;
      if (status === "Paid") return;
    }
  }
}

const isInFlight = ({ json }: { json: { code: string } }): boolean => json.code === "idempotency_key_in_flight";

fault({
  id: "R1",
  title: "killed during charges, with lost, late and failing gateway responses",
  minutes: 20,
  run: () =>
    run(
      full
        ? { charges: 1000, kills: 50, shares: { lost: 0.06, error: 0.06, late: 0.06 }, realTime: true }
        : { charges: 40, kills: 2, shares: { lost: 0.06, error: 0.06, late: 0.06 }, realTime: false },
    ),
  control: {
    without: "the rule that an unknown outcome blocks",
    mutations: [unknownIsDeclined],
    run: async (mutations) => {
      await rig.weaken("r1", mutations);
      return run({ charges: 16, kills: 0, shares: { lost: 0.5, error: 0, late: 0 }, realTime: false });
    },
  },
});
