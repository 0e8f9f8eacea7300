/**
 * How fast the production build is, in parts of a floor: a minimal Fastify + pg server with the same effects, in the
 * same run, on the same database. docs/performance.md says how to read it. With --check every part runs once on small
 * data: only the answers count, and no time is measured.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { grantRights } from "@/server/grants";
import { migrate } from "@/server/migrate";
import { type EmbeddedPostgres, ensurePostgres, removeDataDir } from "@/server/postgres";
import { startFlags, startVariables } from "@/tests/support/launch";
import { benchBilling } from "./billing";
import { benchLighthouse } from "./lighthouse";
import { benchPages } from "./pages";
import { seedPages } from "./pages-seed";
import { start, startWith, stopAll } from "./processes";
import { benchReports } from "./reports";
import { benchRequests, businessName } from "./requests";
import { benchScale } from "./scale";
import { seedLinks } from "./seed";
import { full, small } from "./sizes";
import { benchSoak } from "./soak";
import { benchTimeline } from "./timeline";

const partNames = ["requests", "pages", "lighthouse", "timeline", "billing", "reports", "soak", "scale"] as const;

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true, // the parts to run; without, all but scale
  options: {
    check: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    links: { type: "string" },
    /** Of the part "soak". */
    minutes: { type: "string", default: "60" },
    /** A pattern of the routes whose pages are measured, for Lighthouse instead of its three. */
    page: { type: "string", default: "" },
    /** Another build than the one of these sources, to compare two. */
    main: { type: "string", default: "dist/main.mjs" },
    /** Another Node than this one for all servers, such as the newest LTS. */
    node: { type: "string", default: process.execPath },
    /** The four rows alone, not where the rest goes. */
    quick: { type: "boolean", default: false },
  },
});
const unknown = named.filter((name) => !partNames.some((part) => part === name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. The parts are ${partNames.join(", ")}.`);
  process.exit(2);
}
const { check, quick } = options;
startWith(resolve(options.node));
// They take an hour, and 20 GB: they run only when they are named.
const usual = check ? partNames : partNames.filter((part) => part !== "soak" && part !== "scale");
const parts = named.length > 0 ? named : quick ? ["requests"] : usual;
const sizes = check ? small : full;
const links = Number(options.links ?? sizes.links);
const rounds = check ? 1 : Number(options.rounds);
const seconds = check ? 0 : Number(options.seconds);

const dir = mkdtempSync(join(tmpdir(), "paydesk-bench-"));
chmodSync(dir, 0o755); // for the user that PostgreSQL runs as when this runs as root
const dataDir = join(dir, "data");
let postgres: EmbeddedPostgres | undefined;
let client: Client | undefined;
let disconnect: (() => Promise<void>) | undefined;
let ending: Promise<void> | undefined;

async function cleanUp(): Promise<void> {
  await stopAll();
  await disconnect?.().catch(() => undefined);
  await client?.end().catch(() => undefined);
  await postgres?.stop();
  if (existsSync(dataDir)) removeDataDir(dataDir);
  rmSync(dir, { recursive: true, force: true });
}

/** Cleans up once, however often it is called. */
function end(): Promise<void> {
  ending ??= cleanUp();
  return ending;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    void end().finally(() => process.exit(130));
  });

async function run(): Promise<void> {
  if (check) console.log("Checking the answers on small data: the times of this run mean nothing.");
  const main = resolve(options.main);
  postgres = await ensurePostgres(dataDir);
  const { url } = postgres;
  await migrate(postgres.ownerUrl);
  await grantRights(postgres.ownerUrl, url);
  client = new Client({ connectionString: postgres.ownerUrl });
  client.on("error", () => undefined); // a run that is cut short stops its PostgreSQL first
  await client.connect();
  process.env.DATABASE_URL = url; // lib/env reads it at its first use
  const { createMerchant } = await import("@/tests/support/factory");
  ({ disconnect } = await import("@/lib/core/disconnect"));

  const serverEnv = {
    ...startVariables,
    DATABASE_URL: url,
    DATA_DIR: join(dir, "product"),
    APP_SECRET: randomBytes(32).toString("hex"),
    HOST: "127.0.0.1",
    DEMO: "0",
    LOG_LEVEL: "warn",
    RATE_LIMIT_PER_MINUTE: "10000000",
    WRITES_PER_MONTH: "999999999",
    RUN_AS: "root", // writes its CPU profile into this process's folder
  };
  // The browser opens the server's own address, which `start` sets.
  const startServer = () => start([...startFlags, main], serverEnv);

  if (parts.some((part) => ["requests", "pages", "lighthouse", "soak"].includes(part))) {
    console.log(`Seeding ${links.toLocaleString("en")} payment links`);
    const { businessId, key } = await createMerchant(businessName);
    await seedLinks(client, businessId, links);
    const business = { client, businessId, rounds, check };
    if (parts.includes("requests"))
      await benchRequests({ ...business, key, links, seconds, quick, dir, main, serverEnv });
    if (parts.includes("soak"))
      await benchSoak({ ...business, key, minutes: check ? 1 : Number(options.minutes), startServer });
    if (parts.includes("pages") || parts.includes("lighthouse")) {
      console.log("Seeding what belongs to the links");
      const dashboard = { ...business, startServer, seeded: await seedPages(client, businessId, sizes.subscriptions) };
      if (parts.includes("pages")) await benchPages({ ...dashboard, only: new RegExp(options.page) });
      if (parts.includes("lighthouse"))
        await benchLighthouse({ ...dashboard, only: options.page ? new RegExp(options.page) : null });
    }
  }
  if (parts.includes("timeline")) await benchTimeline(client, sizes);
  // Before the reports: the first server would add up their 1,000,000 payments while it charges.
  if (parts.includes("billing")) await benchBilling(client, sizes, startServer);
  if (parts.includes("reports")) await benchReports(client, sizes);
  if (parts.includes("scale")) await benchScale(client, sizes, check);
}

try {
  await run();
  if (check) console.log("\nEvery part answers as it should.");
} catch (error) {
  if (!ending) console.error(error);
  process.exitCode = 1;
} finally {
  await end();
}
