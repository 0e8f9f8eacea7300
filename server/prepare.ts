import cluster from "node:cluster";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDatabaseAway } from "@/lib/core/database-error";
import { disconnect } from "@/lib/core/disconnect";
import { bypassPooler, type Env, exportSecrets, parseEnv } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import { storeSecret } from "./app-secret";
import { type Demo, ensureDemo } from "./demo";
import { grantRights } from "./grants";
import { assertPortIsFree } from "./listen";
import { migrate, projectRoot } from "./migrate";
import { leaveRoot } from "./plain-user";
import { supervisePostgres } from "./postgres-supervisor";
import { limitRole } from "./role-limits";
import { unlessAborted } from "./signals";

/** What a process runs: the web server, the worker, or both. Several processes may share one database. */
export type Role = "all" | "web" | "worker";

/** @throws Error for an unknown role */
export function roleOf(word: string | undefined): Role {
  if (word === undefined) return "all";
  if (word === "web" || word === "worker") return word;
  throw new Error(`Unknown role ${word}. Use web or worker, or npm start for both.`);
}

/** Settings that all processes must share. They have no defaults there. */
const sharedSettings = {
  DATABASE_URL: "the shared PostgreSQL: postgresql://user:password@host:5432/paydesk",
  APP_SECRET: "at least 32 characters; encrypts and signs data that all processes read",
  APP_URL: "the public address, used in payment links and e-mails: https://pay.example.com",
} as const;

/** @throws Error naming the missing shared settings */
function assertSharedSettings(role: Role): void {
  const missing = Object.entries(sharedSettings).filter(
    ([name]) => role !== "all" && !process.env[name] && !process.env[`${name}_FILE`],
  );
  if (missing.length === 0) return;
  const lines = missing.map(([name, what]) => `  ${name.padEnd(14)}${what}`);
  throw new Error(
    `npm run ${role} is one of several processes. Set the same values for all of them:\n\n${lines.join("\n")}\n\n` +
      "npm start needs none of these, and runs everything.",
  );
}

const oneRole =
  "The role of DATABASE_URL owns the tables, so it could also delete history. Let another role serve requests: " +
  "docs/operations.md, Two roles.";

const oldSessions =
  "The pooler has sessions without time limits, opened before this role had them. Run RECONNECT in its console: " +
  "docs/operations.md, PgBouncer.";

export interface Prepared {
  env: Env;
  release(): Promise<void>;
}

/**
 * Prepares everything that a server needs before it listens: the configuration, a free port, the secret, a migrated database.
 * Writes defaults into process.env, where lib/core/env and next-auth read them.
 * @param interrupted ends a migration at once, also one that waits: when this process exits, PostgreSQL rolls it back
 */
export async function prepare(role: Role = "all", interrupted?: AbortSignal): Promise<Prepared> {
  assertSharedSettings(role);
  // A half does not know where the others listen.
  if (role !== "all") process.env.WEBHOOKS_ALLOW_LOCALHOST ||= "0";
  process.env.DATA_DIR ||= join(projectRoot, ".data");
  const given = parseEnv(process.env);
  // Before anything is created, so that a failed start leaves nothing behind. In development, server/dev.ts holds the port.
  if (cluster.isPrimary)
    for (const { port, host, setting } of listeningAddresses(given))
      await assertPortIsFree(port, host).catch((error: NodeJS.ErrnoException) => {
        throw portError(error, port, host, setting);
      });
  if (process.env.NODE_ENV !== "development") await leaveRoot(given);
  exportSecrets(process.env, given);
  process.env.DATA_DIR = given.DATA_DIR;
  process.env.APP_SECRET = given.APP_SECRET ?? storeSecret(given.DATA_DIR);
  process.env.APP_URL = given.APP_URL;
  process.env.NEXTAUTH_SECRET = process.env.APP_SECRET;
  process.env.NEXTAUTH_URL = given.APP_URL;

  const embedded = given.DATABASE_URL ? null : await supervisePostgres(given.DATA_DIR);
  const url = embedded?.url ?? given.DATABASE_URL_DIRECT ?? given.DATABASE_URL ?? "";
  const ownerUrl = embedded?.ownerUrl ?? given.DATABASE_MIGRATE_URL ?? url;
  // Jobs listen and hold locks, so only web processes go through a pooler of transactions.
  const isPooled = role === "web" && given.DATABASE_URL_DIRECT !== undefined;
  if (!isPooled) bypassPooler(process.env, url);
  // A worker prunes as the owner.
  if (role === "web") delete process.env.DATABASE_MIGRATE_URL;
  else process.env.DATABASE_MIGRATE_URL = ownerUrl;
  async function release(): Promise<void> {
    await disconnect();
    await embedded?.release();
  }
  try {
    await unlessAborted(interrupted, async () => {
      await migrate(ownerUrl);
      if (await grantRights(ownerUrl, url)) log.warn(oneRole);
      if (isPooled && (await limitRole(url, given.DATABASE_URL ?? ""))) log.warn(oldSessions);
    });
  } catch (error) {
    await embedded?.release();
    if (embedded || !isDatabaseAway(error)) throw error;
    throw new Error(`The PostgreSQL at DATABASE_URL cannot be used: ${(error as Error).message}`);
  }
  return { env: parseEnv(process.env), release };
}

