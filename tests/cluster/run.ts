// A cluster on this machine, with the files of deploy/cluster and Debian's packages: npm run test:cluster [-- primary web ...]
// Each part has a cluster of its own and writes dist/cluster/<part>.json. The table has the parts of this commit. Everything ends with
// this process, also if it is killed. KEEP_CLUSTER=1 keeps the clusters' folders, with their logs, in the system's temporary folder.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { disconnect } from "@/lib/core/disconnect";
import { freePort } from "@/tests/support/launch";
import { type Cluster, startCluster } from "./database";
import { type Fault, faults, freezeWithEtcd3, type Setting, strikeAsynchronous } from "./faults";
import { conclude, type Measured, measure } from "./measure";
import { olderVersion } from "./older";
import { startProduct } from "./product";
import { endWithParent } from "./programs";
import { openShop } from "./shop";

interface Part {
  /** The folder of the version that the processes begin with. */
  from?: () => Promise<string>;
  run: (setting: Setting) => Promise<Measured>;
  /** A negative control: something must be lost. */
  loses?: boolean;
  /** Patroni speaks etcd's version 3. */
  etcd3?: boolean;
}

/** Restarts all processes in turn while the shop is at work. No request may fail. */
async function restart({ product }: Setting, title: string, times: number): Promise<Measured> {
  const shop = await openShop();
  await sleep(3_000);
  const codes: (number | string)[] = [];
  for (let turn = 0; turn < times; turn++) codes.push(...(await product.restart(process.cwd())));
  await sleep(3_000);
  await shop.close();
  const refused = shop.answers.filter(({ status }) => status >= 400 && status !== 409).length;
  const more = {
    "requests failed": refused + shop.failures.length,
    "processes that did not end with 0": codes.filter((code) => code !== 0).length,
  };
  return conclude(shop, { title, times: codes.length, backSeconds: 0, more });
}

const parts: Record<string, Part> = {
  ...Object.fromEntries(
    Object.entries<Fault>(faults).map(([name, fault]) => [
      name,
      { run: (setting: Setting) => measure(setting, fault) },
    ]),
  ),
  restart: { run: (setting) => restart(setting, "each process restarted in turn", 2) },
  upgrade: {
    from: olderVersion,
    run: (setting) => restart(setting, "each process replaced by the next version, which migrates", 1),
  },
  "frozen-control": {
    etcd3: true,
    loses: true,
    run: (setting) => measure(setting, freezeWithEtcd3()),
  },
  control: {
    loses: true,
    run: async (setting) => {
      await setting.cluster.makeAsynchronous();
      return measure(setting, strikeAsynchronous);
    },
  },
};

const folder = "dist/cluster";
const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { encoding: "utf8" }).trim();

async function runPart(name: string, { from, run, loses, etcd3 }: Part): Promise<boolean> {
  console.log(`${name}:`);
  const version = await from?.();
  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  let cluster: Cluster | undefined;
  try {
    cluster = await startCluster([ports[0] ?? 0, ports[1] ?? 0], { etcd3 });
    const product = await startProduct(cluster, ports, version);
    const measured = await run({ cluster, product });
    await product.stop();
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${name}.json`, JSON.stringify({ commit, ...measured }, null, 2));
    const found = Object.entries(measured.wrong).filter(([, count]) => count !== 0);
    console.log(found.length === 0 ? "  nothing wrong" : found.map(([what, count]) => `  ${count} ${what}`).join("\n"));
    return loses ? (measured.wrong["acknowledged writes lost"] ?? 0) > 0 : found.length === 0;
  } finally {
    await disconnect().catch(() => undefined); // the next part has another database
    await cluster?.stop();
  }
}

function table(): string {
  const rows = Object.keys(parts).flatMap((name) => {
    const file = `${folder}/${name}.json`;
    if (!existsSync(file)) return [];
    const row = JSON.parse(readFileSync(file, "utf8")) as Measured & { commit: string };
    if (row.commit !== commit) return [];
    const answers = Object.entries(row.answers).map(([status, count]) => `${count.toLocaleString("en")} × ${status}`);
    const lost = row.wrong["acknowledged writes lost"];
    const twice = row.wrong["links charged twice"];
    const cells = [name, row.title, row.times, row.acknowledged.toLocaleString("en"), lost, twice, answers.join(", ")];
    return [`| ${[...cells, row.outageSeconds, row.backSeconds, row.slowestSeconds].join(" | ")} |`];
  });
  const heads = ["part", "fault", "times", "acknowledged", "lost", "charged twice", "answers"];
  const line = [...heads, "longest without a write, s", "back after, s", "slowest answer, s"];
  return [`At ${commit}:`, "", `| ${line.join(" | ")} |`, `|${line.map(() => "---|").join("")}`, ...rows].join("\n");
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts[name]);
const missing = ["patroni", "etcd", "haproxy"].filter((tool) => spawnSync(tool, ["--version"]).error);
if (unknown.length > 0) throw new Error(`No part ${unknown.join(", ")}. There are: ${Object.keys(parts).join(", ")}.`);
if (missing.length > 0)
  throw new Error(
    `${missing.join(", ")} not found: apt-get install --no-install-recommends patroni python3-etcd etcd-server haproxy postgresql-15`,
  );

endWithParent();

/** Runs a part in a process of its own, because a process has one database. */
async function runInProcess(name: string): Promise<boolean> {
  const args = [...process.execArgv, process.argv[1] ?? "", name];
  const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, CLUSTER_PART: "1" } });
  const [code] = await once(child, "exit");
  return code === 0;
}

const [only] = wanted;
const isPart = process.env.CLUSTER_PART === "1";
let failed = 0;
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const passed =
    only === name && wanted.length === 1
      ? await runPart(name, part).catch((error: unknown) => console.error(error))
      : await runInProcess(name);
  if (!passed) failed++;
}
if (!isPart) console.log(`\n${table()}\n\n${failed} parts failed`);
process.exit(failed > 0 ? 1 : 0);
