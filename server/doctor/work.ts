import { db, Prisma, queryRows } from "@/lib/core/db";
import { findAccount } from "@/lib/gateways/accounts";
import { probeKey } from "@/lib/gateways/stripe/probe";
import { connectionError } from "@/lib/outbox/webhooks/client";
import { openMismatch } from "@/lib/resources/payments/resource";
import { findHold } from "@/server/hold";
import { ageText, type Finding, ok, problem, reasonOf, warning } from "./finding";

/** A worker takes due work within seconds. */
const lateMs = 300_000;

const age = (since: Date): number => Date.now() - since.getTime();

/**
 * The oldest waiting row of each kind. Except for charges, a query reads every waiting row: the indexes of waiting rows begin with
 * other columns.
 */
const oldest: [what: string, sql: Prisma.Sql, todo: string][] = [
  [
    "job",
    Prisma.sql`SELECT min(run_at) AS since FROM graphile_worker.jobs WHERE locked_at IS NULL AND attempts < max_attempts`,
    "Start a worker: npm start or npm run worker; then read its log.",
  ],
  [
    "charge of a subscription",
    Prisma.sql`SELECT min(next_charge_at) AS since FROM subscription WHERE next_charge_at IS NOT NULL AND livemode`,
    "Start a worker. If one runs, see Needs attention on the dashboard's overview.",
  ],
  [
    "e-mail",
    Prisma.sql`SELECT min(next_attempt_at) AS since FROM email WHERE status = 'queued' AND livemode`,
    "Start a worker, and check the mail server above.",
  ],
  [
    "webhook delivery",
    Prisma.sql`SELECT min(next_attempt_at) AS since FROM webhook_delivery WHERE status = 'pending' AND livemode`,
    "Start a worker; see Webhooks in the dashboard for what the endpoints answer.",
  ],
];

/** Whether work is overdue that a worker should have done, or is held after a restore. */
export async function checkWorker(): Promise<Finding[]> {
  const hold = await findHold();
  if (hold)
    return [
      warning(
        `This database was restored ${ageText(age(hold.restored_at))} ago, from a backup of ${hold.backup_at.toISOString()}: ` +
          "billing, mails and webhooks are held",
        "Go through docs/operations.md, After a restore; then run npm run -s restore -- --release.",
      ),
    ];
  const found: Finding[] = [];
  for (const [what, sql, todo] of oldest) {
    const [row] = await queryRows<{ since: Date | null }>(db, sql);
    if (row?.since && age(row.since) > lateMs)
      found.push(problem(`The oldest ${what} that is due has waited for ${ageText(age(row.since))}`, todo));
  }
  const [failed] = await queryRows<{ count: number; jobs: string | null }>(
    db,
    Prisma.sql`
    SELECT count(*)::int AS count, string_agg(DISTINCT task_identifier, ', ') AS jobs
      FROM graphile_worker.jobs WHERE attempts >= max_attempts AND locked_at IS NULL`,
  );
  if (failed?.count)
    found.push(
      warning(
        `Jobs that have used up their attempts: ${failed.count} (${failed.jobs})`,
        "Read last_error in graphile_worker.jobs and the worker's log. The worker queues due work again, and removes these after a day.",
      ),
    );
  return found.length > 0 ? found : [ok("Nothing that is due waits for a worker")];
}

interface Endpoint {
  id: string;
  url: string;
  business_id: number;
  failing_since: Date | null;
}

/** How many hosts one run connects to, all at the same time. */
const maxConnections = 50;

/** Whether the merchants' systems accept live events, and whether this machine can connect to them. */
export async function checkWebhooks(): Promise<Finding[]> {
  const endpoints = await queryRows<Endpoint>(
    db,
    Prisma.sql`
    SELECT id, url, business_id, failing_since FROM webhook_endpoint
    WHERE livemode AND deleted_at IS NULL AND status = 'enabled' ORDER BY id`,
  );
  const failing = endpoints.filter(({ failing_since }) => failing_since);
  const found = failing.map(({ url, business_id, failing_since }) =>
    warning(
      `${new URL(url).origin} of business ${business_id} has accepted no event for ${ageText(age(failing_since ?? new Date()))}`,
      "See its responses in the dashboard under Webhooks.",
    ),
  );
  const origins = [...new Set(endpoints.map(({ url }) => new URL(url).origin))].slice(0, maxConnections);
  const errors = await Promise.all(origins.map(connectionError));
  for (const [index, error] of errors.entries())
    if (error)
      found.push(
        warning(
          `${origins[index]}, an endpoint for live events, cannot be reached: ${error}`,
          "If this machine reaches other hosts, the merchant must fix it. Otherwise allow this machine to connect to the internet by https.",
        ),
      );
  return found.length > 0
    ? found
    : [ok(`${endpoints.length} live endpoints, none failing; ${origins.length} hosts reached`)];
}

interface Account {
  id: string;
  business_id: number;
  livemode: boolean;
  broken: boolean;
}

const accountsInUse = 500;

/** Asks Stripe whether each connected key works. Changes nothing there. */
export async function checkGateways(): Promise<Finding[]> {
  const accounts = await queryRows<Account>(
    db,
    Prisma.sql`
    SELECT id, business_id, livemode, broken_at IS NOT NULL AS broken FROM gateway_account
    WHERE replaced_at IS NULL ORDER BY livemode DESC, id LIMIT ${accountsInUse}`,
  );
  if (!accounts.some(({ livemode }) => livemode)) {
    const todo = "Connect one: npm run -s gateway -- connect (docs/stripe.md).";
    return [warning("No live gateway account is connected: only test payments are possible", todo)];
  }
  return Promise.all(accounts.map(checkAccount));
}

async function checkAccount({ id, business_id, livemode, broken }: Account): Promise<Finding> {
  const which = `The ${livemode ? "live" : "test"} account of business ${business_id} (${id})`;
  try {
    const account = await findAccount(id);
    if (account) await probeKey(account.secretKey, true);
  } catch (error) {
    return problem(`${which}: ${reasonOf(error)}`, "Connect it again with a key that works (docs/stripe.md).");
  }
  return broken
    ? warning(`${which} works, but is marked as broken`, "A worker tries it again within minutes.")
    : ok(`${which} works`);
}

interface Money {
  unknown: number;
  mismatched: number;
  charges: number;
}

/** Payments whose outcome is unknown or contradicts the books. `npm run -s books` checks the books themselves. */
export async function checkMoney(): Promise<Finding[]> {
  const [money] = await queryRows<Money>(
    db,
    Prisma.sql`
    SELECT (SELECT count(*)::int FROM payment
            WHERE status = 'unknown' AND created_at < clock_timestamp() - interval '1 hour') AS unknown,
           (SELECT count(*)::int FROM payment WHERE ${openMismatch()}) AS mismatched,
           (SELECT count(*)::int FROM unknown_charge WHERE status = 'open') AS charges`,
  );
  const counts: [count: number, what: string][] = [
    [money?.unknown ?? 0, "payments whose outcome has been unknown for an hour"],
    [money?.mismatched ?? 0, "payments that the gateway took although staff had recorded them as failed"],
    [money?.charges ?? 0, "charges at a gateway that the books lack"],
  ];
  const found = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => problem(`${count} ${what}`, "See Needs attention on the dashboard's overview."));
  return found.length > 0 ? found : [ok("No payment's outcome is unknown")];
}
