/**
 * How fast the production build is, in parts of a floor: a minimal Fastify + pg server with the same effects, in the
 * same run, on the same database. docs/performance.md says how to read it.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { migrate } from "@/server/migrate";
import { type EmbeddedPostgres, ensurePostgres, removeDataDir } from "@/server/postgres";
import { createLink, sameAnswers } from "./answers";
import { benchBilling } from "./billing";
import { load, type Task } from "./load";
import { cutTemplate, marked, weighPage } from "./page";
import { benchPages } from "./pages";
import { type Server, start, stopAll } from "./processes";
import { printGoal, printRows, printSplits, type Row, type Split } from "./report";
import { benchReports } from "./reports";
import { sampleIds, seedLinks } from "./seed";
import { splitProfile } from "./split";
import { benchTimeline } from "./timeline";

const { values: options, positionals: parts } = parseArgs({
  allowPositionals: true, // "billing", "reports", "pages", "timeline": that part alone
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    links: { type: "string", default: "100000" },
    /** Of the pages, those whose route matches this. */
    page: { type: "string", default: "" },
    /** Another build than the one of these sources, to compare two. */
    main: { type: "string" },
    /** The four rows alone, not where the rest goes. */
    quick: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const links = Number(options.links);

const businessName = "Benchmark Books";
const newLink = {
  email: "ada@example.com",
  phone_no: "+15550100",
  currency: "EUR",
  amount: "1050",
  title: "Order 1001",
  description: "Two books and a bookmark",
  redirect_url: "https://shop.example/orders/1001?from=pay",
  reference: "order-1001",
  send_email: false,
};

const dir = mkdtempSync(join(tmpdir(), "paydesk-bench-"));
chmodSync(dir, 0o755); // for the user that PostgreSQL runs as when this runs as root
const dataDir = join(dir, "data");
let postgres: EmbeddedPostgres | undefined;
let client: Client | undefined;
let ending: Promise<void> | undefined;

async function cleanUp(): Promise<void> {
  await stopAll();
  await client?.end().catch(() => undefined);
  await postgres?.stop();
  if (existsSync(dataDir)) removeDataDir(dataDir);
  rmSync(dir, { recursive: true, force: true });
}

/** Once, whoever asks first. */
function end(): Promise<void> {
  ending ??= cleanUp();
  return ending;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    void end().finally(() => process.exit(130));
  });

