import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { parse as parseDatabaseAddress } from "pg-connection-string";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { verifySmtp } from "@/lib/outbox/mail/smtp";
import { type Finding, ok, problem, reasonOf, sizeText, warning } from "./finding";

const timeoutMs = 8_000;

const isLocal = (host: string): boolean => /^(localhost|127\.[\d.]+|::1|\[::1\])$/.test(host);

const get = (address: string): Promise<Response> =>
  fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: "manual" });

/** Whether APP_URL answers, and is an address that payers can open. */
export async function checkAddress(): Promise<Finding[]> {
  const { APP_URL } = env();
  const { hostname, protocol } = new URL(APP_URL);
  const found: Finding[] = [];
  if (isLocal(hostname))
    found.push(warning(`${APP_URL} is this machine's own address`, "Set APP_URL to the address that payers open."));
  else if (protocol === "http:")
    found.push(problem(`${APP_URL} is not encrypted`, "Use https: live payments need it (docs/operations.md, TLS)."));
  try {
    const { status } = await get(`${APP_URL}/healthz`);
    if (status === 200) found.push(ok(`${APP_URL} answers`));
    else
      found.push(
        problem(`${APP_URL}/healthz answers ${status}`, "Start Paydesk, and let the proxy forward every path to it."),
      );
  } catch (error) {
    const todo = "Start Paydesk; then check the name's DNS entry, the proxy and its certificate.";
    found.push(problem(`${APP_URL} does not answer: ${reasonOf(error)}`, todo));
  }
  return found;
}

/** Whether Paydesk sees the callers' own addresses, by which limits count. */
export async function checkProxy(): Promise<Finding[]> {
  const { APP_URL, HOST, PORT, TRUST_PROXY } = env();
  const { hostname, port, protocol } = new URL(APP_URL);
  const behind = protocol === "https:" || Number(port || 80) !== PORT;
  if (behind && !TRUST_PROXY && !isLocal(hostname))
    return [
      problem(
        "Paydesk is behind a proxy, but TRUST_PROXY is 0: all callers count as one address",
        "Set TRUST_PROXY=1, and let the proxy set X-Forwarded-For (docs/operations.md).",
      ),
    ];
  if (TRUST_PROXY && !isLocal(HOST))
    return [
      warning(
        `TRUST_PROXY is 1, and Paydesk listens on ${HOST}: a caller who reaches port ${PORT} directly can forge its address`,
        "Set HOST=localhost, or let a firewall admit only the proxy.",
      ),
    ];
  return [ok(TRUST_PROXY ? "The proxy's X-Forwarded-For is used" : "No proxy: connections' own addresses are used")];
}

/** How far this machine's clock may differ, in milliseconds. One-time codes change every 30 seconds. */
const clockLimitMs = 5_000;

/** @param behindMs how far this machine's clock is behind the other one; negative if it is ahead */
export function clockFinding(whose: string, behindMs: number): Finding {
  const seconds = (Math.abs(behindMs) / 1_000).toFixed(1);
  const direction = behindMs > 0 ? "behind" : "ahead of";
  return Math.abs(behindMs) > clockLimitMs
    ? problem(`The clock of this machine is ${seconds} seconds ${direction} ${whose}`, "Synchronise both with NTP.")
    : ok(`${whose} clock agrees`);
}

/** The gateway's clock, from its answers: signatures of callbacks and billing depend on it. */
export async function checkClock(): Promise<Finding[]> {
  const address = env().STRIPE_API_URL;
  try {
    const { headers } = await get(address);
    const at = Date.parse(headers.get("date") ?? "");
    return Number.isNaN(at) ? [] : [clockFinding("Stripe's", at + 500 - Date.now())];
  } catch (error) {
    const todo = "Allow connections to it, unless only the sandbox is used.";
    return [warning(`${address} cannot be reached: ${reasonOf(error)}`, todo)];
  }
}

/** Signs in at the mail server, without sending. */
export async function checkMail(): Promise<Finding[]> {
  const { SMTP_URL, MAIL_FROM } = env();
  if (!SMTP_URL)
    return [
      warning(
        "There is no mail server: invitations, receipts and requests to pay are stored, not sent",
        "Set SMTP_URL and MAIL_FROM (docs/mail.md).",
      ),
    ];
  const { hostname, protocol, port } = new URL(SMTP_URL);
  try {
    await verifySmtp();
  } catch (error) {
    return [
      problem(`The sign-in at ${hostname} failed: ${reasonOf(error)}`, "Check SMTP_URL: host, port, user, password."),
    ];
  }
  const found = [ok(`${hostname} accepts the sign-in; mails are sent from ${MAIL_FROM}`)];
  if (protocol === "smtp:" && port === "25" && !isLocal(hostname))
    found.push(warning("Port 25 is for servers among themselves", "Use port 587 or smtps:// with a user."));
  return found;
}

const lowShare = 0.1;

/** Where Debian's PostgreSQL keeps its data. Assumed, because only a superuser may ask the server for its folder. */
const debianData = "/var/lib/postgresql";

/**
 * Checks the free space for a database on this machine (embedded or Debian's) and for backups.
 * @param databaseUrl the setting `DATABASE_URL`; undefined with the embedded database
 */
export async function checkDisk(databaseUrl: string | undefined): Promise<Finding[]> {
  const [backup] = await queryRows<{ file: string }>(db, Prisma.sql`SELECT file FROM backup ORDER BY id DESC LIMIT 1`);
  const database = databaseUrl === undefined ? env().DATA_DIR : isLocalDatabase(databaseUrl) ? debianData : null;
  // Without the file, the folder of its name is another one: a container has an empty /backups.
  const backups = backup && existsSync(backup.file) ? dirname(backup.file) : null;
  const folders = [database, backups].filter((folder) => folder && existsSync(folder));
  const found = await Promise.all([...new Set(folders as string[])].map(roomAt));
  if (database && existsSync(database)) return found;
  return [ok("PostgreSQL's disk cannot be seen from here: watch it on its own machine"), ...found];
}

/** Whether a database's address leads to this machine: a path is a socket's folder. */
function isLocalDatabase(url: string): boolean {
  const { host } = parseDatabaseAddress(url);
  return !host || host.startsWith("/") || isLocal(host);
}

async function roomAt(path: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(path);
  const free = sizeText(bavail * bsize);
  return bavail < blocks * lowShare
    ? problem(`Only ${free} are free at ${path}`, "Make room: PostgreSQL stops when the disk is full.")
    : ok(`${free} are free at ${path}`);
}

export async function checkSecrets(): Promise<Finding[]> {
  const { APP_SECRET_PREVIOUS } = env();
  return APP_SECRET_PREVIOUS
    ? [
        warning(
          "APP_SECRET_PREVIOUS is still read",
          "Run npm run -s reseal, then remove it (docs/operations.md, A new APP_SECRET).",
        ),
      ]
    : [ok("One APP_SECRET is in use")];
}
