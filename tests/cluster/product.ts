import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Launched, launch, type Program, startFlags } from "@/tests/support/launch";
import type { Cluster } from "./database";

type Half = "web" | "worker";

/** A process of the product, which can be killed, stopped and started again, also from another version's folder. */
export interface Process {
  half: Half;
  name: string;
  start(folder?: string): Promise<void>;
  /** @returns the exit code */
  stop(): Promise<number | string>;
  kill(): Promise<void>;
}

const from =
  (folder: string, half: Half): Program =>
  () => [...startFlags, `${folder}/dist/main.mjs`, half];

/** Longer than HAProxy keeps an idle connection to a server that it no longer uses. */
const drainSeconds = 2;

/** Two workers, the first of which migrates the database, and two web processes, started and restarted in this order. */
export async function startProduct(cluster: Cluster, ports: number[], folder = process.cwd()) {
  const settings = {
    DATABASE_URL: cluster.databaseUrl,
    APP_SECRET: randomBytes(32).toString("base64url"),
    APP_URL: cluster.url,
    NEXTAUTH_URL: cluster.url,
    TRUST_PROXY: "1",
    RATE_LIMIT_PER_MINUTE: "1000000",
    ADDRESS_FAILURES_PER_MINUTE: "1000000",
    WEBHOOKS_ALLOW_LOCALHOST: "1",
    DRAIN_SECONDS: String(drainSeconds),
    RUN_AS: "root", // it keeps no data of its own, and may be in a folder that only root can read
  };
  Object.assign(process.env, settings, { TEST_URL: cluster.url });
  const [web1, web2, worker1, worker2] = ports;
  const listening: [half: Half, name: string, port: number | undefined][] = [
    ["worker", "worker1", worker1],
    ["worker", "worker2", worker2],
    ["web", "web1", web1],
    ["web", "web2", web2],
  ];
  const processes = listening.map(([half, name, port]): Process => {
    let launched: Launched | null = null;
    const env = {
      ...settings,
      ...cluster.env,
      PORT: String(port),
      ...(half === "worker" ? { DATABASE_MIGRATE_URL: cluster.ownerUrl } : {}), // as deploy/systemd has it
    };
    return {
      half,
      name,
      start: async (of = folder) => {
        launched = await launch(env, from(of, half), (text) => appendFileSync(join(cluster.root, `${name}.log`), text));
      },
      stop: async () => (await launched?.stop()) ?? "",
      kill: async () => launched?.kill(),
    };
  });
  for (const one of processes) await one.start();
  return {
    processes,
    of: (half: Half) => processes.filter((one) => one.half === half),
    /** Restarts each process in turn. HAProxy no longer uses a web process before it is stopped. @returns the exit codes */
    async restart(to = folder): Promise<(number | string)[]> {
      const codes: (number | string)[] = [];
      for (const one of processes) {
        if (one.half === "web") await cluster.command(`set server web/${one.name} state drain`);
        await sleep(500);
        codes.push(await one.stop());
        await one.start(to);
        if (one.half === "web") await cluster.command(`set server web/${one.name} state ready`);
        await sleep(2_000); // until HAProxy has checked it
      }
      return codes;
    },
    async stop(): Promise<void> {
      await Promise.all(processes.map((one) => one.stop()));
    },
  };
}

export type Product = Awaited<ReturnType<typeof startProduct>>;
