import { clock, withClockOf } from "@/lib/core/clock";
import { db, execute, Prisma, queryRows, rowsOf } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { databaseOf } from "@/lib/gateways/accounts";
import { type AccountMark, type Gateway, gatewayLists, KeyRefused, type KnownCharge } from "@/lib/gateways/gateway";
import { adoptCharges } from "./adopt";
import { openStatuses } from "./attempt";
import { gatewayDeadlineMs, withDeadline } from "./deadline";
import { gatewayFor } from "./gateways";
import { hasSucceeded } from "./reconcile";
import { reconcileRefunds } from "./refund";

/**
 * Finds the charges and refunds that a restored database lacks, because they were made after its backup. Each process compares
 * an account with the ledger before it first moves money through it, and again when it finds another database
 * (docs/decisions/0027-restored-databases.md).
 */

/** Covers the difference between our clock and the gateway's, which may be five minutes. */
const marginMs = 10 * 60_000;

/** How long a request waits for a comparison. The comparison continues after the request has given up. */
const waitMs = 10_000;

/** After a failed comparison, requests are refused at once for this time. */
const retryAfterMs = 5_000;

/** Minimum age of a mark before it is moved, if the account has newer payments. */
const markIntervalSeconds = 10 * 60;

const batchSize = 100;

/** By account id: the newest mark that this process has seen since it compared the account. */
const compared = new Map<string, AccountMark>();
const running = new Map<string, Promise<void>>();
const failures = new Map<string, { at: number; error: unknown }>();

/** What keeps this process from moving money through an account in use; null when nothing does, as far as it knows. */
export function reasonOfHold(id: string, mark: AccountMark): "away" | "held" | null {
  if (isCompared(id, mark)) return null;
  const failed = failures.get(id);
  return failed && !(failed.error instanceof KeyRefused) ? "away" : "held";
}

/** Whether this process has compared the account with the database of the mark, and with no older backup of it since. */
function isCompared(id: string, mark: AccountMark): boolean {
  const known = compared.get(id);
  if (known?.database !== mark.database || known.comparedUntil > mark.comparedUntil) return false;
  compared.set(id, mark);
  return true;
}

/**
 * Must be called before money is moved. Compares the account first if this process has not done so.
 * @throws ApiError account_refused when the key lacks a permission that the comparison needs; gateway_away when the comparison
 * fails otherwise or takes long
 */
export async function assertCompared({ accountId: id, mark }: Gateway): Promise<void> {
  if (id === null || mark === null || isCompared(id, mark)) return;
  const failed = failures.get(id);
  // A key that was refused for every call may work by now, and would move money that was not compared.
  const pausing = failed && !isWholeKeyRefused(failed.error) && Date.now() - failed.at < retryAfterMs;
  const comparison = pausing ? Promise.reject(failed.error) : compareAccount(id);
  await withDeadline(comparison, waitMs).catch((error: unknown) => {
    // A key that works for no call moves no money either: the gateway refuses the payment itself.
    if (isWholeKeyRefused(error)) return;
    if (error instanceof KeyRefused)
      throw new ApiError(
        "account_refused",
        "The account's key may not list payments or refunds at the gateway, which Paydesk must do before it moves money. Nothing was changed. Give the key these permissions at the gateway.",
      );
    throw new ApiError("gateway_away", "The gateway's payments are being compared. Try again later.", {
      "Retry-After": String(Math.ceil(waitMs / 1000)),
    });
  });
}

const isWholeKeyRefused = (error: unknown): boolean => error instanceof KeyRefused && error.wholeKey;

/** Compares an account, once at a time in this process. @throws when the gateway or the database is unreachable */
export function compareAccount(id: string): Promise<void> {
  const known = running.get(id);
  if (known !== undefined) return known;
  // Outside the caller's clock and transaction, because other callers wait for the same comparison.
  const work = clock
    .outside(() => compare(id))
    .then(() => void failures.delete(id))
    .catch((err: unknown) => {
      failures.set(id, { at: Date.now(), error: err });
      log.error({ err, account: id }, "a gateway account could not be compared");
      throw err;
    })
    .finally(() => running.delete(id));
  running.set(id, work);
  return work;
}

