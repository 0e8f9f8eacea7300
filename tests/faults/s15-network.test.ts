import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { newSecret } from "@/lib/outbox/webhooks/sign";
import { createMerchant } from "@/tests/support/factory";
import { freePort, launch, paydesk } from "@/tests/support/launch";
import { until } from "@/tests/support/receiver";
import { attemptsOf } from "@/tests/support/webhooks";
import { fault, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";

/** A local service: it counts the connections of webhooks. */
const service = { hits: 0, port: 0 };
const server = createServer((socket) => {
  service.hits++;
  socket.destroy();
});

let rig: Rig;
beforeAll(async () => {
  server.listen(0, "::");
  await once(server, "listening");
  service.port = (server.address() as AddressInfo).port;
  rig = await startRig({ HOST: "", APP_URL: "" });
});
afterAll(async () => {
  await rig?.stop();
  server.close();
});

/** What other machines connect to, and a loopback address that only a server on every address has. */
const foreignAddresses = [
  ...Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address),
  ...(process.platform === "linux" ? ["127.0.0.2"] : []),
];

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const end = (connected: boolean) => () => {
      socket.destroy();
      resolve(connected);
    };
    socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false));
  });
}

const countConnections = async (addresses: string[], port: number): Promise<number> =>
  (await Promise.all(addresses.map((address) => connects(address, port)))).filter(Boolean).length;

const post = (url: string, body: object, key?: string) =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  });

const registration = () => ({
  ...{ name: "Ada", email: `${newId("usr")}@example.com`, password: "seventeen green umbrellas" },
  ...{ business_name: "Shop", currency: "EUR", timezone: "UTC" },
});

const wrong = () => ({
  "connections from elsewhere": 0,
  "loopback addresses without an answer": 0,
  "strangers who registered": 0,
  "local addresses accepted": 0,
  "connections to the local service": 0,
});

/** Asks a server on every address, with no other setting, for the data of this machine's services. */
async function attack(url: string, found: ReturnType<typeof wrong>): Promise<number> {
  service.hits = 0;
  const { businessId: business_id, key } = await createMerchant();
  if ((await post(`${url}/api/registrations`, registration())).status === 200) found["strangers who registered"]++;
  const targets = ["127.0.0.1", "localhost", "[::1]"].map((host) => `http://${host}:${service.port}/`);
  for (const target of targets) {
    const { status } = await post(`${url}/api/webhook-endpoints`, { url: target, events: ["*"] }, key);
    if (status === 200) found["local addresses accepted"]++;
  }
  // The same past the check at creation.
  const endpoints = targets.map((target) => {
    const id = newId("whe");
    return { id, business_id, livemode: false, url: target, events: ["*"], secret: newSecret(id).sealed };
  });
  await db.webhookEndpoint.createMany({ data: endpoints });
  await db.webhookDelivery.createMany({
    data: endpoints.map(({ id: endpoint_id }) => ({
      ...{ id: newId("whd"), business_id, livemode: false, endpoint_id, type: "package.created" },
    })),
  });
  const delivered = { endpoint_id: { in: endpoints.map(({ id }) => id) } };
  await until("each delivery", async () => (await attemptsOf(delivered)).length >= endpoints.length, 30);
  found["connections to the local service"] += service.hits;
  return 2 * targets.length;
}

async function run(build?: string): Promise<Outcome> {
  const found = wrong();
  const port = Number(new URL(rig.url).port);
  found["connections from elsewhere"] = await countConnections(foreignAddresses, port);
  found["loopback addresses without an answer"] =
    loopback.length - (await countConnections(loopback, port)) + ((await fetch(`${rig.url}/healthz`)).ok ? 0 : 1);
  let webhooks = 0;
  await rig.whileStopped(async () => {
    const { DATABASE_URL, APP_SECRET } = process.env;
    const PORT = String(await freePort());
    const settings = { DATABASE_URL, APP_SECRET, DATA_DIR: rig.dataDir, PORT, HOST: "0.0.0.0", APP_URL: "" };
    const open = await launch(settings, paydesk(build), () => undefined);
    try {
      webhooks = await attack(open.url, found);
    } finally {
      await open.stop();
    }
  });
  return { done: `${foreignAddresses.length} addresses of this machine, ${webhooks} webhooks to it`, wrong: found };
}

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
const loopback = hasIpv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"];

fault({
  id: "S15",
  title: "a default start on a shared network",
  minutes: 3,
  run,
  control: {
    without: "the loopback default and its condition",
    mutations: [
      { file: "lib/core/env.ts", find: '.default("localhost")', replace: '.default("0.0.0.0")' },
      { file: "lib/core/env.ts", find: "isLoopback(env.HOST) && ", replace: "" },
    ],
    finds: ["connections from elsewhere", "strangers who registered", "connections to the local service"],
    run: async (mutations) => {
      await rig.weaken("s15", mutations);
      return run("dist/mutant-s15.mjs");
    },
  },
});