async function build(): Promise<string> {
  const [code] = await once(spawn(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" }), "exit");
  if (code !== 0) throw new Error("The build failed.");
  return "dist/main.mjs";
}

interface Merchant {
  businessId: number;
  key: string;
}

async function makeMerchant(url: string): Promise<Merchant> {
  process.env.DATABASE_URL = url; // lib/core/env reads it once, when it is first asked
  const { createMerchant } = await import("@/tests/support/factory");
  const { db, pool } = await import("@/lib/core/db");
  const merchant = await createMerchant(businessName);
  await db.$disconnect();
  if (!pool().ended) await pool().end();
  return merchant;
}

/** Short rounds in turns, so that whatever else the machine does hits both. */
async function compare(task: Task, name: string, product: Server, floor: Server, key: string): Promise<Row> {
  console.log(`Measuring: ${name}`);
  const row: Row = { name, product: [], floor: [] };
  for (const server of [product, floor]) await load(server, key, task, Math.min(2, seconds));
  for (let round = 0; round < rounds; round++) {
    row.product.push(await load(product, key, task, seconds));
    row.floor.push(await load(floor, key, task, seconds));
  }
  return row;
}

/** Every server in a process of its own under the profiler, for one task. */
async function split(task: Task, key: string, starters: Record<"product" | "floor", Starter>): Promise<Split> {
  const measure = async (starter: Starter) => {
    const profiles = mkdtempSync(join(dir, "profile-"));
    const server = await starter("--cpu-prof", `--cpu-prof-dir=${profiles}`);
    await load(server, key, task, 2);
    const from = performance.now() - server.born;
    await load(server, key, task, seconds);
    const to = performance.now() - server.born;
    await server.stop();
    return splitProfile(profiles, from, to);
  };
  return { product: await measure(starters.product), floor: await measure(starters.floor) };
}

type Starter = (...flags: string[]) => Promise<Server>;

async function run(): Promise<void> {
  const main = resolve(options.main ?? (await build()));
  postgres = await ensurePostgres(dataDir);
  await migrate(postgres.url);
  client = new Client({ connectionString: postgres.url });
  client.on("error", () => undefined); // when the run is cut short, its server goes first
  await client.connect();
  const template = join(dir, "page.json");
  const env = { APP_URL: "http://127.0.0.1:3000", DATABASE_URL: postgres.url, PAGE_TEMPLATE: template };
  const productEnv = {
    ...env,
    DATA_DIR: join(dir, "product"),
    APP_SECRET: randomBytes(32).toString("hex"),
    HOST: "127.0.0.1",
    DEMO: "0",
    LOG_LEVEL: "warn",
    RATE_LIMIT_PER_MINUTE: "10000000",
  };
  process.env.DATABASE_URL ??= postgres.url;
  if (parts.includes("reports")) return benchReports(client);
  if (parts.includes("timeline")) return benchTimeline(client);
  if (parts.includes("billing")) return benchBilling(client, () => start([main], productEnv));

  console.log(`Seeding ${links.toLocaleString("en")} payment links`);
  const { businessId, key } = await makeMerchant(postgres.url);
  await seedLinks(client, businessId, links);
  const { APP_URL: _, ...ownAddress } = productEnv; // a browser comes to where the server is
  const pages = {
    client,
    businessId,
    rounds,
    only: new RegExp(options.page),
    startServer: () => start([main], ownAddress),
  };
  if (parts.includes("pages")) return benchPages(pages);
  const ids = await sampleIds(client, businessId, 64);

  const startProduct: Starter = async (...flags) => {
    const server = await start([...flags, main], productEnv);
    // From the first page of the framework on, its AsyncLocalStorage makes every promise of the process dearer.
    await (await fetch(`${server.url}/login`)).text();
    return server;
  };
  const startFloor: Starter = (...flags) => start([...flags, "--import", "tsx", "tests/bench/floor.ts"], env);

  const product = await startProduct();
  const { _id } = await createLink(product.url, key, { ...newLink, ...marked });
  writeFileSync(template, JSON.stringify(await cutTemplate(product.url, _id, businessName)));
  const floor = await startFloor();

  const create: Task = { name: "create link", method: "POST", paths: ["/api/payment-links"] };
  create.body = JSON.stringify(newLink);
  const get: Task = { name: "get link", method: "GET", paths: ids.map((id) => `/api/payment-links/${id}`) };
  const list: Task = { name: `list 25 of ${links.toLocaleString("en")}`, method: "GET", paths: ["/api/payment-links"] };
  const page: Task = { name: "pay page", method: "GET", paths: ids.map((id) => `/pay?id=${id}`) };
  const tasks = [get, list, page, create]; // creating comes last, because it makes the table larger

  await sameAnswers([product.url, floor.url], key, ids, newLink);
  const weight = await weighPage(product.url, ids[0] ?? "");
  const rows: Row[] = [];
  for (const task of tasks) rows.push(await compare(task, task.name, product, floor, key));
  await product.stop();

  const asides: Row[] = [];
  if (!options.quick) {
    const framework = await start(["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1"], productEnv);
    await sameAnswers([framework.url, floor.url], key, ids, newLink);
    for (const task of [get, page])
      asides.push(await compare(task, `${task.name}, framework's route layer`, framework, floor, key));
    await framework.stop();
  }
  await floor.stop();
  console.log(`\n16 connections, ${rounds} rounds of ${seconds} s each, medians; Node ${process.versions.node}\n`);
  printRows([...rows, ...asides]);
  printGoal(rows);
  console.log(
    `\nFirst visit to the pay page: 1 request, ${weight.body.toLocaleString("en")} bytes of HTML and about ` +
      `${weight.head.toLocaleString("en")} of headers, uncompressed; no script, nothing beside the document.`,
  );
  if (options.quick) return;

  console.log("\nProfiling");
  const splits: Split[] = [];
  for (const task of tasks) splits.push(await split(task, key, { product: startProduct, floor: startFloor }));
  console.log("\nThe CPU time of a request by whose code it is, microseconds, Paydesk | floor\n");
  printSplits(rows, splits);

  console.log();
  await benchPages(pages);
  console.log();
  await benchBilling(client, () => start([main], productEnv));
}

try {
  await run();
} catch (error) {
  if (!ending) console.error(error);
  process.exitCode = 1;
} finally {
  await end();
}