/** The server's address, and that of its metrics if they are on. */
const listeningAddresses = ({ PORT, HOST, METRICS_PORT, METRICS_HOST }: Env) => [
  { port: PORT, host: HOST, setting: "" as const },
  ...(METRICS_PORT ? [{ port: METRICS_PORT, host: METRICS_HOST, setting: "METRICS_" as const }] : []),
];

/**
 * The error of a failed listen, with a message that says what to do.
 * @param setting what the names of the settings begin with
 */
export function portError(error: NodeJS.ErrnoException, port: number, host: string, setting: "" | "METRICS_" = "") {
  const remedy = `Choose another one, for example ${setting}PORT=${port < 65_000 ? port + 1 : 3000}.`;
  if (error.code === "EADDRINUSE") return new Error(`Port ${port} is already in use. ${remedy}`);
  if (error.code === "EACCES") return new Error(`Port ${port} needs more privileges than this user has. ${remedy}`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new Error(`${setting}HOST=${host} is not an address of this machine.`);
  return error;
}

/** Creates the demo business on a first start, and prints the addresses and the login. */
export async function welcome(env: Env, role: Role = "all"): Promise<void> {
  if (role === "worker") return console.log("\nPaydesk's worker is ready.\n");
  const demo = env.DEMO === "0" ? null : await ensureDemo({ empty: env.DEMO === "empty" });
  console.log(banner(env, demo, demoLoginFile(env.DATA_DIR, demo)));
}

/**
 * Writes the demo business's login to a file, so that it can be read again.
 * @returns the file, or null without one
 */
function demoLoginFile(dataDir: string, demo: Demo | null): string | null {
  const file = join(dataDir, "demo-login.txt");
  try {
    if (demo)
      writeFileSync(
        file,
        `Sign in     ${demo.email}\nPassword    ${demo.password}\nTest key    ${demo.key}\n\n` +
          "Written at the first start and never updated. You may delete this file.\n",
        { mode: 0o600 },
      );
  } catch {
    return null; // with DATABASE_URL, the data directory may be read-only; the banner shows the login
  }
  return existsSync(file) ? file : null;
}

function banner({ APP_URL: url, HOST }: Env, demo: Demo | null, loginFile: string | null): string {
  const newKey = "npm run -s api-key -- create --business 1 --mode test --name tour";
  const link = { email: "ada@example.com", currency: "EUR", amount: "1050", title: "Order 1001", send_email: false };
  const lines = [
    "",
    "Paydesk is ready.",
    "",
    `  Dashboard   ${url}`,
    `  API         ${url}/api`,
    `  API docs    ${url}/docs`,
    "",
    ...(HOST === "localhost" ? ["Only this machine can reach it. Set HOST to listen on other addresses.", ""] : []),
    ...(demo
      ? [
          loginFile
            ? `A demo business was created. Its login is also in ${loginFile}`
            : "A demo business was created. Its login is shown only once:",
          "",
          `  Sign in     ${demo.email}`,
          `  Password    ${demo.password}`,
          `  Test key    ${demo.key}`,
        ]
      : [
          ...(loginFile ? [`The demo business's login: ${loginFile}`, ""] : []),
          "For a new test key:",
          "",
          `  KEY=$(${newKey})`,
        ]),
    "",
    "Create a payment link:",
    "",
    `  curl -s ${url}/api/payment-links \\`,
    `    -H "Authorization: Bearer ${demo?.key ?? "$KEY"}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '${JSON.stringify(link)}'`,
    "",
  ];
  return lines.join("\n");
}

/** Ends the process after a failed start. Prints only the message, because a stack would hide it. */
export function fail(error: unknown): never {
  const stack = process.env.LOG_LEVEL === "debug" && error instanceof Error ? error.stack : undefined;
  console.error(`\n${stack ?? (error instanceof Error ? error.message : String(error))}\n`);
  process.exit(1);
}
