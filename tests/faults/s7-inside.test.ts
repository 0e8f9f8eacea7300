import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { newSecret } from "@/lib/outbox/webhooks/sign";
import { createMerchant } from "@/tests/support/factory";
import { until } from "@/tests/support/receiver";
import { attemptsOf } from "@/tests/support/webhooks";
import { fault, type Outcome } from "./fault";
import { type Rig, startRig } from "./rig";
import { startDns } from "./s7-dns";

/** Counts connections on every address of this machine. */
const canary = { hits: 0, port: 0 };
const canaryServer = createTcpServer((socket) => {
  canary.hits++;
  socket.destroy();
});

/** Redirects every request to the canary. */
const redirector = createServer((request, response) => {
  const status = Number(request.url?.slice(1));
  response.writeHead(status, { Location: `http://127.0.0.1:${canary.port}/` }).end();
});

/** DNS rebinding: first an unused public address, then this machine. */
let lookups = 0;
const unusedAddress = "2e00::1";

function addressesOf(name: string, type: "A" | "AAAA" | null): string[] {
  const [kind, ...rest] = (name.split(".")[0] ?? "").split("-");
  if (kind === "a" && type === "A") return rest.map((dashed) => dashed.replaceAll("_", "."));
  if (kind === "q" && type === "AAAA") return rest.map((dashed) => dashed.replaceAll("_", ":"));
  if (kind === "mixed") return type === "A" ? ["127.0.0.1"] : type === "AAAA" ? [unusedAddress] : [];
  if (kind === "public" && type === "AAAA") return [unusedAddress];
  if (kind === "rebind" && type === "A" && lookups++ > 0) return ["127.0.0.1"];
  if (kind === "rebind" && type === "AAAA" && lookups <= 1) return [unusedAddress];
  return [];
}

let rig: Rig;
let stopDns: () => void;
beforeAll(async () => {
  canaryServer.listen(0, "::");
  redirector.listen(0, "127.0.0.1");
  await Promise.all([once(canaryServer, "listening"), once(redirector, "listening")]);
  canary.port = (canaryServer.address() as AddressInfo).port;
  const dns = await startDns(addressesOf);
  stopDns = dns.stop;
  const proxy = `http://127.0.0.1:${canary.port}`;
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  rig = await startRig({
    ...Object.fromEntries(proxies.map((name) => [name, proxy])),
    NODE_USE_ENV_PROXY: "1",
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "s7-preload.mjs"))}`,
    TEST_DNS: `127.0.0.1:${dns.port}`,
    WEBHOOKS_ALLOW_LOCALHOST: "1",
  });
});
afterAll(async () => {
  await rig?.stop();
  stopDns?.();
  canaryServer.close();
  redirector.closeAllConnections();
  redirector.close();
});

/** URLs of this machine that test mode allows and live mode refuses. */
const local = [
  ...[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
  ],
  ...[
    "127.0.0.1.",
    "127.255.255.254",
    "localhost",
    "LOCALHOST",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "１２７.０.０.１",
    "127。0。0。1",
  ],
  "ⓛocalhost",
];

const inside = [
  ...[
    "0",
    "0.0.0.0",
    "0x0",
    "localhost.",
    "a.localhost",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
  ],
  ...["[0:0:0:0:0:ffff:127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]"],
  ...["[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:7f00:1::1]", "[2001:0:7f00:1::]", "[2001::1]", "[fe80::1]"],
  ...[
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "[fd00:ec2::254]",
    "[fec0::1]",
    "[fc00::1]",
  ],
  ...[
    "[ff02::1]",
    "[100::1]",
    "[2001:db8::1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "100.100.100.200",
  ],
  ...["192.0.0.192", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "168.63.129.16"],
  // Names that resolve to these addresses, alone or beside a public one.
  ...["a-127.0.0.1", "a-10.0.0.1", "a-169.254.169.254", "a-0.0.0.0", "a-100.64.0.1", "a-127.0.0.1-10.0.0.1"].map(
    (name) => `${name.replaceAll(".", "_")}.test`,
  ),
  ...["q-::1", "q-::", "q-::ffff:127.0.0.1", "q-64:ff9b::7f00:1", "q-2002:7f00:1::1", "q-fe80::1", "q-::127.0.0.1"].map(
    (name) => `${name.replaceAll(":", "_").replace(/(?<=_)([\d.]+\.[\d.]+)$/, "7f00_1")}.test`,
  ),
  ...["mixed.test", "rebind.test", "public.test"],
];

interface Form {
  url: string;
  livemode: boolean;
}

function forms(): Form[] {
  const { port } = canary;
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => (address.includes(":") ? `[${address}]` : address));
  const urls = [...local, ...inside, ...own].map((host) => `https://${host}:${port}/`);
  const odd = [
    `https://hooks.example@127.0.0.1:${port}/`,
    `https://a:b@localhost:${port}/`,
    `http://127.0.0.1:${port}/`,
  ];
  const plain = inside.map((host) => `http://${host}:${port}/`);
  const target = `http://127.0.0.1:${(redirector.address() as AddressInfo).port}`;
  return [
    ...[...urls, ...odd, ...plain].map((url) => ({ url, livemode: true })),
    ...[...inside, ...own].map((host) => ({ url: `https://${host}:${port}/`, livemode: false })),
    ...[odd[0] ?? "", odd[1] ?? "", ...plain].map((url) => ({ url, livemode: false })),
    ...[301, 302, 303, 307, 308].map((status) => ({ url: `${target}/${status}`, livemode: false })),
  ];
}

/** Inserts each URL as an endpoint, without the checks at creation, with a sample that is due three times. */
async function run(): Promise<Outcome> {
  canary.hits = 0;
  lookups = 0;
  const { businessId: business_id } = await createMerchant();
  const all = forms();
  const rows = all.map(({ url, livemode }) => {
    const id = newId("whe");
    return { id, business_id, livemode, url, events: ["*"], secret: newSecret(id).sealed };
  });
  await db.webhookEndpoint.createMany({ data: rows });
  const deliveries = rows.flatMap(({ id, livemode }) =>
    Array.from({ length: 3 }, () => ({
      id: newId("whd"),
      business_id,
      livemode,
      endpoint_id: id,
      type: "package.created",
    })),
  );
  await db.webhookDelivery.createMany({ data: deliveries });
  const ofThese = { business_id, status: "pending" };
  await until("every form to be tried", async () => (await db.webhookDelivery.count({ where: ofThese })) === 0, 90);
  const attempts = await attemptsOf({ business_id });
  const succeeded = await db.webhookDelivery.count({ where: { business_id, status: "succeeded" } });
  const elsewhere = attempts.filter(({ error }) => /timed out|15 seconds|was refused|was reset/.test(error ?? ""));
  return {
    done: `${all.length} forms in both modes, ${attempts.length} attempts, ${lookups} lookups of a rebinding name`,
    wrong: {
      "connections to the inside": canary.hits,
      "attempts that connected somewhere": elsewhere.length,
      "forms that were taken": succeeded,
      "forms fewer than 60": Math.max(0, 60 - all.length),
      "forms that were not tried": deliveries.length - attempts.length,
    },
  };
}

fault({
  id: "S7",
  title: "webhook addresses in private networks",
  minutes: 4,
  run,
  control: {
    without: "the address check",
    mutations: [{ file: "lib/outbox/webhooks/client.ts", find: "found.filter(isPublic)", replace: "found" }],
    run: async (mutations) => {
      await rig.weaken("s7", mutations);
      return run();
    },
  },
});
