import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { postPayment } from "@/tests/support/checkout";
import { createMerchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { savedCard } from "@/tests/support/samples";
import { fault, full, type Outcome } from "./fault";
import { judge, makeLinks, settled, unknownIsDeclined, unpaid } from "./judge";
import { mapConcurrently } from "./map-concurrently";
import { type Rig, startRig } from "./rig";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.stop());

/** A client that paid a link whose outcome is unknown. */
interface Client {
  pay: () => Promise<boolean>;
  /** Tries once more. @returns whether the response refused it with the reason */
  again: () => Promise<boolean>;
}

const limitSeconds = 60;

/** The sandbox charges the payments and all replies are lost. Then it is away for `awaySeconds`, then available. */
async function run(payments: number, awaySeconds: number): Promise<Outcome> {
  const { businessId, key } = await createMerchant();
  const account = String(businessId);
  const token = await savedCard(key);
  const links = await makeLinks(key, payments);
  const clients = links.map((link, i) => (i % 2 ? payer(link) : system(key, link, token)));
  let tries = 0;
  let misled = 0;
  const all = (work: (client: Client) => Promise<boolean>) =>
    mapConcurrently(12, clients, async (client) => {
      if (!(await work(client))) misled++;
    });
  const again = () => {
    tries += clients.length;
    return all((client) => client.again());
  };

  await setFault(account, "lost", 1);
  await all((client) => client.pay());
  await again();
  await setFault(account, "away", 1);
  const back = Date.now() + awaySeconds * 1000;
  for (; Date.now() < back; await sleep(500)) await again();
  const attempts = await db.payment.count({ where: { business_id: businessId } });
  await clearFaults(account);
  // No page visits or API requests from here on: the sweep has to settle the payments.
  const seconds = await settled(businessId, 2 * limitSeconds);
  return {
    done:
      `${payments.toLocaleString("en")} charged with the reply lost, ${tries.toLocaleString("en")} more tries to pay, ` +
      `the gateway away for ${awaySeconds} s, settled ${seconds.toFixed(1)} s after its return`,
    wrong: {
      ...(await judge(businessId)),
      "second attempts": attempts - payments,
      "clients without a 409": misled,
      "never paid": await unpaid(businessId),
      "settled too late": seconds > limitSeconds ? 1 : 0,
    },
  };
}

function payer(link: string): Client {
  return {
    pay: async () => (await postPayment(link, 1050, "EUR")).location === `/pay?id=${link}&wait=1`,
    again: async () => {
      const page = await (await fetch(`${baseUrl()}/pay?id=${link}`)).text();
      const { status, text } = await postPayment(link, 1050, "EUR");
      return page.includes("We are checking your payment") && status === 409 && text.includes("don’t pay again");
    },
  };
}

function system(key: string, link: string, token: string): Client {
  const charge = (name: string) =>
    call("POST", `/payment-links/${link}/charge`, { key, body: { token }, headers: { "Idempotency-Key": name } });
  const isWaiting = async () => {
    const { status, json } = await charge(`${link} first`);
    return status === 200 && json.data.status === "Processing";
  };
  let keys = 0;
  return {
    pay: isWaiting,
    again: async () => {
      keys++;
      const { status, json } = await charge(`${link} again ${keys}`);
      return status === 409 && json.code === "link_processing" && (await isWaiting());
    },
  };
}

fault({
  id: "R5",
  title: "outcome unknown",
  minutes: 8,
  // Long enough that the sweep uses its long interval.
  run: () => (full ? run(1000, 75) : run(20, 1)),
  control: {
    without: "the rule that an unknown outcome blocks",
    mutations: [unknownIsDeclined],
    run: async (mutations) => {
      await rig.weaken("r5", mutations);
      return run(10, 1);
    },
  },
});
