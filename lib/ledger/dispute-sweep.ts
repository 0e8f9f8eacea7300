import pLimit from "p-limit";
import { withClockOf } from "@/lib/core/clock";
import { db, execute, Prisma, queryRows } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import { renewCallbacks } from "@/lib/gateways/accounts";
import { openStatuses } from "./attempt";
import { withDeadline } from "./deadline";
import { reconcileDisputes } from "./dispute";
import { gatewayFor } from "./gateways";
import { tookMoney } from "./took-money";

/** A payer can dispute for months. A list goes back so far at most, as the first one does. */
const maxListMs = 180 * 86_400_000;
/** An overlap, because clocks differ. */
const overlapMs = 86_400_000;
const hourMs = 3_600_000;
/** A list can have many pages. */
const listDeadlineMs = 120_000;
/** Accounts at once, so that some that hang do not hold up the others. */
const maxInFlight = 8;

interface Account {
  account: string;
  business_id: number;
  livemode: boolean;
  gateway_account_id: string | null;
  listed_at: Date | null;
}

/**
 * Finds disputes whose callback was lost. Lists each account's new disputes once an hour, instead of one call for each payment. While
 * the lookup of a payment fails, it lists them in each run. `sweepSettled` looks up open disputes that are known. Concurrent runs repeat
 * work, without harm.
 * @param stopping starts no further list or lookup once aborted
 */
export async function sweepDisputes(stopping: AbortSignal): Promise<void> {
  await pLimit(maxInFlight).map(await listedAt(hourMs), async (account) => {
    if (stopping.aborted) return;
    try {
      await listDisputes(account, stopping);
    } catch (err) {
      log.warn({ err, account: account.account }, "the gateway did not list its disputes");
    }
  });
}

/** Accounts whose disputes were not listed for so long; null: every account. */
export function listedAt(beforeMs: number | null): Promise<Account[]> {
  return queryRows<Account>(
    db,
    Prisma.sql`
    SELECT known.*, listing.listed_at
      FROM (SELECT id AS account, business_id, livemode, id AS gateway_account_id FROM gateway_account
            UNION ALL
            SELECT id::text, id, false, NULL FROM business) AS known
      LEFT JOIN dispute_listing listing ON listing.account = known.account
     WHERE ${beforeMs}::float8 IS NULL OR listing.listed_at IS NULL
        OR listing.listed_at < clock_timestamp() - make_interval(secs => ${beforeMs}::float8 / 1000)
     ORDER BY listing.listed_at NULLS FIRST, known.account`,
  );
}

/** Lists from the same time again until the lookups of all payments succeed. */
async function listDisputes(row: Account, stopping: AbortSignal): Promise<void> {
  const { account, gateway_account_id, listed_at } = row;
  const startedAt = new Date();
  if (listed_at === null && gateway_account_id !== null) await renewCallbacks(gateway_account_id);
  const since = Math.max(startedAt.getTime() - maxListMs, (listed_at?.getTime() ?? 0) - overlapMs);
  let isComplete = true;
  for (const id of await unknownHere(row, new Date(since))) {
    if (stopping.aborted) return;
    try {
      await withClockOf(row.business_id, row.livemode, async () => {
        if (await tookMoney(id)) await reconcileDisputes(id);
      });
    } catch (err) {
      isComplete = false;
      log.warn({ err, id }, "the disputes of a payment could not be looked up; will try again");
    }
  }
  if (!isComplete) return;
  await execute(
    db,
    Prisma.sql`
    INSERT INTO dispute_listing (account, listed_at) VALUES (${account}, ${startedAt}::timestamptz)
    ON CONFLICT (account) DO UPDATE SET listed_at = greatest(dispute_listing.listed_at, excluded.listed_at)`,
  );
}

/**
 * Payments of this account with a dispute since then that we do not have. One that is open here was paid and disputed after a
 * backup that has been restored. One that staff recorded as failed was taken after all.
 * @throws when the gateway does not answer
 */
export async function unknownHere(account: Account, since: Date): Promise<string[]> {
  const { business_id, gateway_account_id } = account;
  const gateway = await gatewayFor({ ...account, livemode: false });
  if (!gateway) return [];
  const found = await withDeadline(gateway.disputedSince(since), listDeadlineMs);
  if (found.length === 0) return [];
  const rows = await queryRows<{ id: string }>(
    db,
    Prisma.sql`
    SELECT DISTINCT p.id FROM unnest(${found.map(({ key }) => key)}::text[], ${found.map(({ ref }) => ref)}::text[]) AS found (key, ref)
      JOIN payment p ON p.gateway_key = found.key
     WHERE p.business_id = ${business_id} AND p.gateway_account_id IS NOT DISTINCT FROM ${gateway_account_id}
       AND (p.status = ANY (${["succeeded", ...openStatuses]}::text[]) OR (p.status = 'failed' AND p.settled_by IS NOT NULL))
       AND NOT EXISTS (SELECT FROM dispute WHERE gateway_ref = found.ref)
     ORDER BY p.id`,
  );
  return rows.map(({ id }) => id);
}