async function compare(id: string): Promise<void> {
  const startedAt = clock.now();
  const gateway = await findGateway(id);
  const { mark } = gateway;
  if (!mark) return;
  const from = new Date(mark.comparedUntil.getTime() - marginMs);
  for await (const charges of inBatches(gateway.chargesSince(from))) await storeUnknown(gateway, charges);
  await adoptCharges({ accountId: id });
  for await (const refunds of inBatches(gateway.refundsSince(from))) await importUnknownRefunds(id, refunds);
  const until = startedAt > mark.comparedUntil ? startedAt : mark.comparedUntil;
  // Moves no mark if the database was restored meanwhile: the restored one lacks the rows stored above. A subquery identifies the
  // database, because PostgreSQL checks a condition again on a row that was just changed, and finds another tableoid then.
  const moved = await execute(
    db,
    Prisma.sql`
    UPDATE gateway_account SET compared_until = greatest(compared_until, ${until}::timestamptz)
     WHERE id = ${id} AND ${mark.database} = (SELECT ${databaseOf} FROM gateway_account WHERE id = ${id})`,
  );
  if (moved === 0) throw new Error("The database changed during the comparison.");
  compared.set(id, { database: mark.database, comparedUntil: until });
}

async function findGateway(id: string): Promise<Gateway> {
  const account = await db.gatewayAccount.findUniqueOrThrow({ where: { id }, omit: { secrets: true } });
  const { business_id, livemode } = account;
  const gateway = await gatewayFor({ business_id, livemode, gateway_account_id: id });
  if (!gateway) throw new Error(`There is no gateway account ${id}.`);
  return gateway;
}

/**
 * Compares the accounts in use that this process has not compared, and moves the mark of those with payments since: a later
 * comparison then lists only newer charges. Also retries unresolved charges, and lists that the gateway refused to any process.
 * @param stopping starts no further account once aborted
 */
export async function compareAccounts(stopping: AbortSignal): Promise<void> {
  const accounts = await queryRows<AccountState>(
    db,
    Prisma.sql`
    SELECT id, compared_until, ${databaseOf} AS database, refused_calls,
           replaced_at IS NOT NULL AS replaced,
           compared_until < clock_timestamp() - make_interval(secs => ${markIntervalSeconds}::int)
             AND compared_until < (SELECT p.started_at FROM payment p WHERE p.business_id = gateway_account.business_id
                                      AND p.livemode = gateway_account.livemode ORDER BY p.created_at DESC, p.id DESC LIMIT 1) AS due,
           EXISTS (SELECT FROM unknown_charge u
                    WHERE u.gateway_account_id = gateway_account.id AND u.resolved_at IS NULL) AS unresolved
      FROM gateway_account
     WHERE replaced_at IS NULL OR id IN (SELECT gateway_account_id FROM unknown_charge WHERE resolved_at IS NULL)`,
  );
  for (const { id, compared_until, database, refused_calls, replaced, due, unresolved } of accounts) {
    if (stopping.aborted) return;
    const failed = failures.get(id);
    // An account in use without refused calls has been connected again since then.
    const refused = failed?.error instanceof KeyRefused && (replaced || refused_calls.length > 0);
    if (failed && refused && Date.now() - failed.at < markIntervalSeconds * 1000) continue;
    const known = isCompared(id, { comparedUntil: compared_until, database });
    const unlisted = gatewayLists.some((list) => refused_calls.includes(list));
    if (due || unlisted || !known)
      await compareAccount(id).catch(() => undefined); // has logged the error
    else if (unresolved)
      await adoptCharges({ accountId: id }).catch((err: unknown) =>
        log.warn({ err, account: id }, "the unknown charges of a gateway account could not be looked up"),
      );
  }
}

interface AccountState {
  id: string;
  compared_until: Date;
  database: string;
  refused_calls: string[];
  replaced: boolean;
  due: boolean;
  unresolved: boolean;
}

const chargeColumns = Prisma.sql`
  id text, key text, ref text, account text, link text, subscription text, period int, cents int, currency text,
  charged_at timestamptz, status text`;

/**
 * The charges of a list that the ledger does not know. Those of another Paydesk that uses the same account are left out: they
 * name another account, and no link or subscription of ours.
 */
