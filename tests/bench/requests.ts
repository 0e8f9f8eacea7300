/** The requests that are compared with the floor, one by one. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { startFlags } from "@/tests/support/launch";
import { createLink, sameAnswers } from "./answers";
import { load, type Task } from "./load";
import { cutTemplate, marked, weighPage } from "./page";
import { nodeVersion, type Server, start } from "./processes";
import { printGoal, printMemory, printRows, printSplits, type Row, type Split } from "./report";
import { sampleIds } from "./seed";
import { splitProfile } from "./split";

export const businessName = "Benchmark Books";

const newLink = {
  email: "ada@example.com",
  phone_no: "+15550100",
  currency: "EUR",
  amount: "1050",
  title: "Order 1001",
  description: "Two books and a bookmark",
  redirect_url: "https://shop.example/orders/1001?from=pay",
  reference: "order-1001",
};

interface Options {
  client: Client;
  /** Has its payment links already. */
  businessId: number;
  key: string;
  links: number;
  rounds: number;
  seconds: number;
  /** Checks the answers on small data and prints no times. */
  check: boolean;
  quick: boolean;
  /** For files of this run. */
  dir: string;
  /** The production build. */
  main: string;
  serverEnv: Record<string, string>;
}

type Starter = (...flags: string[]) => Promise<Server>;

export async function benchRequests(options: Options): Promise<void> {
  const { client, businessId, key, links, rounds, seconds, check, dir, main } = options;

  /** Short rounds in turns, so that whatever else the machine does hits both. */
  async function compare(task: Task, name: string, product: Server, floor: Server): Promise<Row> {
    console.log(`${check ? "Checking" : "Measuring"}: ${name}`);
    const row: Row = { name, product: [], floor: [] };
    if (!check) for (const server of [product, floor]) await load(server, key, task, Math.min(2, seconds));
    for (let round = 0; round < rounds; round++) {
      row.product.push(await load(product, key, task, seconds));
      row.floor.push(await load(floor, key, task, seconds));
    }
    return row;
  }

  /** Every server in a process of its own under the profiler, for one task. */
  async function split(task: Task, starters: Record<"product" | "floor", Starter>): Promise<Split> {
    const measure = async (starter: Starter) => {
      const profiles = mkdtempSync(join(dir, "profile-"));
      const server = await starter("--cpu-prof", `--cpu-prof-dir=${profiles}`);
      if (!check) await load(server, key, task, 2);
      const from = performance.now() - server.born;
      await load(server, key, task, seconds);
      const to = performance.now() - server.born;
      await server.stop();
      return splitProfile(profiles, from, to);
    };
    return { product: await measure(starters.product), floor: await measure(starters.floor) };
  }

  // The first two are for the comparison of the answers alone: nothing else opens their pages.
  const [first = "", second = "", ...ids] = await sampleIds(client, businessId, 66);
  const template = join(dir, "page.json");
  const env = { ...options.serverEnv, APP_URL: "http://127.0.0.1:3000", PAGE_TEMPLATE: template };
  const startProduct: Starter = async (...flags) => {
    const server = await start([...startFlags, ...flags, main], env);
    // As in use: the process of the dashboard's pages runs, too.
    await (await fetch(`${server.url}/login`)).text();
    return server;
  };
  const startFloor: Starter = (...flags) =>
    start([...startFlags, ...flags, "--import", "tsx", "tests/bench/floor.ts"], env);

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

  await sameAnswers(client, [product.url, floor.url], key, first, newLink);
  const weight = await weighPage(product.url, first);
  const rows: Row[] = [];
  for (const task of tasks) rows.push(await compare(task, task.name, product, floor));
  const memory = product.memory();
  await product.stop();

  const asides: Row[] = [];
  if (!options.quick) {
    const framework = await start(["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1"], env);
    await sameAnswers(client, [framework.url, floor.url], key, second, newLink);
    for (const task of [get, page])
      asides.push(await compare(task, `${task.name}, framework's route layer`, framework, floor));
    await framework.stop();
  }
  await floor.stop();
  if (!check) {
    console.log(`\n16 connections, ${rounds} rounds of ${seconds} s each, medians; Node ${nodeVersion()}\n`);
    printRows([...rows, ...asides]);
    printGoal(rows);
    console.log(
      `\nFirst visit to the pay page: 1 request, ${weight.body.toLocaleString("en")} bytes of HTML and about ` +
        `${weight.head.toLocaleString("en")} of headers, uncompressed; no script, nothing beside the document.`,
    );
    printMemory(memory);
  }
  if (options.quick) return;

  console.log("\nProfiling");
  const splits: Split[] = [];
  for (const task of check ? [get] : tasks)
    splits.push(await split(task, { product: startProduct, floor: startFloor }));
  if (check) return;
  console.log("\nThe CPU time of a request by whose code it is, microseconds, Paydesk | floor\n");
  printSplits(rows, splits);
  console.log();
}
