import { withClockOf } from "@/lib/core/clock";
import { db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import type { GatewayAccountKeys } from "@/lib/gateways/accounts";
import { findAccount } from "@/lib/gateways/accounts";
import { type GatewayCall, type GatewayList, gatewayLists, KeyRefused } from "@/lib/gateways/gateway";
import { probeKey } from "@/lib/gateways/stripe/probe";
import { dashboardLink } from "@/lib/outbox/mail/dashboard-link";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { recipientsOf } from "@/lib/outbox/notifications/wanted";
import { record } from "@/lib/outbox/record";
import { gatewayAccounts } from "@/lib/resources/gateway-accounts/resource";

// An account is broken while its gateway refuses its key, for everything or for some calls (docs/decisions/0026-refused-keys.md).

type Refusable = GatewayCall | GatewayList | typeof wholeKey;
const wholeKey = "key";
const probeIntervalSeconds = 300;
const maxProbes = 50;

/** Whether the gateway refused this call, or the key itself, when it last answered. */
export const refuses = ({ refusedCalls }: GatewayAccountKeys, call: Refusable): boolean =>
  refusedCalls.includes(wholeKey) || refusedCalls.includes(call);

/**
 * Runs a call of an account's gateway and stores whether the gateway refuses its key: only when that changes, so that
 * a healthy account costs no statement.
 */
export async function watchKey<T>(account: GatewayAccountKeys, call: Refusable, work: () => Promise<T>): Promise<T> {
  const startedAt = new Date();
  try {
    const result = await work();
    if (account.refusedCalls.includes(call)) await ignoreFailure(() => recordAnswer(account, call, startedAt));
    return result;
  } catch (error) {
    if (error instanceof KeyRefused) await ignoreFailure(() => recordRefusal(account, call, error));
    throw error;
  }
}

/**
 * Reads a list of an account's gateway and stores whether the gateway refuses its key, as `watchKey` does, if the account is in use: others
 * are listed only to compare them. Records in the clock of the account's business, because callers read lists outside of it.
 */
export async function* watchList<T>(
  account: GatewayAccountKeys,
  call: GatewayList,
  listed: AsyncIterable<T>,
): AsyncIterable<T> {
  const startedAt = new Date();
  const recorded = (work: () => Promise<void>) =>
    ignoreFailure(() => withClockOf(account.businessId, account.livemode, work));
  try {
    yield* listed;
  } catch (error) {
    if (error instanceof KeyRefused) await recorded(() => recordRefusal(account, call, error, { onlyInUse: true }));
    throw error;
  }
  // Only when the last list has ended: the key may have the permission for one request of a comparison, and lack it for the next.
  if (call !== gatewayLists.at(-1)) return;
  for (const list of gatewayLists)
    if (account.refusedCalls.includes(list)) await recorded(() => recordAnswer(account, list, startedAt));
}

/** Runs `work` without failing the call whose outcome it records. */
const ignoreFailure = (work: () => Promise<void>): Promise<void> =>
  work().catch((err: unknown) => log.warn({ err }, "could not record whether a gateway account works"));

interface Moved {
  business_id: number;
  livemode: boolean;
  external_id: string;
  broken_at: Date | null;
}

/** The first refusal marks the account as broken, and its owners get a mail. Ignores a key that was replaced meanwhile. */
async function recordRefusal(
  { id, refusedCalls, sealed }: GatewayAccountKeys,
  call: Refusable,
  { code, wholeKey: whole }: KeyRefused,
  { onlyInUse = false } = {},
): Promise<void> {
  const refused: Refusable = whole ? wholeKey : call;
  if (refusedCalls.includes(refused)) return;
  await transaction(db, async (tx) => {
    const [first] = await queryRows<Moved & { since: Date }>(
      tx,
      Prisma.sql`
      WITH was AS (SELECT id, broken_at FROM gateway_account WHERE id = ${id} FOR UPDATE), marked AS (
        UPDATE gateway_account a SET refused_calls = array_append(a.refused_calls, ${refused}), probed_at = clock_timestamp(),
               broken_at = coalesce(a.broken_at, clock_timestamp()),
               broken_code = CASE WHEN a.broken_at IS NULL THEN ${code} ELSE a.broken_code END
          FROM was WHERE a.id = was.id AND a.secrets = ${sealed} AND (a.replaced_at IS NULL OR NOT ${onlyInUse}::boolean) AND NOT ${refused} = ANY(a.refused_calls)
        RETURNING a.business_id, a.livemode, a.external_id, was.broken_at AS was_broken_at,
                  on_business_clock(a.broken_at, a.business_id, a.livemode) AS since
      )
      SELECT * FROM marked WHERE was_broken_at IS NULL`,
    );
    if (!first) return;
    const { business_id: businessId, livemode, external_id } = first;
    const tenant = { businessId, livemode };
    log.error({ account: id, business: businessId, livemode, code, refused }, "the gateway refuses an account's key");
    await record(tx, tenant, [{ type: "gateway_account.broken", data: await gatewayAccounts.get(tx, tenant, id) }]);
    const props = {
      ...{ account: external_id, code, permission: !whole, since: first.since.toISOString() },
      link: dashboardLink(tenant, "/settings"),
    };
    for (const to of await recipientsOf(tx, tenant, "account_broken"))
      await queueStaffMail(tx, { template: "account_broken", to, ...tenant, props });
  });
}

/**
 * Removes a call that succeeded from the refused calls. The refusal of the key itself ends only when the probe succeeds or staff
 * connect the account again. If any success ended it, a gateway that refuses the key for some requests and accepts it for others would
 * cause an event and a mail for each refusal.
 * @param startedAt when the call began: a refusal that came later stays
 */
async function recordAnswer({ id, sealed }: GatewayAccountKeys, call: Refusable, startedAt: Date): Promise<void> {
  const left = Prisma.sql`array_remove(refused_calls, ${call})`;
  await restore(id, left, Prisma.sql`secrets = ${sealed} AND broken_at < ${startedAt}::timestamptz`);
}

/** Clears the refusals after staff connected the account with a working key. */
export const restoreAccount = (id: string): Promise<void> => restore(id, Prisma.sql`'{}'::text[]`, Prisma.sql`true`);

/** @param left the calls that are still refused; the account works again when there are none */
async function restore(id: string, left: Prisma.Sql, condition: Prisma.Sql): Promise<void> {
  const kept = (column: string) => Prisma.sql`CASE WHEN cardinality(${left}) > 0 THEN ${Prisma.raw(column)} END`;
  await transaction(db, async (tx) => {
    const [moved] = await queryRows<Moved>(
      tx,
      Prisma.sql`
      UPDATE gateway_account SET refused_calls = ${left}, broken_at = ${kept("broken_at")},
             broken_code = ${kept("broken_code")}, probed_at = ${kept("probed_at")}
       WHERE id = ${id} AND broken_at IS NOT NULL AND refused_calls <> ${left} AND ${condition}
      RETURNING business_id, livemode, external_id, broken_at`,
    );
    if (!moved || moved.broken_at !== null) return;
    const tenant = { businessId: moved.business_id, livemode: moved.livemode };
    log.info({ account: id, business: moved.business_id }, "the gateway accepts an account's key again");
    await record(tx, tenant, [{ type: "gateway_account.restored", data: await gatewayAccounts.get(tx, tenant, id) }]);
  });
}

/**
 * Probes broken accounts that no other call would try: keys that the gateway refuses for every call, and the permission to
 * charge saved cards, because billing does not charge through a broken account.
 */
export async function probeAccounts(): Promise<void> {
  const due = await queryRows<{ id: string }>(
    db,
    Prisma.sql`
    UPDATE gateway_account SET probed_at = clock_timestamp()
     WHERE id IN (SELECT id FROM gateway_account WHERE broken_at IS NOT NULL
                     AND probed_at < now() - make_interval(secs => ${probeIntervalSeconds}::int)
                   ORDER BY probed_at LIMIT ${maxProbes} FOR UPDATE SKIP LOCKED)
    RETURNING id`,
  );
  for (const { id } of due) await probe(id).catch((err: unknown) => log.warn({ err, account: id }, "a probe failed"));
}

async function probe(id: string): Promise<void> {
  const account = await findAccount(id);
  if (!account) return;
  const { businessId, livemode, secretKey, refusedCalls } = account;
  for (const call of [wholeKey, "chargeSaved"] as const) {
    if (!refusedCalls.includes(call)) continue;
    const work = () => watchKey(account, call, () => probeKey(secretKey, call === wholeKey));
    await withClockOf(businessId, livemode, work);
  }
}