export function unknownOf(
  accountId: string,
  charges: KnownCharge[],
): Promise<{ key: string; stored: string | null }[]> {
  const rows = charges.map((charge) => rowOf(charge));
  return queryRows<{ key: string; stored: string | null }>(
    db,
    Prisma.sql`
    SELECT found.key, u.status AS stored
      FROM ${rowsOf(rows, chargeColumns)} AS found
      JOIN gateway_account a ON a.id = ${accountId}
      LEFT JOIN unknown_charge u ON u.gateway_key = found.key
     WHERE NOT EXISTS (SELECT FROM payment p WHERE p.gateway_key = found.key)
       AND (found.account IS NULL OR found.account = a.id
            OR EXISTS (SELECT FROM payment_link l WHERE l.id = found.link AND l.business_id = a.business_id AND l.livemode = a.livemode)
            OR EXISTS (SELECT FROM subscription s WHERE s.id = found.subscription AND s.business_id = a.business_id AND s.livemode = a.livemode))`,
  );
}

const rowOf = (charge: KnownCharge, succeeded = charge.status === "succeeded") => ({
  ...{ id: newId("uch"), key: charge.gatewayKey, ref: charge.ref, account: charge.accountId, link: charge.linkId },
  ...{ subscription: charge.subscriptionId, period: charge.periodIndex, cents: charge.amountCents },
  ...{ currency: charge.currency, charged_at: charge.createdAt, status: succeeded ? "open" : "undecided" },
});

async function storeUnknown(gateway: Gateway, charges: KnownCharge[]): Promise<void> {
  const accountId = gateway.accountId as string;
  const unknown = new Set(
    (await unknownOf(accountId, charges)).flatMap(({ key, stored }) => (stored === null ? [key] : [])),
  );
  const rows: ReturnType<typeof rowOf>[] = [];
  // The same key may be listed twice, as a page and as its intent.
  for (const charge of charges) {
    if (!unknown.delete(charge.gatewayKey)) continue;
    const row = charge.status === "succeeded" ? rowOf(charge) : await stopCharge(gateway, charge);
    if (row) rows.push(row);
  }
  if (rows.length === 0) return;
  log.warn({ account: accountId, charges: rows.length }, "the gateway has charges that the ledger does not know");
  await execute(
    db,
    Prisma.sql`
    INSERT INTO unknown_charge (id, business_id, livemode, gateway_account_id, gateway_key, gateway_ref, payment_link_id,
                                subscription_id, period_index, amount_cents, currency, charged_at, status, created_at)
    SELECT found.id, a.business_id, a.livemode, a.id, key, ref, link, subscription, period, cents, currency, charged_at, status,
           business_time(a.business_id, a.livemode)
      FROM ${rowsOf(rows, chargeColumns)} AS found JOIN gateway_account a ON a.id = ${accountId}
    ON CONFLICT (gateway_key) DO NOTHING`,
  );
}

/** Cancels a charge that the payer could still pay: our database lacks it, so the link can be paid again. @returns null if it took no money */
async function stopCharge(gateway: Gateway, charge: KnownCharge): Promise<ReturnType<typeof rowOf> | null> {
  const { gatewayKey, ref, amountCents, currency, createdAt: startedAt } = charge;
  const attempt = { gatewayKey, ref, startedAt, cardRef: null, amountCents, currency };
  const result = await withDeadline(gateway.cancel(attempt), gatewayDeadlineMs);
  return result.outcome === "declined" ? null : rowOf({ ...charge, ref: result.ref }, result.outcome === "succeeded");
}

/** Imports the refunds of payments that the ledger knows. Settles open ones first: a refunded payment has succeeded. */
async function importUnknownRefunds(accountId: string, refunds: { ref: string; chargeKey: string }[]): Promise<void> {
  const payments = await queryRows<{ id: string; business_id: number; livemode: boolean }>(
    db,
    Prisma.sql`
    SELECT DISTINCT p.id, p.business_id, p.livemode
      FROM ${rowsOf(refunds, Prisma.sql`ref text, "chargeKey" text`)} AS found
      JOIN payment p ON p.gateway_key = found."chargeKey" AND p.gateway_account_id = ${accountId}
       AND p.status = ANY (${["succeeded", ...openStatuses]}::text[])
     WHERE NOT EXISTS (SELECT FROM refund r WHERE r.gateway_ref = found.ref)`,
  );
  for (const { id, business_id, livemode } of payments)
    await withClockOf(business_id, livemode, async () => {
      if (await hasSucceeded(id)) await reconcileRefunds({ paymentId: id });
    });
}

export async function* inBatches<T>(listed: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const item of listed) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
